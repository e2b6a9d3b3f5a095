"""Releases: the loss of an answer, and what the law of it says."""

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


@pytest.mark.parametrize("one", RELEASES.values(), ids=RELEASES)
def test_a_release_says_what_its_law_says(one):
    """The stated ε is the law's rounded up, and the reach is enough."""
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
    # A picture needs some width.
    assert release("finite", p=[0.3, 0.7], q=[0.3, 0.7]).reach == 1


def test_the_loss_of_an_answer_is_by_hand_what_it_is_and_turns_with_the_order():
    """Where an answer comes from one database alone it is infinite, and from neither it is none."""
    inf, nan = np.inf, np.nan
    lists = release("finite", p=[0.4, 0, 0.6, 0], q=[0.1, 0, 0.2, 0.7])
    for one, answers, right in (
        (RELEASES["laplace"], [-9, 0.25, 1, 9], [-0.7, -0.35, 0.7, 0.7]),
        (RELEASES["randomized_response"], [0, 1], [-0.7, 0.7]),
        (RELEASES["gaussian"], [0.5, 2.5], [0, 2 * 0.49]),
        # Of 4 coins 6 ways give two heads, 4 give one, 1 gives none.
        (
            release("binomial", trials=4),
            [3, 2, 0, -2, 7, 0.25],
            [inf, np.log(4), np.log(4 / 6), -inf, nan, nan],
        ),
        (lists, [1, 3, 4, 2, 0], [np.log(4), np.log(3), -inf, nan, nan]),
    ):
        lost = one.loss_of(answers)
        assert lost == pytest.approx(np.array(right), nan_ok=True)
        turned = one.other.loss_of(answers)
        assert turned == pytest.approx(-np.array(right), nan_ok=True)
