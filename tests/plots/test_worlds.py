"""What the pictures of possible worlds draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators.worlds import Worlds, disclosure
from dpwidgets.plots import worlds as plots
from tools import updated

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
EXAMPLE = disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013)
MANY = disclosure(np.random.default_rng(6).lognormal(10, 1, 5000).round(2), epsilon=5, risk=0.2)
ALIKE = disclosure(STUDENTS, "count", epsilon=2, risk=1 / 3)
KINDS = [plots.Answers, plots.Posteriors, plots.Risk]


def shown(artists):
    return [artist for artist in artists if artist.get_visible()]


def test_each_world_is_a_laplace_curve_around_its_answer():
    plot = updated(plots.Answers, EXAMPLE)
    curves = shown(plot.curves)
    assert len(curves) == 4
    for curve, centre in zip(curves, (2, 13 / 3, 14 / 3, 5), strict=True):
        x, y = curve.get_data()
        assert x[y.argmax()] == pytest.approx(centre)
        assert y == pytest.approx(np.exp(-np.abs(x - centre) / (17 / 12)))
    assert list(plot.mark.get_xdata()) == [2.2013, 2.2013]
    ((x, y),) = plot.point.get_xydata()
    assert (x, y) == pytest.approx((2.2013, np.exp(-0.2013 * 12 / 17)))


def test_the_bars_are_the_posteriors_with_names_and_numbers():
    bars = updated(plots.Answers, EXAMPLE).bars
    lengths = [segment[1][0] for segment in bars.bars.get_segments()]
    assert lengths == pytest.approx(Worlds([1, 2, 3, 10]).posterior(2.2013, 2)[::-1])
    assert [text.get_text() for text in shown(bars.names)] == ["Terry", "Pat", "Kelly", "Chris"]
    assert [text.get_text() for text in shown(bars.shares)] == ["61.8%", "15.8%", "12.5%", "9.88%"]
    assert [text.get_weight() for text in shown(bars.names)] == [
        "bold",
        "normal",
        "normal",
        "normal",
    ]
    assert list(bars.prior.get_xdata()) == [0.25, 0.25]


def test_without_names_a_world_is_known_by_value_and_place():
    assert plots.label(disclosure([1, 2.5, -3], epsilon=1, risk=0.5), 2) == "−3 (3rd)"
    assert plots.label(disclosure([1, 2, 9.2e11], epsilon=1, risk=0.5), 2) == "9.2e11 (3rd)"


def test_a_name_is_shown_as_it_is_or_as_the_font_can():
    odd = disclosure(
        {"$x^2$": 1, "a name without an end": 2, "名": 3, "two\nlines": 4}, epsilon=1, risk=0.5
    )
    assert [plots.label(odd, world) for world in range(4)] == [
        "$x^2$",
        "a name witho…",
        "□",
        "two□lines",
    ]
    for kind in (plots.Answers, plots.Posteriors):
        assert kind().png(odd).startswith(b"\x89PNG")  # and warns of no missing letter


def test_of_many_worlds_the_guess_stands_out_and_the_picture_says_which_are_drawn():
    for kind in (plots.Answers, plots.Posteriors):
        plot = updated(kind, EXAMPLE, MANY)
        curves = shown(plot.curves)
        assert len(curves) == len(MANY.drawn) <= 7
        assert sorted(curve.get_linewidth() for curve in curves)[-2:] == [0.9, 2.6]
        assert plot.note.get_text().startswith(
            f"{len(curves)} of 5,000 worlds: the extremes,\nthe quartiles"
        )
        plot.update(EXAMPLE)
        assert len(shown(plot.curves)) == 4
        assert plot.note.get_text() == ""


def test_fifty_worlds_have_fifty_bars_and_labels_that_do_not_touch():
    fifty = disclosure(np.random.default_rng(2).lognormal(3, 1, 50).round(2), epsilon=2, risk=0.2)
    bars = updated(plots.Answers, fifty).bars
    assert len(bars.bars.get_segments()) == len(shown(bars.samples)) == 50
    rows = sorted(text.get_position()[1] for text in shown(bars.names))
    assert len(rows) <= 3
    assert np.diff(rows).min() > 0.06
    assert fifty.guesses[0] in [fifty.drawn[int(row * 50)] for row in rows]


def test_posteriors_are_those_of_every_answer():
    plot = updated(plots.Posteriors, EXAMPLE)
    for curve, world in zip(shown(plot.curves), EXAMPLE.drawn, strict=True):
        x, y = curve.get_data()
        assert y == pytest.approx(Worlds([1, 2, 3, 10]).posterior(x, 2)[:, world])
    assert plot.point.get_xydata()[0] == pytest.approx([2.2013, 0.61803], abs=1e-4)
    texts = [text.get_text() for text in plot.axes.get_legend().get_texts()]
    assert texts == ["Terry", "Pat", "Kelly", "Chris", "before the answer", "now"]


def test_posteriors_of_many_worlds_are_computed_in_parts():
    x, y = shown(updated(plots.Posteriors, MANY).curves)[0].get_data()
    assert y[[0, 100, -1]] == pytest.approx(
        MANY.worlds.posterior(x[[0, 100, -1]], 5)[:, MANY.drawn[0]]
    )


def test_figure_2_has_three_curves_and_both_epsilons():
    plot = updated(plots.Risk, MANY, EXAMPLE)
    worlds = Worlds([1, 2, 3, 10])
    for line, compute in (
        (plot.bound, worlds.risk_bound),
        (plot.exact, worlds.risk),
        (plot.rate, worlds.guess_rate),
    ):
        epsilons, risks = line.get_data()
        assert risks == pytest.approx(compute(epsilons))
    assert plot.axes.get_xlim() == (0, 5)
    assert plot.allowed_bound.get_xydata()[0] == pytest.approx([0.3829, 1 / 3], abs=1e-4)
    assert plot.allowed.get_xydata()[0] == pytest.approx([0.4317, 1 / 3], abs=1e-4)
    assert plot.point.get_xydata()[0] == pytest.approx([2, 0.6825], abs=1e-4)
    texts = [text.get_text() for text in plot.axes.get_legend().get_texts()]
    assert texts[-3:] == [
        "by the bound up to\nε = 0.383",
        "in truth up to\nε = 0.432",
        "now: ε = 2,\nrisk 68.3%",
    ]


def test_a_picture_near_one_third_parts_the_two_epsilons():
    plot = updated(plots.RiskNearOneThird, EXAMPLE)
    marks = [line.get_xydata()[0] for line in (plot.allowed_bound, plot.allowed)]
    pixels = plot.axes.transData.transform(marks)
    apart = pixels[1, 0] - pixels[0, 0]
    assert apart > plot.allowed.get_markersize() * plot.figure.dpi / 72  # no mark hides the other
    assert all(plot.axes.bbox.contains(*at) for at in pixels)


def test_a_promise_that_nothing_or_everything_keeps_has_no_mark():
    for risk, words in ((0.25, "no ε at all"), (0.6, "any ε")):
        plot = updated(plots.Risk, EXAMPLE, disclosure(STUDENTS, "median", epsilon=2, risk=risk))
        assert plot.allowed.get_xydata().size == 0
        assert plot.axes.get_legend().get_texts()[-2].get_text() == f"in truth up to\n{words}"


def test_worlds_that_answer_alike_are_drawn_and_said():
    for kind in (plots.Answers, plots.Posteriors):
        assert (
            updated(kind, ALIKE).note.get_text()
            == "every world answers alike:\nno guess beats another"
        )
    assert updated(plots.Risk, EXAMPLE, ALIKE).exact.get_ydata() == [0.25, 0.25]
    assert len(updated(plots.Risk, EXAMPLE, ALIKE, EXAMPLE).exact.get_ydata()) > 100


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_follows_the_records_and_neither_epsilon_nor_answer_nor_risk(kind):
    plot, frames = kind(), set()
    for epsilon, answer, risk in ((0.01, 2, 0.3), (2, -500, 0.9), (50, 4.4, 0.01)):
        plot.update(disclosure(STUDENTS, epsilon=epsilon, answer=answer, risk=risk))
        frames.add(tuple((*axes.get_xlim(), *axes.get_ylim()) for axes in plot.figure.axes))
    assert len(frames) == 1
    plot.update(MANY)
    assert tuple((*axes.get_xlim(), *axes.get_ylim()) for axes in plot.figure.axes) not in frames


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "values",
    [
        [0] * 30 + [1] * 31,
        [-5, -1, -3],
        [1e12, 1, -2e11],
        [1e-12, 2e-12, 5e-12],
        [0.1 + 0.2, 0.3, 0.3, 4],
    ],
    ids=["ties", "negative", "huge", "tiny", "rounding"],
)
def test_any_records_can_be_drawn(kind, values):
    plot = kind()
    for epsilon in (1e-3, 1, 50):
        assert plot.png(disclosure(values, epsilon=epsilon, risk=0.5)).startswith(b"\x89PNG")
