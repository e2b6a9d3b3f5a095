"""Noise drawn on an explorer's picture: its law, what is said of it, and when it is cleared."""

import base64
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit

import dpwidgets
from dpwidgets.calculators import breach, interval, loss, worlds
from tools import press

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
#: An explorer of each text, in a view that shows draws.
SHOWING = [
    (dpwidgets.IntervalExplorer, {}),
    (dpwidgets.WorldsExplorer, {}),
    (dpwidgets.BreachExplorer, {"view": "attack"}),
    (dpwidgets.LossExplorer, {}),
    (dpwidgets.LossExplorer, {"view": "law", "compositions": 7}),
    (dpwidgets.LossExplorer, {"mechanism": "randomized_response"}),
]
RELEASES = (
    loss.release(epsilon=0.7),
    loss.release("randomized_response", epsilon=0.7),
    loss.release("gaussian", mu=0.7, swapped=True),
    loss.release("binomial", trials=9),
    loss.release("finite", p=[0.2, 0.5, 0, 0.3], q=[0.6, 0.3, 0.1, 0]),
)
each_release = pytest.mark.parametrize(
    "one", RELEASES, ids=lambda one: one.mechanism
)


def drawn(result, size=4000):
    rng = np.random.default_rng(17)
    truth = result.draw_truth(rng)
    return truth, result.draw(truth, rng, size)


def test_noisy_answers_follow_the_laplace_law_about_the_truth():
    known = interval.precision(half_width=0.2, confidence=0.8, count=100)
    for result, centres, scale in (
        (known, range(101), known.scale),
        (
            worlds.disclosure(STUDENTS, epsilon=2, risk=0.3),
            [5, 14 / 3, 13 / 3, 2],
            1.5,
        ),
        (
            breach.promise(prior=0.1, epsilon=2),
            [7 / 4, 2, 9 / 4, 11 / 4, 4],
            2.25 / 2,
        ),
    ):
        truth, draws = drawn(result)
        law = stats.laplace(centres[int(truth)], scale)
        assert stats.kstest(draws, law.cdf).pvalue > 0.01


@each_release
def test_the_answers_of_a_release_follow_another_librarys_law(one):
    truth, draws = drawn(one)
    assert truth == (not one.swapped)
    answers = draws[:, 0]
    law = {
        "laplace": stats.laplace(truth, 1 / 0.7),
        "gaussian": stats.norm(truth, 1 / 0.7),
        "randomized_response": stats.bernoulli(expit(0.7)),  # truth is 1
        "binomial": stats.binom(9, 0.5, loc=truth - 4.5),
        "finite": stats.rv_discrete(values=([1, 2, 4], [0.2, 0.5, 0.3])),
    }[one.mechanism]
    if one.mechanism in ("laplace", "gaussian"):
        assert stats.kstest(answers, law.cdf).pvalue > 0.01
    else:
        possible, counts = np.unique(answers, return_counts=True)
        chances = law.pmf(possible)
        assert (chances > 0).all()
        slack = 4.5 * np.sqrt(chances * (1 - chances) / answers.size)
        assert (abs(counts / answers.size - chances) <= slack).all()
    assert draws[:, 1] == pytest.approx(one.loss_of(answers))


@each_release
def test_the_summed_losses_follow_the_law_of_the_loss(one):
    for compositions in (1, 6):
        many = replace(one, compositions=compositions)
        losses = drawn(many, 6000)[1][:, 1]
        for at in np.linspace(-2, 3, 11) * 0.7 + 0.0123:
            expected = many.law.cdf(at)
            slack = 4.5 * np.sqrt(max(expected * (1 - expected), 1e-3) / 6000)
            assert abs((losses <= at).mean() - expected) < slack
        assert np.isinf(losses).mean() == pytest.approx(
            many.law.infinite(), abs=0.03
        )


def test_a_hundred_thousand_losses_are_summed_in_blocks():
    one = loss.release("gaussian", mu=0.01, compositions=100_000)
    losses = one.draw(1, np.random.default_rng(1), 60)[:, 1]
    assert losses.mean() == pytest.approx(
        one.law.mean(), abs=5 * np.sqrt(10 / 60)
    )


def test_the_posterior_after_several_answers_is_bayes_rule_again_and_again():
    answers = np.array([4.0, -3.0, 2.2, 11.0])
    for told, own in (
        (partial(worlds.disclosure, STUDENTS, risk=0.3), "posterior"),
        (partial(breach.promise, prior=0.1), "beliefs"),
    ):
        results = [told(epsilon=0.8, answer=answer) for answer in answers]
        step = np.prod([getattr(one, own) for one in results], axis=0)
        posterior = told(epsilon=0.8).after(answers)
        assert posterior == pytest.approx(step / step.sum(), rel=1e-12)
        assert len({*told(epsilon=0.8).after(answers[:0])}) == 1


def test_the_share_of_right_guesses_is_that_of_the_nearest():
    answers = np.random.default_rng(3).uniform(-4, 9, 500)
    for values, query in (
        ([0, 1, 5, 5], "sum"),
        ([3, 3, 3], "sum"),
        ([1, 2, 3, 10], "median"),
    ):
        told = worlds.disclosure(values, query, epsilon=1, risk=0.5)
        distances = np.abs(answers[:, np.newaxis] - told.answers)
        nearest = distances == distances.min(axis=1, keepdims=True)
        right = (nearest / nearest.sum(axis=1, keepdims=True)).mean(axis=0)
        for truth, share in enumerate(right):
            assert told.guessed(answers, truth) == pytest.approx(share)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "settings"), SHOWING)
