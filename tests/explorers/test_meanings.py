"""The explorer of all meanings without a browser."""

from dpwidgets import MeaningsExplorer
from dpwidgets.plots import meanings as plots


def test_every_meaning_is_said_below_the_picture():
    explorer = MeaningsExplorer(epsilon=0.5)
    said = explorer.notes(explorer.result)
    assert len(said) == len(explorer.result.rows) == 17
    assert (
        "<li>At ε = 0.5, no answer lifts a belief of 10% about you above 15.5%.</li>"
        in explorer.noted.value
    )
    assert "38 against 62" in explorer.noted.value
    assert "39 against 61" in explorer.noted.value


def test_assumptions_can_be_switched():
    explorer = MeaningsExplorer()
    explorer.mechanism = "any"
    assert len(explorer.result.rows) == 8
    explorer.neighbours, explorer.releases = "replace", "many"
    assert explorer.sentence.startswith("ε = 0.5 in 10 meanings")
    assert "mechanism='any', neighbours='replace', releases='many'" in explorer.code


def test_its_picture_is_taller():
    explorer = MeaningsExplorer()
    height = plots.Rows.shared().size[1]
    assert height > 500
    assert f'height="{height}"' in explorer.picture.moving.value
    assert explorer._repr_mimebundle_()[1]["image/png"] == {"width": 640, "height": height}


def test_published_epsilons_stand_with_unit_period_and_source():
    explorer = MeaningsExplorer(view="published", epsilon=2)
    assert "Of 13 documented deployments" in explorer.sentence
    assert "do not compare" in explorer.sentence
    said = explorer.notes(explorer.result)
    assert len(said) == 13
    assert any(
        line.startswith("Movement range maps, Meta 2020: ε = 2, for a user and a day")
        for line in said
    )
    assert all("https://" in line for line in said)
    assert explorer.controls["mechanism"].layout.display == "none"
