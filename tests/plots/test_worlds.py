"""What the pictures of possible worlds draw: their artists and their limits."""

import numpy as np
import pytest

from dpwidgets.calculators.worlds import Worlds, disclosure
from dpwidgets.plots import worlds as plots
from tools import named, updated

STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
EXAMPLE = disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013)
MANY = disclosure(np.random.default_rng(6).lognormal(10, 1, 5000).round(2), epsilon=5, risk=0.2)
FIFTY = disclosure(np.random.default_rng(2).lognormal(3, 1, 50).round(2), epsilon=2, risk=0.2)
ALIKE = disclosure(STUDENTS, "count", epsilon=2, risk=1 / 3)
KINDS = [plots.Answers, plots.Posteriors, plots.Risk]


def note(plot):
    return plot.axes.texts[0].get_text()


def test_each_world_is_a_laplace_curve_around_its_answer():
    *curves, mark, point = updated(plots.Answers, MANY, EXAMPLE).axes.lines
    for curve, centre in zip(curves, (2, 13 / 3, 14 / 3, 5), strict=True):
        x, y = curve.get_data()
        assert x[y.argmax()] == pytest.approx(centre)
        assert y == pytest.approx(np.exp(-np.abs(x - centre) / (17 / 12)))
    assert mark.get_xdata() == [2.2013, 2.2013]
    assert point.get_xydata()[0] == pytest.approx([2.2013, np.exp(-0.2013 * 12 / 17)])


def test_the_bars_are_the_posteriors_with_names_and_numbers():
    bars = updated(plots.Answers, FIFTY, EXAMPLE).bars
    lengths = [end for _, (end, _) in bars.collections[0].get_segments()]
    assert lengths == pytest.approx(Worlds([1, 2, 3, 10]).posterior(2.2013, 2)[::-1])
    words = [text.get_text() for text in bars.texts]
    assert words[::2] == ["Terry", "Pat", "Kelly", "Chris"]
    assert words[1::2] == ["61.8%", "15.8%", "12.5%", "9.88%"]
    assert [text.get_weight() for text in bars.texts[::2]] == ["bold"] + 3 * ["normal"]
    assert bars.lines[0].get_xdata() == [0.25, 0.25]


def test_a_world_is_known_by_its_name_as_the_font_can_or_by_value_and_place():
    assert plots.label(disclosure([1, 2.5, -3], epsilon=1, risk=0.5), 2) == "−3 (3rd)"
    assert plots.label(disclosure([1, 2, 9.2e11], epsilon=1, risk=0.5), 2) == "9.2e11 (3rd)"
    names = {"$x^2$": 1, "a name without an end": 2, "名": 3, "two\nlines": 4, "_x": 5}
    odd = disclosure(names, epsilon=1, risk=0.5)
    shown = ["$x^2$", "a name witho…", "□", "two□lines", "_x"]
    assert [plots.label(odd, world) for world in range(5)] == shown


@pytest.mark.parametrize("kind", [plots.Answers, plots.Posteriors])
def test_of_many_worlds_the_guess_stands_out_and_the_picture_says_which_are_drawn(kind):
    plot, many = updated(kind, EXAMPLE, MANY), len(MANY.drawn)
    widths = [one.get_linewidth() for one in plot.axes.lines if one.get_linestyle() == "-"]
    assert sorted(widths[:many]) == [0.9] * (many - 1) + [2.6]
    assert note(plot).startswith(f"{many} of 5,000 worlds: the extremes,\nthe quartiles")
    assert note(updated(kind, EXAMPLE)) == ""
    assert note(updated(kind, ALIKE)) == "every world answers alike:\nno guess beats another"


def test_fifty_worlds_have_fifty_bars_and_labels_that_do_not_touch():
    bars = updated(plots.Answers, FIFTY).bars
    assert len(bars.collections[0].get_segments()) == 50
    rows = sorted(text.get_position()[1] for text in bars.texts[::2])
    assert len(rows) <= 3
    assert np.diff(rows).min() > 0.06
    assert FIFTY.guesses[0] in [FIFTY.drawn[int(row * 50)] for row in rows]