def test_the_picture_shows_the_draws_until_they_are_cleared(kind, settings):
    draws, again, other = (
        dpwidgets.Draws(kind(**settings), seed=seed) for seed in (8, 8, 9)
    )
    explorer = draws.explorer
    plain = draws.explorer.still.png
    before = draws.explorer._moving
    for button in ("Draw 1", "Draw 10", "Draw 1,000", "Ask again"):
        if button in draws._shown:
            moving = explorer._moving
            press(draws, button)
            press(again, button)
            assert explorer._moving != moving
    other.draw(1)
    assert len(draws.drawn.draws) == 1011
    assert draws.words == again.words
    assert draws.drawn.draws[0].tolist() == again.drawn.draws[0].tolist()
    assert draws.drawn.draws[0].tolist() != other.drawn.draws[0].tolist()
    data, _ = draws._repr_mimebundle_()
    assert base64.b64decode(data["image/png"]) == explorer.still.png != plain
    assert explorer._moving != before
    assert data["text/plain"] == repr(draws)
    # Another explorer shows none, nor what is stored.
    assert kind(**settings).still.png == plain
    draws.clear()
    assert explorer.still.png == plain
    assert explorer._moving == before
    draws.draw(10)
    said, start = draws.words, explorer.epsilon
    explorer.epsilon = 0.777
    assert draws.drawn is None
    assert (
        draws._shown["words"]["text"] == "Nothing is drawn from this law yet."
    )
    assert explorer.still.png == kind(**explorer.settings()).still.png
    explorer.epsilon = start
    assert draws.words == said


def test_what_the_noise_does_not_depend_on_leaves_the_draws():
    for explorer, name, value in (
        (
            dpwidgets.IntervalExplorer(solve_for="confidence"),
            "half_width",
            0.5,
        ),
        (dpwidgets.WorldsExplorer(), "risk", 0.5),
        (dpwidgets.BreachExplorer(view="attack"), "answer", 1),
        (dpwidgets.LossExplorer(mechanism="finite"), "delta", 0.1),
    ):
        draws = dpwidgets.Draws(explorer)
        draws.draw(10)
        before = draws.drawn.draws
        setattr(explorer, name, value)
        assert draws.drawn.draws is before
        assert (
            explorer.still.png
            != type(explorer)(**explorer.settings()).still.png
        )


def test_a_picture_without_draws_says_so_and_bad_input_is_named():
    draws = dpwidgets.Draws(dpwidgets.LossExplorer())
    draws.draw(10)
    draws.explorer.view = "delta"
    assert draws.words == "This picture shows no draws; another one does."
    assert {
        name for name, says in draws._shown.items() if says.get("disabled")
    } == {"Draw 1", "Draw 10", "Draw 1,000", "Ask again", "Clear"}
    with pytest.raises(
        ValueError, match="view must be one that shows draws; got 'delta'"
    ):
        draws.draw(1)
    draws.explorer.view = "law"
    assert draws.words.startswith("10 draws")
    for odd in (dpwidgets.BayesExplorer(), "LossExplorer"):
        with pytest.raises(
            TypeError, match="explorer must be one whose picture shows draws"
        ):
            dpwidgets.Draws(odd)
    for size in (0, 1001, 1.5):
        with pytest.raises(
            ValueError, match="size must be a whole number from 1 to 1,000"
        ):
            draws.draw(size)


def test_what_several_answers_tell_is_said():
    draws = dpwidgets.Draws(
        dpwidgets.LossExplorer(mechanism="randomized_response", epsilon=1),
        seed=4,
    )
    for _ in range(5):
        draws.ask()
    total = (2 * draws.drawn.asked[:, 0] - 1).sum()
    said = f"After 5 answers about the same people the losses add up to {total:.0f}"
    # Composition is seen before it is named.
    assert said in draws.words.replace("−", "-")
    draws = dpwidgets.Draws(
        dpwidgets.WorldsExplorer(query="median", epsilon=90), seed=1
    )
    draws.ask()
    assert (
        "that Chris or Kelly is missing, each with a probability of 50%."
        in draws.words
    )
    assert draws.words.endswith(
        "In truth Kelly is missing, which has a probability of 50%."
    )
    alike = dpwidgets.Draws(dpwidgets.WorldsExplorer(values=[4, 4, 4, 4]))
    alike.draw(1000)
    assert (alike.drawn.draws == 4).all()
    assert "right in 25% of the cases" in alike.words


#: What the noise depends on, at the ends of its domain.
ENDS = [
    (kind, {**settings, "epsilon": epsilon})
    for kind, settings in SHOWING
    for epsilon in (1e-8, 300, 1000)
] + [
    (dpwidgets.LossExplorer, settings)
    for settings in (
        {"mechanism": "gaussian", "mu": 1e-8},
        {"mechanism": "gaussian", "mu": 1000, "swapped": True},
        {"mechanism": "binomial", "trials": 1},
        {"mechanism": "binomial", "trials": 10_000_000, "swapped": True},
    )
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "settings"), ENDS)
def test_answers_are_drawn_and_asked_for_again_and_again_whatever_the_noise(
    kind, settings
):
    draws = dpwidgets.Draws(kind(**settings))
    with np.errstate(all="raise"):
        draws.draw(25)
        for _ in range(4 * ("Ask again" in draws._buttons)):
            draws.ask()
    assert "nan" not in draws.words
    assert not draws.explorer.messages
