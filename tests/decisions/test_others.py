"""What others have used up beside a case's own releases, against enumerations of both together."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from dpwidgets.calculators.worlds import Worlds
from dpwidgets.decisions.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.decisions.choice import RiskGoal
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import show

EPSILONS, DELTAS = st.floats(0, 2), st.just(0.0) | st.floats(1e-6, 0.1)
SCALES = st.floats(0.5, 20)


def betrayal(epsilon, delta):
    """The worst pair of laws that is (ε, δ)-private: all is said with δ, else randomized."""
    lie = 1 / (1 + math.exp(epsilon))
    told = np.array([delta, (1 - delta) * (1 - lie), (1 - delta) * lie, 0])
    return told, told[::-1]


def divergence(p, q, epsilon):
    """The δ at which two laws are ε apart, by definition."""
    return np.maximum(p - math.exp(epsilon) * q, 0).sum()


def apart(one, other, epsilon):
    return max(
        divergence(one, other, epsilon), divergence(other, one, epsilon)
    )


def laws(rng, epsilon, delta, databases, answers=4):
    """Laws of answers, one for each database, of which each two neighbours in a row are (ε, δ)."""
    made = [rng.dirichlet(np.ones(answers))]
    while len(made) < databases:
        wild, last = rng.dirichlet(np.ones(answers) / 3), made[-1]
        low, high = 0.0, 1.0
        for _ in range(50):  # as far from the last one as it may be
            share = (low + high) / 2
            one = (1 - share) * last + share * wild
            far = apart(one, last, epsilon) > delta
            low, high = (low, share) if far else (share, high)
        made.append((1 - low) * last + low * wild)
    return made


def own(scale, truths=(0, 1)):
    """The laws of an answer with Laplace noise, as masses of narrow bins."""
    edges = np.linspace(
        min(truths) - 30 * scale, max(truths) + 30 * scale, 30_001
    )
    edges[[0, -1]] = -np.inf, np.inf
    return [
        np.diff(stats.laplace.cdf(edges, truth, scale)) for truth in truths
    ]


def test_the_bound_of_a_group_is_reached():
    """P[S] ≤ e^ε·P′[S] + δ at each step, with equality each time."""
    for epsilon, delta, people in (
        (0.3, 0.01, 4),
        (0, 0.02, 3),
        (1.2, 1e-3, 5),
    ):
        share = 0.0
        for _ in range(people):
            share = math.exp(epsilon) * share + delta
        case = Case(
            published="count", used=epsilon, used_delta=delta, household=people
        )
        assert case.others(HOUSEHOLD) == pytest.approx(
            (people * epsilon, share), rel=1e-12
        )
        assert case.others(ONE) == (0, 0)
    assert Case(published="count", used=0.5, household=3).others(
        HOUSEHOLD
    ) == (1.5, 0)


@given(SCALES, EPSILONS, DELTAS)
def test_the_advantage_beside_the_worst_of_others_by_enumeration(
    scale, epsilon, delta
):
    case = Case(published="count", used=epsilon, used_delta=delta)
    pairs = [
        np.outer(a, b)
        for a, b in zip(own(scale), betrayal(epsilon, delta), strict=True)
    ]
    told = np.abs(pairs[0] - pairs[1]).sum() / 2
    assert case.advantage(scale, ALL) == pytest.approx(told, rel=2e-4)
    assert case.advantage(scale, ONE) == pytest.approx(
        -math.expm1(-1 / (2 * scale))
    )


@given(st.integers(0, 10**6), SCALES, EPSILONS, st.floats(1e-4, 0.1))
def test_a_belief_moves_farther_as_seldom_as_is_said(
    seed, scale, epsilon, delta
):
    """Both orders, the worst of others and any of them: P[loss > bound] ≤ 2δ."""
    case = Case(published="count", used=epsilon, used_delta=delta)
    bound = case.log_odds(scale, ALL)
    if delta == 0:
        assert bound == pytest.approx(1 / scale + epsilon)
    mine = own(scale)
    for other in (
        betrayal(epsilon, delta),
        laws(np.random.default_rng(seed), epsilon, delta, 2),
    ):
        for here, there in ((0, 1), (1, 0)):
            p = np.outer(mine[here], other[here])
            q = np.outer(mine[there], other[there])
            assert (
                p[p > math.exp(bound) * (1 + 1e-9) * q].sum()
                <= 2 * delta + 1e-12
            )
    assert (
        case.failure_clause(ALL)
        == f", except with a probability of {show(2 * delta, up=True)}"
    )
    assert case.failure_clause(ONE) == ""


@given(
    st.integers(0, 10**6), SCALES, st.floats(0, 1), st.just(0.0) | st.floats(1e-4, 0.02),
    st.sampled_from(["add/remove", "replace"]),
)  # fmt: skip
def test_a_risk_beside_others_by_enumeration(
    seed, scale, epsilon, delta, neighbours
):
    """Each record is missing as likely; others' laws are as far apart as neighbours may be."""
    rng, values = np.random.default_rng(seed), [0.0, 1.0, 3.0]
    column = Worlds(values, "sum")
    case = Case(
        published="sum",
        low=0,
        high=3,
        neighbours=neighbours,
        used=epsilon,
        used_delta=delta,
    )
    steps = 1 if neighbours == "replace" else 2
    whole, *_ = laws(rng, epsilon, delta, 1)
    worlds = []
    # Each world is half the way from the whole column, or one way.
    while len(worlds) < 3:
        wild = rng.dirichlet(np.ones(4) / 3)
        near = [whole, *worlds] if steps == 1 else [whole]
        mixed = (
            (1 - share) * whole + share * wild
            for share in np.linspace(1, 0, 60)
        )
        kept = (
            one
            for one in mixed
            if all(apart(one, two, epsilon) <= delta for two in near)
        )
        worlds += itertools.islice(kept, 1)
    goal = RiskGoal(column, 0.6, reach=ALL)
    answers = own(scale, [-value for value in values])
    joint = np.array(
        [np.outer(*laws) for laws in zip(answers, worlds, strict=True)]
    )
    worst = goal.reached(case, scale)
    above = (
        joint.sum(axis=0)[
            joint.max(axis=0) > worst * (1 + 1e-9) * joint.sum(axis=0)
        ].sum()
        / 3
    )
    assert above <= 2 * delta / worst + 1e-12


def test_others_who_leave_nothing_to_promise_are_refused_by_name():
    for given_ in ({"used_delta": 0.5}, {"used_delta": 0.01, "household": 9}):
        with pytest.raises(
            DomainError, match="used_delta must be smaller"
        ) as caught:
            Case(published="count", used=1.0, **given_)
        assert caught.value.argument == "used_delta"


@pytest.mark.parametrize("baseline", [0.1, 0.3, 0.5, 0.95])
def test_an_attack_on_others_succeeds_where_they_betray_everything(baseline):
    """Our noise tells nothing; they betray a tenth, and of the rest a blind guess is right."""
    case = Case(published="count", used_delta=0.1)
    least = case.success(1e6, baseline)
    assert least == pytest.approx(0.1 + 0.9 * baseline, abs=1e-5)
