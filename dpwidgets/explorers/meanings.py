"""The explorer of one ε of a case in all its meanings."""

from dpwidgets.calculators import meanings
from dpwidgets.explorers.case import HOSPITAL, CaseExplorer, controls_of
from dpwidgets.inputs.notation import show, up
from dpwidgets.page.explorer import Values
from dpwidgets.page.parameters import Choice, Epsilon, Number, Views
from dpwidgets.plots import meanings as plots


class MeaningsExplorer(CaseExplorer):
    """One ε of a case, and what readers and attackers get; without a case, a hospital's.

    Examples
    --------
    >>> explorer = MeaningsExplorer(epsilon=0.2)
    >>> explorer.result.rows[1].meaning.sentence(explorer.result.scale)
    'It lies within ±15 patients (3.75% of 400) of the truth, with a probability of 95%.'
    """

    about: Choice[str] = controls_of(epsilon="ε")
    """Which controls are shown."""
    epsilon: Number = Epsilon(0.2)
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    rows: Choice[str] = Choice("first", {"first": "the first", "all": "all"}, "Rows")
    """Whether all meanings are shown, or at most eight."""
    view: Views = Views(rows=("Meanings", plots.Rows), published=("Published ε", plots.Published))
    """Which picture is shown."""
    calculator = meanings.portrait

    def say(self, result: meanings.Portrait, now: Values) -> str:
        if now["view"] == "published":
            every = meanings.deployments()
            larger = sum(one.epsilon > result.epsilon for one in every)
            above = f"{larger} {'has' if larger == 1 else 'have'} an ε above "
            above += show(result.epsilon, 6)
            few = sum(one.computed for one in every)
            return (
                f"Of {len(every)} documented deployments {above}. For {few} of them only ρ is "
                f"published; their ε is computed at δ = {show(meanings.DELTA_OF_RHO)}. "
                f"{meanings.CAUTION}"
            )
        example = "An example, a hospital that counts its patients with diabetes every month: "
        whose, case = example if result.case == HOSPITAL else "", result.case
        epsilon, scale = result.written
        said = f"{whose}{case.sentence} ε = {epsilon} is noise of scale {scale}."
        return " ".join([said, *case.large_deltas])

    def notes(self, result: meanings.Portrait, now: Values) -> list[str]:
        if now["view"] == "published":
            return [
                f"{one.name}, {one.curator} {one.year}: "
                + (f"ρ = {show(one.rho, 5)}, and so " if one.computed and one.rho else "")
                + f"ε = {up(one.epsilon) if one.computed else show(one.epsilon, 6)}"
                + (f", δ = {show(one.delta)}" if one.delta else "")
                + (", a δ of our choice" if one.computed else "")
                + f"; unit: {one.unit}; period: {one.period}; "
                + f"neighbours: {one.neighbours or 'not said'}; noise: {one.model}. {one.source}"
                for one in meanings.deployments()
            ]
        return [*result.sentences, *result.case.public_n]
