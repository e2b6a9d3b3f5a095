"""The one table of facts about what is published, from which record and label read."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dpwidgets.decisions import totals
from dpwidgets.decisions.case import Limits
from dpwidgets.decisions.record._accuracy import by_size
from dpwidgets.decisions.record._page import prefix
from dpwidgets.inputs.notation import several, up


def facts(whole: Limits, noise: float | None) -> Mapping[str, Sequence[str]]:
    """Say what there is to know of each statistic: under each name of a fact, a line for each.

    Parameters
    ----------
    whole : Case or Plan
        What is published.
    noise : float or None
        What sets its noise, as `Limits` takes it; None where that is left out,
        and then what follows from it is left out too.

    Examples
    --------
    >>> from dpwidgets.decisions.case import Case
    >>> visits = facts(Case(published="count", releases=4), 5.0)
    >>> visits["noise"], visits["releases"]
    (['Laplace noise of scale 5 people'], ['4 releases'])
    """
    lines = defaultdict(list)
    for name, case, scale in whole.named(noise or 1.0):
        said = {
            "what": case.what,
            "unit": case.step,
            "cut": f"without {case.cut}",
            "releases": several(case.releases, "release"),
            "mechanism": f"{case.mechanism} noise",
            "known": case.known,
        }
        if noise is not None:
            off = up(case.error(scale), case.measured)
            said["noise"] = (
                f"{case.mechanism} noise of scale {case.measured(scale, 15)}"
            )
            said["error"] = f"off by {off} on average"
            which = "each" if case.numbers * case.releases > 1 else "the"
            changes = f"the noise changes {which} published number by {off}"
            said["changes"] = f"{changes} on average."
            said["by size"] = by_size(case, scale)
            said["added up"] = totals.added_up(case, scale)
        for fact, words in said.items():
            if words:
                lines[fact].append(f"{prefix(name)}{words}")
    return lines
