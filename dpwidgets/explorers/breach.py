"""The explorer of how far a noisy answer may move a belief."""

import math

import numpy as np

from dpwidgets.calculators import breach
from dpwidgets.calculators.breach import ATTRIBUTES
from dpwidgets.calculators.noise import most_likely
from dpwidgets.explorers.words import Guessing
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.notation import belief, down, percent, show, up
from dpwidgets.page.explorer import Values
from dpwidgets.page.parameters import (
    LEAKAGE,
    Choice,
    Epsilon,
    Number,
    SolveFor,
    Views,
    log_grid,
)
from dpwidgets.plots import breach as plots
from dpwidgets.plots.panel import Drawn

# The sliders' ranges do not overlap, so that no place of either makes the
# promise impossible; boxes take any number.
_PRIORS = np.concatenate([log_grid(-6, -1), np.arange(11, 20) / 100])
_POSTERIORS = np.concatenate([np.arange(20, 100) / 100, [0.995, 0.999]])


class BreachExplorer(Guessing):
    """How far an answer may move a belief, the ε for that, and what an attacker makes of it.

    Ouyang et al. (2018).

    Examples
    --------
    >>> explorer = BreachExplorer(prior=1 / 74, posterior=0.2)
    >>> round(explorer.epsilon, 4)
    2.9042
    >>> explorer.solve_for = "posterior"
    >>> explorer.epsilon = 1
    >>> round(explorer.posterior, 4)
    0.0359
    """

    prior: Number = Number(
        1 / 74,
        breach.BELIEF,
        _PRIORS,
        "Prior (ρ1)",
        "probability",
        "Sec. 2.1",
        ends=("unlikely", "likely"),
    )
    """What somebody may believe about you before the answer."""
    posterior: Number = Number(
        0.2,
        breach.BELIEF,
        _POSTERIORS,
        "Posterior (ρ2)",
        "probability",
        "Sec. 2.1",
        ends=LEAKAGE,
    )
    """What somebody may believe about you after the answer."""
    epsilon: Number = Epsilon(1.0, "Sec. 2.3, corrected")
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    solve_for: SolveFor = SolveFor(
        epsilon="ε",
        prior="prior",
        posterior="posterior",
        next_to_follow="posterior",
    )
    """Which of the three follows from the other two."""
    attribute: Choice[str] = Choice(
        "age", {name: name for name in ATTRIBUTES}, "Mean of"
    )
    """The attribute whose mean is published."""
    answer: Number = Number(
        5.401,
        breach.ANSWER,
        np.arange(-20, 81) / 10,
        "Answer (R)",
        "a noisy mean",
        "Sec. 2.3",
    )
    """The noisy answer; the example of Sec. 2.3 has 5.401."""
    calculator = breach.promise
    view: Views = Views(
        beliefs=("Beliefs", plots.Beliefs),
        priors=("Noise and ρ1", plots.ScaleAgainstPrior),
        posteriors=("Noise and ρ2", plots.ScaleAgainstPosterior),
        attack=("An attack", plots.AttackBars),
    )
    """Which picture is shown."""
    claim = "the value is {}"
    candidates = "values"

    def unused(self, now: Values) -> set[str]:
        unused = {"beliefs": {"attribute", "answer"}, "attack": {"attribute"}}
        return unused.get(now["view"], {"answer"})

    def say(self, result: breach.Promise, now: Values) -> str:
        at = f"ε = {down(result.epsilon)}"
        if now["view"] == "beliefs":
            low = down(breach.downward(0.5, result.epsilon), belief)
            high = up(breach.posterior(0.5, result.epsilon), belief)
            return f"At {at}, a belief of one half stays between {low} and {high}."
        if now["view"] == "attack":
            sure = min(result.beliefs.max(), result.limit)
            tied = len(most_likely(result.beliefs)) > 1
            guess = "each best guess" if tied else "the best guess"
            return (
                f"Five values were equally likely. No one answer at {at} could bring the belief in "
                f"any of them above {up(result.limit, percent)}; after the answer "
                f"{show(result.answer, 4)} {guess} is believed at {belief(sure)}."
            )
        unit = breach.UNITS[result.attribute]
        half = math.log(2) * result.scale
        start = plots.promised(result, f"At {at}, a")
        return (
            f"{start} For the mean of {result.attribute} this takes noise of scale "
            f"{up(result.scale)} {unit}: on average half of all answers lie within "
            f"±{up(half)} {unit} of the true mean."
        )

    def say_asked(self, drawn: Drawn) -> str:
        said = super().say_asked(drawn)
        result, count = drawn.result, len(drawn.asked)
        if count == 1:
            return said
        together = count * result.epsilon
        # Of a larger ε no float tells more.
        bounded = min(together, EPSILON.high)
        most = breach.posterior(1 / result.beliefs.size, bounded)
        return (
            f"{said} {count:,} answers have ε = {up(together)} together, and could bring a "
            f"belief to {up(most, belief)}; the line is about one answer."
        )

    def record(self, result: breach.Promise, place: int) -> str:
        """Name a candidate for the unknown value."""
        return show(result.attack.universe[place])
