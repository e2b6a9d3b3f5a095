"""The explorer of a case's meanings without a browser."""

import pytest

from dpwidgets import MeaningsExplorer
from dpwidgets.calculators import meanings
from dpwidgets.calculators.case import Case
from dpwidgets.explorers.case import HOSPITAL
from dpwidgets.plots import meanings as plots
from tools import ask, shown, visible

SCHOOL = Case(published="mean", n=12, low=0, high=10, unit="days", releases=2, prior=1 / 11)


def test_without_a_case_it_is_the_hospitals_and_says_so():
    explorer = MeaningsExplorer()
    assert explorer.case == HOSPITAL
    assert explorer.sentence.startswith("An example, a hospital that counts its patients")
    assert 1 < len(explorer.result.rows) <= 8
    assert "a belief of 20% is at most 23.4%" in str(shown(explorer, "notes")["items"])
    size = explorer._repr_mimebundle_()[1]["image/png"]  # as high as its rows
    assert size == {"width": 640, "height": plots.Rows.shared().size[1]}
    explorer.releases = 4
    assert explorer.sentence.startswith("4 counts")
    explorer.delta = 1e-5
    (warning,) = explorer.case.warnings
    assert explorer.sentence.endswith(warning)


def test_it_takes_a_case():
    explorer = MeaningsExplorer(case=SCHOOL, epsilon=1.4)
    assert explorer.case == SCHOOL
    assert explorer.reference is None
    assert "a belief of 9.09% is at most 28.9%" in str(shown(explorer, "notes")["items"])
    assert MeaningsExplorer(case=SCHOOL, releases=3).case.releases == 3
    assert MeaningsExplorer(**explorer.settings()).result == explorer.result
    with pytest.raises(TypeError, match="case must be a Case; got 3"):
        MeaningsExplorer(case=3)


def test_every_row_is_said_below_the_picture():
    explorer = MeaningsExplorer()
    few = shown(explorer, "notes")["items"]
    explorer.rows = "all"
    said = shown(explorer, "notes")["items"]
    scale = HOSPITAL.scale(0.2)
    assert said == [meaning.sentence(scale) for meaning in meanings.meanings(HOSPITAL)]
    assert set(few) < set(said)
    assert "rows='all'" in explorer.code


def test_what_a_case_has_not_is_left_open():
    explorer = MeaningsExplorer()
    assert visible(explorer) == {"about", "epsilon", "rows", "view"}
    explorer.about = "release"
    assert "delta" in visible(explorer)
    assert not visible(explorer) & {"low", "prior"}  # a count has no range
    ask(explorer, "prior", text="")
    assert explorer.prior is None
    assert "prior" not in explorer.code
    assert not any("belief" in row.meaning.name for row in explorer.result.rows)
    explorer.published = "mean"
    assert explorer.result.case.neighbours == "replace"
    ask(explorer, "n", text="")
    assert "n must be public for a mean" in explorer.messages["n"]
    assert explorer.result.case.n == 2000  # the last state that held together
    explorer.n = 12
    assert not explorer.messages


def test_a_unit_is_a_word():
    explorer = MeaningsExplorer(unit="cats")
    assert "5 cats" in str(shown(explorer, "notes")["items"])
    ask(explorer, "unit", text=" ")
    assert "unit must be a word; it is empty" in explorer.messages["unit"]
    ask(explorer, "unit", text="<b>dogs</b>")
    assert "5 <b>dogs</b>" in str(shown(explorer, "notes")["items"])


def test_published_epsilons_stand_with_unit_period_and_source():
    explorer = MeaningsExplorer(view="published", epsilon=2)
    assert "Of 19 documented deployments" in explorer.sentence
    assert "do not compare" in explorer.sentence
    said = shown(explorer, "notes")["items"]
    assert len(said) == 19
    assert any(
        line.startswith("Movement range maps, Meta 2020: ε = 2; unit: user; period: a day")
        for line in said
    )
    assert all("https://" in line for line in said)
    explorer.epsilon = 20
    assert "deployments 4 have an ε above 20." in explorer.sentence


def test_no_slider_leaves_what_n_and_the_reference_allow_each_other():
    """Of the merge: at n = 10 the reference of 400 was refused, and a sweep stopped there."""
    explorer = MeaningsExplorer()
    ask(explorer, "n", place=0)
    assert (explorer.n, explorer.messages) == (400, {})
    ask(explorer, "reference", place=shown(explorer, "reference")["max"])
    assert (explorer.reference, explorer.messages) == (400, {})
    explorer.reference, explorer.n = None, 3
    ask(explorer, "household", place=shown(explorer, "household")["max"])
    assert (explorer.household, explorer.messages) == (3, {})
