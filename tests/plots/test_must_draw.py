"""Each picture draws what its list has: every kind of mark, in its colour, by its name.

`PYTHONPATH=tests python tests/plots/test_must_draw.py` writes the lists anew; read what changed.
"""

import re
import sys
from pathlib import Path

import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.text import Text

from dpwidgets.plots import style
from pictures import CASES, VIEWS, every, name_of, results_of
from tools import ROOT

LISTS = Path(__file__).with_name("must_draw.txt")


def colour(artist):
    """Return the word of the colour by which a mark is known."""
    if isinstance(artist, LineCollection):
        colours = {to_hex(one) for one in artist.get_edgecolor()}
        return "+".join(sorted(style.DARK[one][0] for one in colours))
    if isinstance(artist, Line2D | Text):
        return style.DARK[to_hex(artist.get_color())][0]
    return style.DARK[to_hex(artist.get_edgecolor())][0]


def kind(artist):
    """Return what a mark is."""
    if isinstance(artist, Text):
        return "bold words" if artist.get_weight() == "bold" else "words"
    if not isinstance(artist, Line2D):
        hatched = "hatched " if getattr(artist, "get_hatch", bool)() else ""
        return f"{hatched}{type(artist).__name__}"
    marker, line = artist.get_marker(), artist.get_linestyle()
    dashes = {"None": "", "-": "solid "}.get(line, "dashed ")
    shape = f"marks {marker}" if marker not in ("None", None) else ""
    return f"{dashes}{'line ' if dashes else ''}{shape}".strip()


def drawn(case):
    """Return a line for each kind of mark of a picture, and for each handle.

    A view is drawn at its start, a plot that stands alone with all its results.
    """
    plot, found = CASES[case](), set()
    for result in results_of(case, [{}]).values():
        handles = plot.layers(result).handles
        found |= {f"handle {handle.name}" for handle in handles}
        for panel in plot.panels():
            for artist in (*panel.marks, *panel.still):
                label = artist.get_label()
                known = label and not label.startswith("_")
                named = f" “{label}”" if known else ""
                line = f"{kind(artist)} {colour(artist)}{named}"
                found.add(" ".join(line.split()))
    return sorted(found)


def lists():
    """Return each picture's list."""
    parts = LISTS.read_text(encoding="utf-8").strip().split("\n\n")
    return {part.splitlines()[0]: part.splitlines()[1:] for part in parts}


@every
def test_a_picture_draws_what_it_must(case):
    assert drawn(case) == sorted(lists()[name_of(case)])


def test_a_colour_that_the_page_borrows_is_one_of_the_pictures():
    page = (ROOT / "dpwidgets/page/page.css").read_text(encoding="utf-8")
    borrowed = {*re.findall(r"var\((--dpw-\w+)", page)}
    assert borrowed
    assert borrowed <= {*re.findall(r"(--dpw-\w+):", style.SHEET)}


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_each_name_and_what_a_picture_says_stand_in_it_and_no_key_or_hand(
    view, narrow
):
    """The page draws handles; what stands above a picture begins its explorer's sentence."""
    explorer_kind, name, plot_kind = VIEWS[view]
    plot, explorer = plot_kind(), explorer_kind(view=name)
    layers = plot.layers(explorer.result, narrow=narrow)
    for layer in (layers.still, layers.moving):
        assert "--dpw-accent" not in layer
        assert style.ACCENT not in layer
    says = plot.says(explorer.result)
    assert explorer.sentence.startswith(says)
    bold = plot.figure.findobj(
        lambda one: isinstance(one, Text) and one.get_weight() == "bold"
    )
    heads = {" ".join(one.get_text().split()) for one in bold}
    assert not says or says in heads
    words, names = {one.get_text() for one in plot.figure.texts}, set()
    for panel in plot.panels():
        assert panel.get_legend() is None
        words |= {" ".join(one.get_text().split()) for one in panel.texts}
        names |= {one.get_label() for one in (*panel.lines, *panel.patches)}
    assert {name for name in names if name and name[0] != "_"} <= words


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_says_its_message_and_the_sentence_repeats_none_of_its_numbers(
    view,
):
    """At the start, but for what two quantities happen to have alike."""
    explorer_kind, name, plot_kind = VIEWS[view]
    explorer = explorer_kind(view=name)
    says = plot_kind.says(explorer.result)
    assert says.endswith(".")
    assert len(says) < 95
    said = explorer.sentence.removeprefix(f"{says} ")
    numbers = [
        set(re.findall(r"\d[\d.,]*\d%?|\d%", one)) for one in (says, said)
    ]
    assert numbers[0] & numbers[1] <= ALIKE.get(view, set())
    assert not said.startswith(" ".join(says.split()[:3]))


#: What is alike at the start: the answer's error and the rounded one's, a guess and the surest.
ALIKE = {
    "BayesExplorer-errors": {"10"},
    "WorldsExplorer-posteriors": {"68.3%"},
    "WorldsExplorer-risk": {"68.3%"},
}


if __name__ == "__main__":
    parts = ["\n".join([name_of(case), *drawn(case)]) for case in CASES]
    LISTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"{LISTS}: {len(parts)} pictures", file=sys.stderr)
