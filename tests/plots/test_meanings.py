"""What the picture of all meanings draws."""

import io

import pytest
from PIL import Image

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import portrait
from dpwidgets.plots import meanings as plots

HOSPITAL = {"published": "count", "n": 2000, "unit": "patients", "releases": 12} | {
    "prior": 0.2,
    "reference": 400,
    "confidence": 0.95,
}


def shown(texts):
    return [text.get_text() for text in texts if text.get_visible() and text.get_text()]


@pytest.mark.parametrize("rows", ["first", "all"])
def test_every_meaning_is_a_row_with_its_number_its_mark_and_both_ends(rows):
    plot = plots.Rows()
    plot.update(portrait(3, rows="all", **HOSPITAL))
    result = portrait(0.5, rows=rows, **HOSPITAL)
    plot.update(result)
    names = [row.meaning.name for row in result.rows]
    headings = set(meanings.GETS)
    assert [name for name in shown(plot.axes.get_yticklabels()) if name not in headings] == names
    assert len(shown(plot.values)) == len(names)
    for at, side in enumerate(("private", "precise")):
        words = shown(ends[at] for ends in plot.ends)
        assert len(words) == len(names), side
    assert "0.1 patients" in shown(ends[1] for ends in plot.ends)
    xs = plot.marks.get_xdata()
    (left, _), (right, _) = plot.scales.get_segments()[0]
    assert (xs - left) / (right - left) == pytest.approx([row.place for row in result.rows])


def test_a_mark_beyond_its_scale_has_another_shape():
    plot = plots.Rows()
    plot.update(portrait(20, published="count"))
    beyond = sum(row.place > 1 for row in portrait(20, published="count").rows)
    assert len(plot.beyond.get_xdata()) == beyond > 0


def test_names_and_numbers_do_not_meet():
    plot = plots.Rows()
    plot.png(portrait(0.5, rows="all", **HOSPITAL | {"household": 4}))
    plot.figure.dpi = 150
    renderer = plot.figure.canvas.get_renderer()
    for name, value, ends in zip(plot.axes.get_yticklabels(), plot.values, plot.ends, strict=False):
        if value.get_visible():
            assert name.get_window_extent(renderer).x0 >= 0
            assert name.get_window_extent(renderer).x1 < value.get_window_extent(renderer).x0
            left, right = (end.get_window_extent(renderer) for end in ends)
            assert left.x1 < right.x0


def test_published_epsilons_and_ones_own():
    plot = plots.Published()
    plot.png(portrait(2, published="count"))
    plot.figure.dpi = 150
    drawn = sorted(
        x for line in plot.axes.lines if line.get_linestyle() == "None" for x in line.get_xdata()
    )
    assert sorted([*(one.epsilon for one in meanings.deployments()), 2]) == pytest.approx(drawn)
    assert list(plot.now.get_xdata()) == [2, 2]
    renderer = plot.figure.canvas.get_renderer()
    width = plot.figure.bbox.width
    for text in plot.axes.texts:
        extent = text.get_window_extent(renderer)
        assert extent.x0 >= 0, text.get_text()
        assert extent.x1 <= width, text.get_text()


def test_the_picture_is_as_high_as_its_rows():
    plot = plots.Rows()
    still = plot.still(portrait(0.5, rows="all", **HOSPITAL), "the words")
    height = Image.open(io.BytesIO(still.png)).height / 1.5
    assert still.size[1] == pytest.approx(height, abs=1)  # a pixel may be cut off
    few = plot.still(portrait(0.5, **HOSPITAL), "the words")
    assert few.png == plots.Rows().png(portrait(0.5, **HOSPITAL))
    assert few.size[1] < still.size[1]
