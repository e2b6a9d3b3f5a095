"""The answers of the mechanisms, against other libraries' laws and the law of their loss."""

from dataclasses import replace

import numpy as np
import pytest

from dpwidgets.calculators.loss import release

RELEASES = {
    "laplace": release("laplace", epsilon=0.7),
    "randomized_response": release("randomized_response", epsilon=0.7),
    "gaussian": release("gaussian", mu=0.7),
    "binomial": release("binomial", trials=9),
    "finite": release("finite", p=[0.2, 0.5, 0, 0.3], q=[0.6, 0.3, 0.1, 0]),
}


@pytest.mark.slow
@pytest.mark.parametrize("one", RELEASES.values(), ids=RELEASES)
def test_a_release_says_what_its_weights_its_losses_and_their_law_say(one):
    """Sum the weights of the answers whose loss exceeds ε, or integrate over a continuum."""
    possible, step = np.unique(one.nearest(np.arange(-600, 601) / 2)), 1.0
    if not one.discrete:
        possible, step = np.linspace(-40, 40, 200_001, retstep=True)
    here, there = (one.weight(possible, you=you) for you in (True, False))
    lost = one.loss_of(possible)
    assert (here * step).sum() == pytest.approx(1, abs=1e-7)
    assert (there * step).sum() == pytest.approx(1, abs=1e-7)
    for epsilon in (-0.3, 0.0, 0.2, 0.55):
        expected = (here * (lost > epsilon)).sum() * step
        assert one.law.tail(epsilon) == pytest.approx(expected, abs=2e-4)
    near = np.abs(possible) < 20
    with np.errstate(divide="ignore"):
        assert lost[near] == pytest.approx(
            np.log(here[near] / there[near]), abs=1e-9
        )
    assert one.other.loss_of(possible[near]) == pytest.approx(-lost[near])
    # The stated ε is the law's rounded up, and the reach is enough.
    for compositions in (1, 7, 50):
        again = replace(one, compositions=compositions, delta=0.05)
        assert again.law.tail(again.reach) - again.law.infinite() < 1e-3
        assert again.guarantee == max(again.epsilon, again.other.epsilon)
        assert again.symmetric == (again.mechanism != "finite")
        exact = again.law.epsilon(0.05)
        if np.isfinite(exact):
            assert exact <= again.epsilon <= exact * 1.01
            assert len(f"{again.epsilon:.10g}".strip("0.")) <= 4
            assert again.share == again.law.tail(again.epsilon)


NEAREST = (
    ("randomized_response", {"epsilon": 1}, 7, 1),
    ("binomial", {"trials": 4}, 99, 3),
    ("binomial", {"trials": 3}, -9, -1.5),
    ("gaussian", {"mu": 1}, 2.6, 2.6),
)


@pytest.mark.parametrize(("mechanism", "given", "outcome", "answer"), NEAREST)
def test_the_nearest_possible_answer_is_meant(
    mechanism, given, outcome, answer
):
    assert release(mechanism, **given, outcome=outcome).answer == answer


def test_of_two_lists_an_answer_is_a_place():
    one = release("finite", p=[0.4, 0, 0.6, 0], q=[0.1, 0, 0.2, 0.7])
    # Never the second.
    assert one.nearest([-5, 1.6, 2.1, 2.4, 9]).tolist() == [1, 1, 3, 3, 4]
    weights = one.weight([1, 2, 4, 5, 1.5], you=True)
    assert weights.tolist() == [0.4, 0, 0, 0, 0]
    assert one.loss_of([1, 4]) == pytest.approx([np.log(4), -np.inf])
    assert np.isnan(one.loss_of([2, 0])).all()  # answers that neither gives
    # A picture needs some width.
    assert release("finite", p=[0.3, 0.7], q=[0.3, 0.7]).reach == 1


def test_rounding_is_no_loss_above_the_largest():
    for compositions in (2, 3, 10):
        one = release(
            "laplace", epsilon=0.1, compositions=compositions, delta=1e-12
        )
        assert one.epsilon == pytest.approx(0.1 * compositions)
        assert one.share <= 1e-15
        assert replace(one, delta=0.3).share > 0.01