@pytest.mark.parametrize("result", [EXAMPLE, MANY, ALIKE])
def test_posteriors_are_those_of_every_answer(result):
    axes = updated(plots.Posteriors, result).axes
    worlds = result.worlds or Worlds([1, 2, 3, 10])
    for curve, world in zip(axes.lines, result.drawn, strict=False):
        x, y = curve.get_data()
        some = slice(None, None, 100)  # many are computed in parts
        truth = worlds.posterior(x[some], result.epsilon)[:, world] if result.worlds else 0.25
        assert y[some] == pytest.approx(truth)
    assert axes.lines[-1].get_xydata()[0] == pytest.approx(
        [result.answer, result.posterior.max()], abs=1e-4
    )


def test_the_key_of_posteriors_names_few_worlds_or_the_guess():
    texts = updated(plots.Posteriors, MANY, EXAMPLE).axes.get_legend().get_texts()
    names = ["Terry", "Pat", "Kelly", "Chris", "before the answer", "now"]
    assert [text.get_text() for text in texts] == names
    guess = plots.label(MANY, MANY.guesses[0])
    assert {guess, "another world"} <= {*named(updated(plots.Posteriors, EXAMPLE, MANY))}


def test_figure_2_has_three_curves_and_both_epsilons():
    plot, worlds = updated(plots.Risk, MANY, EXAMPLE), Worlds([1, 2, 3, 10])
    bound, exact, rate, _, by_bound, in_truth, _, point = plot.axes.lines
    curves = {bound: worlds.risk_bound, exact: worlds.risk, rate: worlds.guess_rate}
    for line, compute in curves.items():
        epsilons, risks = line.get_data()
        assert risks == pytest.approx(compute(epsilons))
    assert plot.axes.get_xlim() == (0, 5)
    assert by_bound.get_xydata()[0] == pytest.approx([0.3829, 1 / 3], abs=1e-4)
    assert in_truth.get_xydata()[0] == pytest.approx([0.4317, 1 / 3], abs=1e-4)
    assert point.get_xydata()[0] == pytest.approx([2, 0.6825], abs=1e-4)
    names = ["by the bound up to\nε = 0.383", "in truth up to\nε = 0.432"]
    assert [*named(plot)][-3:] == [*names, "now: ε = 2,\nrisk 68.3%"]


def test_a_picture_near_one_third_parts_the_two_epsilons():
    axes = updated(plots.RiskNearOneThird, EXAMPLE).axes
    pixels = axes.transData.transform([axes.lines[at].get_xydata()[0] for at in (4, 5)])
    apart = pixels[1, 0] - pixels[0, 0]
    assert apart > axes.lines[5].get_markersize()  # no mark hides the other, at 72 dots per inch
    assert all(axes.bbox.contains(*at) for at in pixels)


@pytest.mark.parametrize(("risk", "words"), [(0.25, "no ε at all"), (0.6, "any ε")])
def test_a_promise_that_nothing_or_everything_keeps_has_no_mark(risk, words):
    result = disclosure(STUDENTS, "median", epsilon=2, risk=risk)
    mark = named(updated(plots.Risk, EXAMPLE, result))[f"in truth up to\n{words}"]
    assert mark.get_xydata().size == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_follows_the_records(kind):
    plot, frames = kind(), set()
    for result in (EXAMPLE, disclosure(STUDENTS, epsilon=50, answer=-500, risk=0.01), MANY):
        plot.update(result)
        frames.add(tuple((*axes.get_xlim(), *axes.get_ylim()) for axes in plot.figure.axes))
    assert len(frames) == 2


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
    for epsilon in (1e-3, 1, 50):
        assert kind().png(disclosure(values, epsilon=epsilon, risk=0.5)).startswith(b"\x89PNG")
