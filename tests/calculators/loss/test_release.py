"""The answers of the mechanisms, against other libraries' laws and the law of their loss."""

from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pytest
from scipy import stats

from dpwidgets.calculators.loss import release

RELEASES = {
    "laplace": release("laplace", epsilon=0.7),
    "geometric": release("geometric", epsilon=0.7),
    "randomized_response": release("randomized_response", epsilon=0.7),
    "gaussian": release("gaussian", mu=0.7),
    "binomial": release("binomial", trials=9),
    "finite": release("finite", p=[0.2, 0.5, 0, 0.3], q=[0.6, 0.3, 0.1, 0]),
}
every = pytest.mark.parametrize("one", RELEASES.values(), ids=RELEASES)


def answers(one):
    return np.unique(one.nearest(np.arange(-600, 601) / 2))


@every
def test_the_weights_the_losses_and_their_law_say_the_same(one):
    """Sum the weights of the answers whose loss exceeds ε, or integrate over a continuum."""
    possible, step = answers(one), 1.0
    if not one.discrete:
        possible, step = np.linspace(-40, 40, 800_001, retstep=True)
    here, there = (one.weight(possible, you=you) for you in (True, False))
    lost = one.loss_of(possible)
    assert (here * step).sum() == pytest.approx(1, abs=1e-7)
    assert (there * step).sum() == pytest.approx(1, abs=1e-7)
    for epsilon in (-0.3, 0.0, 0.2, 0.55):
        expected = (here * (lost > epsilon)).sum() * step
        assert one.law.tail(epsilon) == pytest.approx(expected, abs=2e-4)
    near = np.abs(possible) < 20
    with np.errstate(divide="ignore"):
        assert lost[near] == pytest.approx(np.log(here[near] / there[near]), abs=1e-9)


def test_the_weights_are_scipys():
    x, k, half = np.linspace(-8, 9, 35), np.arange(-8, 10), np.arange(-4.5, 6)
    for name, at, expected in (
        ("laplace", x, stats.laplace.pdf(x, loc=1, scale=1 / 0.7)),
        ("gaussian", x, stats.norm.pdf(x, loc=1, scale=1 / 0.7)),
        ("geometric", k, stats.dlaplace.pmf(k - 1, 0.7)),
        ("binomial", half, stats.binom.pmf(half + 3.5, 9, 0.5)),
    ):
        assert RELEASES[name].weight(at, you=True) == pytest.approx(expected)


def test_the_nearest_possible_answer_is_meant():
    assert release("randomized_response", epsilon=1, outcome=7).answer == 1
    assert release("geometric", epsilon=1, outcome=2.6).answer == 3
    assert release("binomial", trials=4, outcome=99).answer == 3
    assert release("binomial", trials=3, outcome=-9).answer == -1.5
    assert release("gaussian", mu=1, outcome=2.6).answer == 2.6


def test_an_answer_that_only_one_database_gives_has_an_infinite_loss():
    one = release("binomial", trials=4)
    assert (one.loss_of(3), one.loss_of(-2)) == (np.inf, -np.inf)
    assert (one.other.loss_of(3), one.other.loss_of(-2)) == (-np.inf, np.inf)


@every
def test_the_stated_epsilon_is_the_laws_rounded_up_and_the_reach_is_enough(one):
    for compositions in (1, 7, 50):
        again = replace(one, compositions=compositions, delta=0.05)
        assert again.law.tail(again.reach) - again.law.infinite() < 1e-3
        exact = again.law.epsilon(0.05)
        if np.isinf(exact):
            assert (again.epsilon, again.share) == (np.inf, 0)
            continue
        assert exact <= again.epsilon <= exact * 1.01
        assert len(f"{again.epsilon:.10g}".strip("0.")) <= 4
        assert again.symmetric == (again.mechanism != "finite")
        assert again.share == again.law.tail(again.epsilon)


LISTS = {
    "the point and the coin": ([1, 0], [0.5, 0.5]),
    "told truly three times of four": ([0.75, 0.25], [0.25, 0.75]),
    "answers that only one gives": ([0.5, 0.5, 0], [0, 0.25, 0.75]),
    "five": ([0.1, 0.2, 0.3, 0.15, 0.25], [0.3, 0.05, 0.25, 0.2, 0.2]),
    "two answers at once": ([0.4, 0, 0.6, 0], [0.1, 0, 0.2, 0.7]),
    "nothing told": ([0.3, 0.7], [0.3, 0.7]),
}


