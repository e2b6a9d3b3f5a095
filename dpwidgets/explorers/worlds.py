"""The explorer of possible worlds and the risk of being identified."""

import math

import numpy as np

from dpwidgets.calculators import worlds
from dpwidgets.explorers.words import Guessing
from dpwidgets.inputs import column
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.inputs.notation import (
    at_most,
    belief,
    down,
    ordinal,
    percent,
    show,
    up,
)
from dpwidgets.page.explorer import Values
from dpwidgets.page.parameters import (
    LEAKAGE,
    Choice,
    Column,
    Epsilon,
    Number,
    Views,
    even_grid,
    log_grid,
)
from dpwidgets.plots import worlds as plots

_STUDENTS = {"Chris": 1.0, "Kelly": 2.0, "Pat": 3.0, "Terry": 10.0}
_RISKS = np.array([*log_grid(-4, -2)[:-1], *np.arange(1, 100) / 100])
_ANSWERS = even_grid(-4, 11)
_FEW = 12  # records of which a sentence tells each


class WorldsExplorer(Guessing):
    """A database of which one record is missing: who is guessed, how surely, and up to which ε.

    Lee and Clifton (2011).

    Examples
    --------
    >>> explorer = WorldsExplorer(answer=2.2013)
    >>> explorer.result.posterior.round(4)
    array([0.0988, 0.125 , 0.1582, 0.618 ])
    >>> explorer.query = "median"
    >>> round(explorer.result.largest_epsilon, 4)
    2.7726
    """

    values: Column = Column(_STUDENTS, column.records, "Values", "records")
    """One number for each record, 0 or 1 for a count; a name and a colon may stand before."""
    query: Choice[str] = Choice(
        "mean", {name: name for name in worlds.QUERIES}, "Query"
    )
    """What is asked about the records that are left."""
    epsilon: Number = Epsilon(2.0, "Sec. 4.1")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    answer: Number = Number(
        None,
        worlds.ANSWER,
        _ANSWERS,
        "Answer (γ)",
        "",
        "Def. 3",
        follows="answer_without_noise",
    )
    """The noisy answer that the adversary has seen."""
    risk: Number = Number(
        1 / 3,
        worlds.RISK,
        _RISKS,
        "Tolerated risk (ρ)",
        "probability",
        "eq. (6)",
        ends=LEAKAGE,
    )
    """How probable any guess may become."""
    view: Views = Views(
        answers=("The worlds", plots.Answers),
        posteriors=("Posteriors", plots.Posteriors),
        risk=("Risk and ε", plots.Risk),
    )
    """Which picture is shown."""
    calculator = worlds.disclosure

    def grids(
        self, result: worlds.Disclosure, now: Values
    ) -> dict[str, FloatArray]:
        return {"answer": even_grid(*result.frame)}

    def say(self, result: worlds.Disclosure, now: Values) -> str:
        n = len(result.values)
        risk = percent(result.risk)
        if result.worlds.alike:
            return (
                f"All {n:,} worlds answer {show(result.answers[0])}, so even without noise nobody "
                "learns from it which of these records is missing. For other records the answer "
                "may differ, so ε-privacy asks for noise all the same."
            )
        blind = percent(1 / n)
        if not result.largest_epsilon:
            limit = "at no ε, since a blind guess already has as much"
        elif math.isinf(result.largest_epsilon):
            limit = "at every ε, since enough worlds share each answer"
        else:
            limit = (
                f"up to ε = {down(result.largest_epsilon)} "
                f"(by the text’s bound, up to {down(result.epsilon_bound)})"
            )
        limit = f"The risk stays within what is tolerated {limit}"
        sure = min(result.posterior.max(), result.exact_risk)
        guess = self.guess(result, result.guesses, sure)
        after = (
            f"After the answer {show(result.answer, 5)} with ε = {down(result.epsilon)}, the "
            f"adversary would guess {guess}; a blind guess has {blind}."
        )
        worst = (
            f"The risk, at the worst answer, is {belief(result.exact_risk)}"
        )
        if at_most(result.exact_risk, sure):
            worst = "No answer makes a guess surer"
        told = {
            "answers": f"{after} {worst}, and {risk} is tolerated.",
            "posteriors": f"{after} A risk of {risk} is tolerated.",
            "risk": f"At ε = {down(result.epsilon)} the worst answer tells so much; a blind guess "
            f"has {blind}.",
        }
        half = up(math.log(2) * result.scale)
        return (
            f"{told[now['view']]} {limit}. The noise now has scale {up(result.scale)}: half of "
            f"all answers lie within ±{half} of the truth."
        )

    def notes(self, result: worlds.Disclosure, now: Values) -> list[str]:
        alike = result.worlds.alike
        many = len(result.values) > _FEW
        if now["view"] != "posteriors" or alike or many:
            return []
        missing = ", ".join(
            f"{self.record(result, place)} {belief(share)}"
            for place, share in enumerate(result.posterior)
        )
        return [f"Probabilities of being the missing one: {missing}."]

    def record(self, result: worlds.Disclosure, place: int) -> str:
        """Name the record that a world lacks, by its name or by its value and place."""
        if result.names:
            return result.names[place]
        return f"the record with value {show(result.values[place], 5)} (the {ordinal(place + 1)})"
