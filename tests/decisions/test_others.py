"""What others have used up beside a case's own releases, against enumerations of both together."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from dpwidgets.calculators.worlds import Worlds
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import ALL, HOUSEHOLD, ONE, Case
from dpwidgets.decisions.choice import RiskGoal

EPSILONS = st.floats(0, 2)
SCALES = st.floats(0.5, 20)


def own(scale, truths=(0, 1)):
    """The laws of an answer with Laplace noise, as masses of narrow bins."""
    edges = np.linspace(
        min(truths) - 30 * scale, max(truths) + 30 * scale, 30_001
    )
    edges[[0, -1]] = -np.inf, np.inf
    return [
        np.diff(stats.laplace.cdf(edges, truth, scale)) for truth in truths
    ]


def randomized(epsilon):
    """The worst pair of laws that is ε-private."""
    lie = 1 / (1 + math.exp(epsilon))
    return np.array([1 - lie, lie]), np.array([lie, 1 - lie])


@given(SCALES, EPSILONS)
def test_beside_the_worst_of_others_by_enumeration(scale, epsilon):
    """The advantage is that of both together, and no loss of both is above the bound."""
    case = Case(published="count", used=epsilon, household=3)
    p, q = (
        np.outer(mine, other)
        for mine, other in zip(own(scale), randomized(epsilon), strict=True)
    )
    told = np.abs(p - q).sum() / 2
    assert case.advantage(scale, ALL) == pytest.approx(told, rel=2e-4)
    assert case.advantage(scale, ONE) == pytest.approx(
        -math.expm1(-1 / (2 * scale))
    )
    bound = case.log_odds(scale, ALL)
    assert bound == pytest.approx(1 / scale + epsilon)
    # The masses of bins far out are differences, with few digits.
    assert p[p > math.exp(bound) * (1 + 1e-9) * q].sum() <= 1e-9
    assert case.others(HOUSEHOLD) == pytest.approx(3 * epsilon)
    assert case.others(ONE) == 0


def near(rng, laws, epsilon):
    """Return a law of four answers that is as far from these as ε allows."""
    wild = rng.dirichlet(np.ones(4) / 3)
    for share in np.linspace(0, 1, 60):
        one = share * laws[0] + (1 - share) * wild
        if all(np.abs(np.log(one / law)).max() <= epsilon for law in laws):
            break
    return one


@given(
    st.integers(0, 10**6),
    SCALES,
    st.floats(1e-3, 1),
    st.sampled_from(["add/remove", "replace"]),
)
def test_a_risk_beside_others_by_enumeration(seed, scale, epsilon, neighbours):
    """Each record is missing as likely; others' laws are as far apart as neighbours may be."""
    rng, values = np.random.default_rng(seed), [0.0, 1.0, 3.0]
    case = Case(
        published="sum", low=0, high=3, neighbours=neighbours, used=epsilon
    )
    whole = rng.dirichlet(np.ones(4))
    worlds = []
    # Each world is half the way from the whole column, or one way.
    while len(worlds) < 3:
        others = [whole, *worlds] if neighbours == "replace" else [whole]
        worlds.append(near(rng, others, epsilon))
    goal = RiskGoal(Worlds(values, "sum"), 0.6, reach=ALL)
    answers = own(scale, [-value for value in values])
    joint = np.array(
        [np.outer(*laws) for laws in zip(answers, worlds, strict=True)]
    )
    most = goal.reached(case, scale) * joint.sum(axis=0)
    highest = joint.max(axis=0)
    assert highest[highest > most * (1 + 1e-9)].sum() <= 1e-9


def test_a_delta_of_others_in_an_old_file_counts_or_is_refused_by_name():
    """Earlier versions counted others' ε at a δ; of 0 it is the same as now."""
    count = Case(published="count", delta=1e-6, used=1)
    line = "c: published=count, scale=5"
    made = plan.decide(line, factor=1, delta=1e-6, used=1)
    before = [choice.record(count, [], 0.1, date="2024")]
    later = choice.decide(
        published="count", delta=1e-6, total=9, before=before
    )
    for record, where in (
        (before[0], lambda content: [content["whole"]]),
        (made.record(), lambda content: [content["whole"]]),
        (
            later.record(),
            lambda content: [
                content["before"][0]["published"][0]["case"],
                content["before"][0]["used"],
            ],
        ),
    ):
        for place in range(len(where(json.loads(record.json())))):
            content = json.loads(record.json())
            fields = where(content)[place]
            name = "delta" if fields.keys() == {"epsilon"} else "used_delta"
            fields[name] = 0.0
            assert choice.Sheet.load(json.dumps(content)) == record
            fields[name] = 1e-7
            with pytest.raises(ValueError, match=f"{name} must be 0: others’"):
                choice.Sheet.load(json.dumps(content))
