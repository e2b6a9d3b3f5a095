"""What an earlier record published, as JSON has it."""

from dataclasses import fields
from typing import Any

from dpwidgets.decisions.case import Case, Earlier
from dpwidgets.inputs.outside import fields_of, list_of


def said_before(earlier: Earlier) -> dict[str, Any]:
    """Return what an earlier record publishes, ready for JSON: of a case what is not usual."""
    published = []
    for case, scale in earlier.published:
        said = {}
        for name, value in case.to_dict().items():
            if value != getattr(Case, name, None):
                said[name] = value
        published.append({"case": said, "scale": scale})
    return {
        "about": earlier.about,
        "date": earlier.date,
        "published": published,
    }


def read_before(data: object) -> Earlier:
    """Read what `said_before` wrote."""
    said = fields_of("an earlier record", ("about", "date", "published"), data)
    published = []
    for one in list_of("published", said["published"]):
        of_one = fields_of("a statistic", ("case", "scale"), one)
        usual = {field.name: field.default for field in fields(Case)}
        del usual["before"]
        case = Case.from_dict(usual | dict(of_one["case"]))
        published.append((case, of_one["scale"]))
    return Earlier(**said | {"published": tuple(published)})
