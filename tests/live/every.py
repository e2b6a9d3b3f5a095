"""Move every explorer, bring a column to the desk, then ask for what the site's worker left out."""

import sys

import dpwidgets


def ask(explorer, turn, name, **event):
    """Do what a page does when a control is moved."""
    explorer.set_state({"_asked": {"name": name, "turn": str(turn), **event}})


def move(explorer):
    """Move each control that is shown to its end, from the start each time."""
    controls = {
        name: shown
        for name, shown in explorer._shown.items()
        if shown.get("hidden") is False and "place" in shown
    }
    for turn, (name, shown) in enumerate(controls.items()):
        ask(explorer, turn, name, place=shown.get("max", 1))
        ask(explorer, f"{turn} over", "over", pressed=True)
    return len(controls)


moved = 0
for name in dpwidgets.__all__:
    if not name.endswith("Explorer"):
        continue
    kind = getattr(dpwidgets, name)
    for view in kind.view.options:
        explorer = kind(view=view)
        if view == kind.view.default_value:
            moved += move(explorer)
        explorer.close()
waits = "LeftOut" in [type(finder).__name__ for finder in sys.meta_path]
from scipy.stats import norm  # noqa: E402

[moved, waits, float(norm.cdf(0))]
