"""The explorer of a case's meanings without a browser."""

import pytest

from dpwidgets import MeaningsExplorer
from dpwidgets.calculators import meanings
from dpwidgets.calculators.case import Case
from dpwidgets.explorers.case import HOSPITAL
from dpwidgets.plots import meanings as plots
from tools import ask, shown

SCHOOL = Case(published="mean", n=12, low=0, high=10, unit="days", releases=2, prior=1 / 11)


def test_it_takes_a_case_or_a_hospitals_and_a_case_warns():
    explorer = MeaningsExplorer()
    assert explorer.case == HOSPITAL
    assert 1 < len(explorer.result.rows) <= 8
    size = explorer._repr_mimebundle_()[1]["image/png"]  # as high as its rows
    assert size == {"width": 640, "height": plots.Rows.shared().size[1]}
    explorer.delta = 1e-4
    assert explorer.sentence.endswith(explorer.case.warnings[0])
    explorer = MeaningsExplorer(case=SCHOOL, epsilon=1.4)
    assert explorer.case == SCHOOL
    assert MeaningsExplorer(case=SCHOOL, releases=3).case.releases == 3
    assert MeaningsExplorer(**explorer.settings()).result == explorer.result
    with pytest.raises(TypeError, match="case must be a Case; got 3"):
        MeaningsExplorer(case=3)


def test_every_row_is_said_below_the_picture():
    few = shown(MeaningsExplorer(), "notes")["items"]
    explorer = MeaningsExplorer(rows="all")
    said = shown(explorer, "notes")["items"]
    scale = HOSPITAL.scale(0.2)
    assert said == [meaning.sentence(scale) for meaning in meanings.meanings(HOSPITAL)]
    assert set(few) < set(said)
    published = shown(MeaningsExplorer(view="published"), "notes")["items"]
    assert len(published) == 19
    assert all("https://" in line for line in published)


def test_what_a_case_has_not_is_left_open():
    explorer = MeaningsExplorer()
    ask(explorer, "prior", text="")
    assert explorer.prior is None
    assert "prior" not in explorer.code
    assert not any("belief" in row.meaning.name for row in explorer.result.rows)
    ask(explorer, "unit", text=" ")
    assert "unit must be a word; it is empty" in explorer.messages["unit"]


def test_no_slider_leaves_what_n_and_the_reference_allow_each_other():
    """Of the merge: at n = 10 the reference of 400 was refused, and a sweep stopped there."""
    explorer = MeaningsExplorer()
    ask(explorer, "n", place=0)
    assert (explorer.n, explorer.messages) == (400, {})
    ask(explorer, "reference", place=shown(explorer, "reference")["max"])
    assert (explorer.reference, explorer.messages) == (400, {})
    explorer.reference, explorer.n = None, 3
    ask(explorer, "reference", place=shown(explorer, "reference")["max"])
    assert (explorer.reference, explorer.messages) == (3, {})
    ask(explorer, "household", place=shown(explorer, "household")["max"])
    assert (explorer.household, explorer.messages) == (3, {})


def test_what_its_author_names_is_shown_whatever_its_group():
    explorer = MeaningsExplorer(only=("epsilon", "releases", "prior"))
    assert [name for name in explorer.parameters() if not shown(explorer, name)["hidden"]] == [
        "releases",
        "prior",
        "epsilon",
    ]