def largest(p, q, epsilon):
    """Return the largest P(S) − e^ε Q(S) of all sets S of answers, one after the other."""
    answers = range(len(p))
    sets = chain.from_iterable(combinations(answers, size) for size in range(len(p) + 1))
    return max(sum(p[a] - np.exp(epsilon) * q[a] for a in chosen) for chosen in sets)


@pytest.mark.parametrize("lists", LISTS.values(), ids=LISTS)
def test_two_lists_keep_their_delta_for_every_set_of_answers_in_both_orders(lists):
    p, q = lists
    for one, (here, there) in (
        (release("finite", p=p, q=q), (p, q)),
        (release("finite", p=p, q=q).other, (q, p)),
    ):
        for epsilon in (0.0, 0.1, 0.5, np.log(2), 1.0, 3.0, 40.0):
            expected = largest(here, there, epsilon)
            assert one.law.delta(epsilon) == pytest.approx(expected, abs=1e-15)
        floor = sum(mass for mass, never in zip(here, there, strict=True) if never == 0)
        assert one.law.infinite() == pytest.approx(floor)
        for delta in (1e-6, 0.1, 0.3, 0.6):
            exact = one.law.epsilon(delta)
            assert np.isinf(exact) == (delta < floor)
            if np.isfinite(exact):
                assert largest(here, there, exact) <= delta + 1e-12
                assert exact == 0 or largest(here, there, exact - 1e-6) > delta
            both = release("finite", p=p, q=q, delta=delta)
            assert both.guarantee == max(both.epsilon, both.other.epsilon)


@pytest.mark.parametrize("lists", LISTS.values(), ids=LISTS)
def test_two_answers_from_two_lists_are_one_from_the_list_of_pairs(lists):
    two = release("finite", p=lists[0], q=lists[1], compositions=2, swapped=True)
    p, q = (np.outer(one, one).ravel().tolist() for one in lists)
    for epsilon in (0.0, 0.3, 1.0):
        pairs = release("finite", p=p, q=q, swapped=True).law.delta(epsilon)
        assert two.law.delta(epsilon) == pytest.approx(pairs, abs=1e-12)


def test_the_answers_of_two_lists_are_their_places():
    one = release("finite", p=[0.4, 0, 0.6, 0], q=[0.1, 0, 0.2, 0.7])
    assert one.nearest([-5, 1.6, 2.1, 2.4, 9]).tolist() == [1, 1, 3, 3, 4]  # no answer is the 2nd
    assert one.weight([1, 2, 4, 5, 1.5], you=True).tolist() == [0.4, 0, 0, 0, 0]
    assert one.weight(4, you=False) == 0.7
    assert one.loss_of([1, 4]) == pytest.approx([np.log(4), -np.inf])
    assert one.other.loss_of(4) == np.inf
    assert np.isnan(one.loss_of([2, 0])).all()  # answers that neither gives
    assert release("finite", p=[0.3, 0.7], q=[0.3, 0.7]).reach == 1  # a picture needs some width


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"mechanism": "uniform"}, ValueError, "mechanism must be one of 'laplace'"),
        ({"mechanism": "gaussian", "epsilon": 1}, TypeError, "needs mu and no other"),
        ({"mechanism": "laplace"}, TypeError, "needs epsilon and no other"),
        ({"epsilon": 1, "scale": 1}, TypeError, "needs epsilon and no other"),
        ({"epsilon": -1}, ValueError, "epsilon must be"),
        ({"epsilon": 1, "swapped": 1}, ValueError, "swapped must be one of False, True; got 1"),
        ({"mechanism": "finite", "p": [1], "q": [1], "mu": 1}, TypeError, "needs p and q"),
    ],
)
def test_bad_input_besides_what_every_door_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        release(**arguments)


def test_rounding_is_no_loss_above_the_largest():
    for compositions in (2, 3, 10):
        one = release("laplace", epsilon=0.1, compositions=compositions, delta=1e-15)
        assert one.epsilon == pytest.approx(0.1 * compositions)
        assert one.share == 0
        assert replace(one, delta=0.3).share > 0.01
