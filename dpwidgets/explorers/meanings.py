"""The explorer of one ε in all its meanings."""

from __future__ import annotations

from dpwidgets.calculators import meanings
from dpwidgets.notation import show
from dpwidgets.plots import meanings as plots
from dpwidgets.widgets.base import Explorer
from dpwidgets.widgets.parameters import Choice, Epsilon, Number, Views


class MeaningsExplorer(Explorer):
    """One ε and what every text says that it means, under assumptions that can be switched.

    Examples
    --------
    >>> explorer = MeaningsExplorer(epsilon=0.5, mechanism="any")
    >>> explorer.result.rows[2].meaning.sentence(0.5)
    'At ε = 0.5, no answer lifts a belief of 10% about you above 15.5%.'
    """

    epsilon: Number = Epsilon(0.5)
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    mechanism: Choice[str] = Choice(
        "Laplace",
        {"any": "any mechanism", "Laplace": "Laplace noise"},
        label="Holds for",
        help="Whether to show what holds for Laplace noise alone too.",
    )
    """Whether to show what holds for Laplace noise alone too."""
    neighbours: Choice[str] = Choice(
        "add/remove",
        {"add/remove": "you are added or removed", "replace": "your record is replaced"},
        label="Neighbours",
        help="What distinguishes two databases that must look alike.",
    )
    """What distinguishes two databases that must look alike."""
    releases: Choice[str] = Choice(
        "one",
        {"one": "one", "many": "several too"},
        label="Releases",
        help="Whether to show many releases together.",
    )
    """Whether to show many releases together."""
    view: Views = Views(rows=("Meanings", plots.Rows), published=("Published ε", plots.Published))
    """Which picture is shown."""
    calculator = meanings.portrait

    def say(self, result: meanings.Portrait) -> str:
        if self.view == "published":
            every = meanings.deployments()
            larger = sum(one.epsilon > result.epsilon for one in every)
            above = f"{larger} have an ε above {show(result.epsilon)}"
            return f"Of {len(every)} documented deployments {above}. {meanings.CAUTION}"
        return (
            f"ε = {show(result.epsilon)} in {len(result.rows)} meanings, with the numbers that "
            "each text has for its example. Which of them is yours?"
        )

    def notes(self, result: meanings.Portrait) -> list[str]:
        if self.view == "published":
            return [
                f"{one.name}, {one.curator} {one.year}: ε = {show(one.epsilon)}"
                + (f", δ = {show(one.delta)}" if one.delta else "")
                + f", for a {one.unit} and {one.period}, {one.model} noise. {one.source}"
                for one in meanings.deployments()
            ]
        return result.sentences

    def unused(self) -> set[str]:
        return {"mechanism", "neighbours", "releases"} if self.view == "published" else set()
