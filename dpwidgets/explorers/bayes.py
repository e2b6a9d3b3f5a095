"""The explorer of what one noisy count still tells."""

from collections.abc import Callable
from typing import Any

import numpy as np

from dpwidgets.calculators import bayes
from dpwidgets.inputs.notation import several, show
from dpwidgets.page.explorer import Explorer, Values
from dpwidgets.page.parameters import (
    Choice,
    Epsilon,
    Number,
    Views,
    whole_grid,
)
from dpwidgets.plots import bayes as plots

_PERCENTS = np.arange(101) / 100
_ANSWERS = np.concatenate([np.arange(-100.0, 200), np.arange(200.0, 2001, 10)])


class BayesExplorer(Explorer):
    """What a noisy count tells someone who knows n and p, and how good the estimates are.

    Naldi and D'Acquisto (2014).

    Examples
    --------
    >>> explorer = BayesExplorer(answer=40)
    >>> round(explorer.result.mean, 4)
    31.9828
    >>> explorer.view = "errors"
    >>> round(explorer.result.errors["posterior mean"], 4)
    3.3973
    """

    n: Number = Number(
        100, bayes.N, np.union1d(whole_grid(3), 2000), "Records (n)", "in all"
    )
    """How many records may be counted; the analyst knows it. Averages go up to 2000."""
    p: Number = Number(
        0.3, bayes.P, _PERCENTS, "Assumed p", "share of the records"
    )
    """How probable the analyst thinks it is that a record is counted."""
    true_p: Number = Number(
        0.3, bayes.P, _PERCENTS, "True p", "share of the records", follows="p"
    )
    """How probable it is in truth that a record is counted."""
    epsilon: Number = Epsilon(0.1, "eq. (1)")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    answer: Number = Number(
        40.0, bayes.ANSWER, _ANSWERS, "Answer (ĉ)", "records", "Def. 2"
    )
    """The noisy answer to the counting query."""
    against: Choice[str] = Choice(
        "epsilon", {"epsilon": "ε", "noise": "noise", "p": "p"}, "Along"
    )
    """What the curves run along."""
    view: Views = Views(
        answer=("One answer", plots.OneAnswer),
        errors=("Average error", plots.Errors),
    )
    """Which picture is shown."""

    calculator = bayes.estimate

    def function(self, now: Values) -> Callable[..., Any]:
        if now["view"] == "answer":
            return bayes.estimate
        return bayes.compare

    def unused(self, now: Values) -> set[str]:
        if now["view"] == "answer":
            return {"true_p", "against"}
        return {"answer"}

    def slow(self, now: Values) -> set[str]:
        if now["view"] == "answer":
            return set()
        slow = {"n", "p", "true_p", "view", "against"}
        if now["against"] == "p":
            slow.add("epsilon")
        return slow

    def say(
        self, result: bayes.Estimate | bayes.Comparison, now: Values
    ) -> str:
        if isinstance(result, bayes.Estimate):
            return _say_estimate(result)
        assumed = f"p = {show(result.p)}"
        if result.true_p is not None:
            assumed += f" assumed and {show(result.true_p)} true"
        error = {name: show(value) for name, value in result.errors.items()}
        return (
            f"At ε = {show(result.epsilon)}, with {several(result.n, 'record')} and {assumed}, "
            f"the rounded answer is off by {error['rounded']}, and n·p without any answer by "
            f"{error['prior']}."
        )


def _say_estimate(result: bayes.Estimate) -> str:
    """Say what one noisy answer tells."""
    low, high = map(show, result.interval)
    where = f"lies between {low} and {high}" if low != high else f"is {low}"
    expected = f"{show(result.expected)} of {several(result.n, 'record')}"
    return (
        f"Before the answer, {expected} were to be expected. "
        f"After it, with ε = {show(result.epsilon)}, "
        f"the posterior mean is {show(result.mean)}. "
        f"The count {where} with a probability of at least 95%; its median is "
        f"{show(result.median)}."
    )
