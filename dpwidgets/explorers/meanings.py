"""The explorer of one ε of a case in all its meanings."""

from dpwidgets.decisions import meanings
from dpwidgets.explorers.case import HOSPITAL, CaseExplorer
from dpwidgets.inputs.notation import show
from dpwidgets.page.explorer import Values
from dpwidgets.page.parameters import Choice, Epsilon, Number, Views
from dpwidgets.plots import meanings as plots

_EXAMPLE = (
    "An example, a hospital that counts its patients with diabetes every "
    "month:"
)


class MeaningsExplorer(CaseExplorer):
    """One ε of a case, and what readers and attackers get; without a case, a hospital's.

    Examples
    --------
    >>> explorer = MeaningsExplorer(epsilon=0.2)
    >>> explorer.result.rows[1].meaning.sentence(explorer.result.scale)
    'It lies within ±15 patients (3.75% of 400) of the truth, with a probability of 95%.'
    """

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
            computed = sum(one.computed for one in meanings.deployments())
            return (
                f"For {computed} of them only ρ is published; their ε is computed at "
                f"δ = {show(meanings.DELTA_OF_RHO)}. {meanings.CAUTION}"
            )
        case = result.case
        noise = f"noise of scale {case.measured(result.scale, 15)}"
        sentence = f"{case.sentence} ε = {show(result.epsilon, 6)} is {noise}."
        if case == HOSPITAL:
            sentence = f"{_EXAMPLE} {sentence}"
        return " ".join([sentence, *case.large_deltas])

    def notes(self, result: meanings.Portrait, now: Values) -> list[str]:
        if now["view"] == "published":
            return []
        return list(result.case.public_n)

    def rows_of(
        self, result: meanings.Portrait, now: Values
    ) -> list[tuple[str, str]]:
        if now["view"] == "published":
            return [
                (deployment.name, _documented(deployment))
                for deployment in meanings.deployments()
            ]
        names = [row.meaning.name for row in result.rows]
        return list(zip(names, result.sentences, strict=True))


def _documented(deployment: meanings.Deployment) -> str:
    """Say all that is documented of a deployment."""
    epsilon = f"ε = {deployment.written}"
    if deployment.computed and deployment.rho:
        epsilon = f"ρ = {show(deployment.rho, 5)}, and so {epsilon}"
    if deployment.delta:
        epsilon += f", δ = {show(deployment.delta)}"
    if deployment.computed:
        epsilon += ", a δ of our choice"
    return (
        f"{deployment.name}, {deployment.curator} {deployment.year}: {epsilon}; "
        f"unit: {deployment.unit}; period: {deployment.period}; "
        f"neighbours: {deployment.neighbours or 'not said'}; noise: {deployment.model}. "
        f"{deployment.source}"
    )
