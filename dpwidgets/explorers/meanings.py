"""The explorer of one ε of a case in all its meanings."""

from dpwidgets.decisions import meanings
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
    rows: Choice[str] = Choice(
        "first", {"first": "the first", "all": "all"}, "Rows"
    )
    """Whether all meanings are shown, or at most eight."""
    view: Views = Views(
        rows=("Meanings", plots.Rows),
        published=("Published ε", plots.Published),
    )
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
        said = (
            f"{whose}{case.sentence} ε = {epsilon} is noise of scale {scale}."
        )
        return " ".join([said, *case.large_deltas])

    def notes(self, result: meanings.Portrait, now: Values) -> list[str]:
        return [] if now["view"] == "published" else list(result.case.public_n)

    def rows_of(
        self, result: meanings.Portrait, now: Values
    ) -> list[tuple[str, str]]:
        if now["view"] == "published":
            return [(one.name, _told(one)) for one in meanings.deployments()]
        names = [row.meaning.name for row in result.rows]
        return list(zip(names, result.sentences, strict=True))


def _told(one: meanings.Deployment) -> str:
    """Say all that is documented of a deployment."""
    computed = (
        f"ρ = {show(one.rho, 5)}, and so " if one.computed and one.rho else ""
    )
    epsilon = up(one.epsilon) if one.computed else show(one.epsilon, 6)
    delta = f", δ = {show(one.delta)}" if one.delta else ""
    ours = ", a δ of our choice" if one.computed else ""
    return (
        f"{one.name}, {one.curator} {one.year}: {computed}ε = {epsilon}{delta}{ours}; unit: "
        f"{one.unit}; period: {one.period}; neighbours: {one.neighbours or 'not said'}; noise: "
        f"{one.model}. {one.source}"
    )
