"""The explorer of a plan: several statistics, and one factor that moves the noise of all."""

from collections.abc import Mapping
from typing import Any, ClassVar

from dpwidgets.decisions import plan
from dpwidgets.decisions.goals import KINDS
from dpwidgets.decisions.record import PlanRecord
from dpwidgets.explorers.before import Before
from dpwidgets.explorers.case import CaseExplorer
from dpwidgets.explorers.choice import ChoiceExplorer
from dpwidgets.explorers.recorded import RecordedExplorer
from dpwidgets.inputs.notation import show
from dpwidgets.page.explorer import Values
from dpwidgets.page.parameters import (
    NOISE,
    Choice,
    Number,
    TextBox,
    Views,
    log_grid,
)
from dpwidgets.plots import plan as plots

#: A clinic's dashboard: what the explorer starts from.
CLINIC = """\
visits: published=table, cells=40, contributions=36, neighbours=replace, error=12, releases=12
stay: published=mean, n=9000, low=0, high=30, unit=days, error=0.1, releases=12
age: published=mean, n=9000, low=0, high=110, unit=years, error=0.5, releases=1"""


class PlanExplorer(RecordedExplorer):
    """Statistics about the same people, a line for each; promises; and the factor of all noise.

    Examples
    --------
    >>> explorer = PlanExplorer(total=3)
    >>> explorer.result.met
    (True,)
    >>> explorer.factor = 0.5
    >>> explorer.result.met
    (False,)
    """

    statistics: TextBox = TextBox(CLINIC, 4000, "Statistics", rows=8)
    """A line for each statistic: its name, a colon, and the words of its case."""
    factor: Number = Number(
        None,
        plan.FACTOR,
        log_grid(-2, 1),
        "Factor",
        "of the largest noise",
        follows="suggestion",
        ends=NOISE,
    )
    """By which factor the noise of every statistic differs from its largest."""
    use_budget: Choice[bool] = ChoiceExplorer.use_budget.starting(True)
    """Whether the budget goal counts."""
    total: Number = ChoiceExplorer.total.starting(8.0)
    """The ε that all releases about these people may have together."""
    use_rho: Choice[bool] = ChoiceExplorer.use_rho.starting(False)
    """Whether the rho goal counts."""
    rho: Number = ChoiceExplorer.rho.starting(0.1)
    """The ρ (zCDP) that all releases about these people may have together."""
    use_belief: Choice[bool] = ChoiceExplorer.use_belief.starting(False)
    """Whether the belief goal counts."""
    posterior: Number = ChoiceExplorer.posterior.starting(0.9)
    """What somebody may believe about you after the answer."""
    use_success: Choice[bool] = ChoiceExplorer.use_success.starting(False)
    """Whether the success goal counts."""
    success: Number = ChoiceExplorer.success.starting(0.7)
    """How often an attacker may be right who guesses one of so many equally likely values."""
    alternatives: Number = ChoiceExplorer.alternatives.starting(2)
    """Of how many equally likely values an attacker guesses one that is true of a person."""
    delta: Number = CaseExplorer.delta.starting(1e-6)
    """The δ at which the ε of several releases, or of Gaussian noise, is read."""
    before: Before = CaseExplorer.before.starting(())
    """What earlier records published about the same people, and what others used up."""
    household: Number = CaseExplorer.household.starting(1)
    """How many people's records may depend on each other."""
    prior: Number = CaseExplorer.prior.starting(0.2)
    """What an attacker believes of a person before the first release."""
    view: Views = Views(
        statistics=("Statistics", plots.Statistics),
        used=("Used up", plots.UsedUp),
    )
    """Which picture is shown."""
    calculator = plan.decide
    kind = PlanRecord
    goals: ClassVar[Mapping[str, tuple[str, ...]]] = {
        name: tuple(KINDS[name].keywords().values())
        for name in ("budget", "rho", "belief", "success")
    }

    def notes(self, result: plan.PlanDecision, now: Values) -> list[str]:
        notes = [promise.sentence(result.plan) for promise in result.goals]
        for place, met in enumerate(result.met):
            does = "keeps" if met else "breaks"
            notes[place] += f" The factor {does} it."
        # The first is the ε of everything, which the sentence has.
        return [*notes, *result.meanings[1:], *result.plan.warnings]

    def rows_of(
        self, result: plan.PlanDecision, now: Values
    ) -> list[tuple[str, str]]:
        return [(name, f"{name}: {what}.") for name, what in result.rows]

    def shows(self, record: PlanRecord) -> tuple[dict[str, Any], str]:
        lines = [statistic.line() for statistic in record.plan.statistics]
        values = {
            **self.goals_of(record),
            **{name: getattr(record.plan, name) for name in plan.OF_PEOPLE},
            "statistics": "\n".join(lines),
            "factor": record.factor,
        }
        factor = show(record.factor or 0.0, 10)
        return (
            values,
            f"The record of a plan with the factor {factor} is back.",
        )
