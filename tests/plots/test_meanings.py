"""What the picture of all meanings draws."""

import io

import pytest
from PIL import Image

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import portrait
from dpwidgets.plots import meanings as plots
from tools import updated

HOSPITAL = {"published": "count", "n": 2000, "unit": "patients", "releases": 12} | {
    "prior": 0.2,
    "reference": 400,
    "confidence": 0.95,
}


@pytest.mark.parametrize("rows", ["first", "all"])
def test_every_meaning_is_a_row_with_its_number_its_mark_and_both_ends(rows):
    result = portrait(0.5, rows=rows, **HOSPITAL)
    axes = updated(plots.Rows, portrait(3, rows="all", **HOSPITAL), result).axes
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert [one for one in names if one not in (*meanings.GETS, "")] == [
        row.meaning.name for row in result.rows
    ]
    words = [text.get_text() for text in axes.texts]
    assert len(words) == 3 + 3 * len(result.rows)  # above them stand ε and its two ends
    assert words[3::3] == [row.meaning.shown(row.value) for row in result.rows]
    assert "0.1 patients" in words[5::3]
    (left, _), (right, _) = axes.collections[0].get_segments()[0]
    places = (axes.lines[0].get_xdata() - left) / (right - left)
    assert places == pytest.approx([row.place for row in result.rows])


def test_a_mark_beyond_its_scale_has_another_shape():
    result = portrait(20, published="count")
    _, beyond = updated(plots.Rows, result).axes.lines
    assert len(beyond.get_xdata()) == sum(row.place > 1 for row in result.rows) > 0


def test_published_epsilons_and_ones_own():
    lines = updated(plots.Published, portrait(2, published="count")).axes.lines
    published = sorted(x for line in lines[:3] for x in line.get_xdata())
    assert published == pytest.approx(sorted(one.epsilon for one in meanings.deployments()))
    assert [line.get_xdata() for line in lines[3:]] == [[2, 2], [2]]


def test_the_picture_is_as_high_as_its_rows():
    plot, few = plots.Rows(), portrait(0.5, **HOSPITAL)
    still = plot.still(portrait(0.5, rows="all", **HOSPITAL), "the words")
    height = Image.open(io.BytesIO(still.png)).height / 1.5
    assert still.size[1] == pytest.approx(height, abs=1)  # a pixel may be cut off
    assert plot.png(few) == plots.Rows().png(few)
    assert plot.size[1] < still.size[1]
