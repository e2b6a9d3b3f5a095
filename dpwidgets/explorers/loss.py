"""The explorer of the privacy loss as a random variable."""

import math
from functools import partial
from typing import Any

import numpy as np
from scipy.special import expit

from dpwidgets.calculators import loss
from dpwidgets.explorers.words import after_answers
from dpwidgets.inputs.notation import belief, percent, show, up
from dpwidgets.page.explorer import Explorer, Values
from dpwidgets.page.parameters import (
    LEAKAGE,
    NOISE,
    Choice,
    Column,
    Epsilon,
    Number,
    Views,
    log_grid,
    whole_grid,
)
from dpwidgets.plots import loss as plots
from dpwidgets.plots.panel import Drawn

_NAMES = {name: name.replace("_", " ") for name in loss.MECHANISMS}
_NAMES |= {"laplace": "Laplace", "gaussian": "Gaussian", "finite": "lists"}


def _masses(argument: str, value: Any) -> tuple[float, ...]:
    return tuple(loss.masses(argument, value).tolist())


class LossExplorer(Explorer):
    """A mechanism, and the law of the privacy loss after several releases.

    Rothblum (2013).

    Examples
    --------
    >>> explorer = LossExplorer(mechanism="gaussian", mu=0.5)
    >>> explorer.compositions = 16
    >>> explorer.result.epsilon
    11.0

    Always the first answer with the person, a coin between two without: the
    loss is bounded in one order alone.

    >>> explorer = LossExplorer(mechanism="finite", p=[1, 0], q=[0.5, 0.5])
    >>> explorer.result.epsilon, explorer.result.other.epsilon
    (0.694, inf)
    """

    mechanism: Choice[str] = Choice("laplace", _NAMES, "Mechanism")
    """How the noisy answer is made; in lists, how probable each answer is."""
    epsilon: Number = Epsilon(0.5, "of one release")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    mu: Number = Number(
        0.5,
        loss.MU,
        log_grid(-3, 1),
        "Mu (μ)",
        "1 / standard deviation of the noise",
        ends=LEAKAGE,
    )
    """The sensitivity over the standard deviation of the Gaussian noise."""
    trials: Number = Number(
        20,
        loss.TRIALS,
        whole_grid(5),
        "Trials",
        "coins",
        ends=NOISE,
    )
    """How many coins are tossed; the heads among them are the noise."""
    p: Column = Column(
        (1.0, 0.0),
        partial(_masses, "p"),
        "With the person (P)",
        "answers",
        masses=True,
    )
    """How probable each answer is with the person in the database; together 1."""
    q: Column = Column(
        (0.5, 0.5),
        partial(_masses, "q"),
        "Without the person (Q)",
        "answers",
        masses=True,
    )
    """How probable the same answers are without the person; together 1."""
    compositions: Number = Number(
        1,
        loss.COUNT,
        whole_grid(3),
        "Compositions",
        "releases, their noise independent",
    )
    """How many answers are given about the same data."""
    delta: Number = Number(
        1e-6, loss.DELTA, log_grid(-12, 0)[:-1], "Delta (δ)", "probability"
    )
    """The δ at which the ε of all releases together is read."""
    swapped: Choice[bool] = Choice(
        False,
        {False: "P, with the person", True: "Q, without the person"},
        "Drawn from",
    )
    """Which database the answers come from."""
    view: Views = Views(
        law=("Distribution of the loss", plots.LawOfLoss),
        delta=("ε and δ", plots.DeltaCurve),
    )
    """Which picture is shown."""

    calculator = loss.release

    def unused(self, now: Values) -> set[str]:
        every = {"epsilon", "mu", "trials", "p", "q"}
        return every.difference(loss.MECHANISMS[now["mechanism"]])

    def say(self, result: loss.Release, now: Values) -> str:
        releases = "one release"
        if result.compositions > 1:
            releases = f"{show(result.compositions)} releases together"
        expected = (
            f"For {releases} the expected loss is {show(result.law.mean())}"
        )
        if not self._tells_delta:
            return f"{expected}."
        return f"{expected}, and {_private(result)} (δ = {show(result.delta, 6)})."

    @property
    def _tells_delta(self) -> bool:
        """Whether the reader knows δ; who does not hears nothing of it."""
        return not self.only or bool({"delta", "swapped"} & {*self.only})

    def notes(self, result: loss.Release, now: Values) -> list[str]:
        if result.symmetric or not self._tells_delta:
            return []
        where = "with" if result.swapped else "without"
        most = result.guarantee
        both = "no ε holds" if math.isinf(most) else f"ε = {up(most)}"
        return [
            f"In the other order, with the answers drawn {where} the person, "
            f"{_private(result.other)}.",
            f"A mechanism is private only if the bound holds in both orders: here {both} "
            f"at δ = {show(result.delta, 6)}.",
        ]

    def say_drawn(self, drawn: Drawn) -> str:
        result = drawn.result
        answers, losses = drawn.draws.T
        start = ""
        which, lost = "The answer drawn", "The loss is"
        if result.compositions > 1:
            start = (
                f"One draw is {show(result.compositions)} answers, "
                "and their losses add up. "
            )
            which, lost = "The first of them", "The losses add up to"
        if answers.size == 1:
            return (
                f"{start}{which} is {show(answers[0])}. "
                f"{lost} {show(losses[0])}."
            )
        how, some = "above 0", losses > 0
        if np.isinf(losses).any():
            how, some = "infinite", np.isinf(losses)
        return (
            f"{start}{show(answers.size)} draws: "
            f"the loss is {show(float(losses.mean()))} on average, "
            f"and {show(result.law.mean())} is to be expected. "
            f"It is {how} in {percent(float(some.mean()))} of them."
        )

    def say_asked(self, drawn: Drawn) -> str:
        result = drawn.result
        losses = result.loss_of(drawn.asked[:, 0])
        total = float(losses.sum())
        lost = "the losses add up to" if losses.size > 1 else "the loss is"
        certain = total == math.inf
        sure = percent(1.0) if certain else belief(float(expit(total)))
        where = "without" if result.swapped else "with"
        return (
            f"{after_answers(drawn.asked)} {lost} {show(total)}. Anyone who thought both databases "
            f"equally likely now believes, with a probability of {sure}, that the answers come "
            f"from the one {where} the person."
        )


def _private(result: loss.Release) -> str:
    """Say at which ε the δ is kept in this order, and how often the loss exceeds it."""
    share = "all or nearly all"  # which floats may not tell apart
    if result.share <= 1 - 1e-12:
        share = percent(result.share)
    if math.isinf(result.epsilon):
        return (
            f"the loss is infinite in {share} of the outcomes, so no ε has "
            "this δ"
        )
    return (
        f"the loss exceeds ε = {up(result.epsilon)} in {share} of the outcomes"
    )
