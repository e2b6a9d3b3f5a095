"""What the picture of all meanings draws."""

import pytest

from dpwidgets.calculators import meanings
from dpwidgets.calculators.meanings import portrait
from dpwidgets.plots import meanings as plots


def shown(texts):
    return [text.get_text() for text in texts if text.get_visible() and text.get_text()]


@pytest.mark.parametrize("mechanism", ["any", "Laplace"])
@pytest.mark.parametrize("releases", ["one", "many"])
def test_every_meaning_is_a_row_with_its_number_and_its_mark(mechanism, releases):
    plot = plots.Rows()
    plot.update(portrait(3, releases="many"))
    result = portrait(0.5, mechanism=mechanism, releases=releases)
    plot.update(result)
    names = [row.meaning.name for row in result.rows]
    assert [name for name in shown(plot.axes.get_yticklabels()) if not name.endswith("?")] == names
    assert len(shown(plot.values)) == len(names)
    xs = plot.marks.get_xdata()
    left, right = (
        segment[0][0]
        for segment in (plot.scales.get_segments()[0], plot.scales.get_segments()[0][::-1])
    )
    assert (xs - left) / (right - left) == pytest.approx([row.place for row in result.rows])


def test_a_mark_beyond_its_scale_has_another_shape():
    plot = plots.Rows()
    plot.update(portrait(20, mechanism="any"))
    assert len(plot.marks.get_xdata()) == 0
    assert len(plot.beyond.get_xdata()) == len(portrait(20, mechanism="any").rows)


def test_names_and_numbers_do_not_meet():
    plot = plots.Rows()
    plot.png(portrait(0.5, releases="many"))
    renderer = plot.figure.canvas.get_renderer()
    for name, value in zip(plot.axes.get_yticklabels(), plot.values, strict=False):
        if value.get_visible():
            assert name.get_window_extent(renderer).x0 >= 0
            assert name.get_window_extent(renderer).x1 < value.get_window_extent(renderer).x0


def test_published_epsilons_and_ones_own():
    plot = plots.Published()
    plot.png(portrait(2))
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
