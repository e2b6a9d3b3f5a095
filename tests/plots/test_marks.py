"""What each picture draws: its marks are the numbers of its calculator, and no others."""

import io
from itertools import product

import numpy as np
import pytest
from PIL import Image
from scipy.special import expit, logit

from dpwidgets.calculators import bayes, breach, interval
from dpwidgets.calculators.breach import promise
from dpwidgets.calculators.loss import release
from dpwidgets.calculators.worlds import Worlds, disclosure
from dpwidgets.decisions import meanings
from dpwidgets.decisions.choice import decide
from dpwidgets.decisions.meanings import portrait
from dpwidgets.inputs.notation import percent
from dpwidgets.plots import (
    bayes as bayes_plots,
    breach as breach_plots,
    choice as choice_plots,
    interval as interval_plots,
    loss as loss_plots,
    meanings as meanings_plots,
    style,
    worlds as worlds_plots,
)
from dpwidgets.plots.panel import ASKED, Drawn
from tools import named, updated

PRECISION = interval.precision(half_width=0.2, confidence=0.8, count=100)
STUDENTS = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
EXAMPLE = disclosure(STUDENTS, epsilon=2, risk=1 / 3, answer=2.2013)
ALIKE = disclosure(dict.fromkeys(STUDENTS, 1), "count", epsilon=2, risk=1 / 3)
HALF = disclosure(STUDENTS, epsilon=0.5, risk=1 / 3)
MANY, FIFTY = (
    disclosure(
        np.random.default_rng(6).lognormal(10, 1, size).round(2),
        epsilon=5,
        risk=0.2,
    )
    for size in (5000, 50)
)
HOSPITAL = {
    "published": "count",
    "n": 2000,
    "unit": "patients",
    "releases": 4,
    "prior": 0.2,
    "reference": 400,
    "confidence": 0.95,
}
GOALS = {"half_width": 0.05, "posterior": 0.4, "total": 1, "epsilon": 0.2}


def written(axes):
    return [text.get_text() for text in axes.texts]


def said(axes):
    """Return what is written of the result alone."""
    words = [one for one in axes.texts if one not in axes.still]
    return [one.get_text() for one in words]


FOUR = Worlds([1, 2, 3, 10])
MANY_RELEASES = release(epsilon=0.5, compositions=20)
SURE = promise(prior=0.5, epsilon=50)
PROMISED = promise(prior=1 / 74, posterior=0.2)
KEPT = {
    name: promise(prior=0.05, posterior=0.2, attribute=name)
    for name in breach.ATTRIBUTES
}
COIN = {"mechanism": "finite", "p": [1, 0], "q": [0.5, 0.5]}


def posteriors_of(told, at):
    """Return the posterior of a drawn world after each answer; of all alike it is the prior."""
    if not told.worlds:
        return lambda x: np.full(x.size, 0.25)
    return lambda x: told.worlds.posterior(x, told.epsilon)[:, told.drawn[at]]


#: Of each picture the results that it meets, and of some of its lines, by name or place, what is
#: drawn: a curve's height at each place, the place of a vertical, or points.
MARKS = {
    "interval, answer": (
        interval_plots.Answer,
        [PRECISION],
        {0: lambda x: np.exp(-PRECISION.epsilon * np.abs(x - 100))},
    ),
    "interval, figure 1": (
        interval_plots.IsoEpsilon,
        [PRECISION],
        {
            "ε = 0.02": lambda w: -np.expm1(-0.02 * w * 100),
            "ε = 0.32": lambda w: -np.expm1(-0.32 * w * 100),
            "now": lambda w: -np.expm1(-PRECISION.epsilon * w * 100),
            -1: [[0.2, 0.8]],
        },
    ),
    "loss, law": (
        loss_plots.LawOfLoss,
        [release("binomial", trials=2, delta=0.1), MANY_RELEASES],
        {
            0: MANY_RELEASES.law.mean(),
            1: MANY_RELEASES.epsilon,
            2: -MANY_RELEASES.epsilon,
        },
    ),
    "breach, beliefs": (
        breach_plots.Beliefs,
        [SURE, PROMISED],
        {
            "at most this": lambda x: logit(
                breach.posterior(expit(x), PROMISED.epsilon)
            ),
            "at least this": lambda x: logit(
                breach.downward(expit(x), PROMISED.epsilon)
            ),
            -1: [logit([1 / 74, 0.2])],
        },
    ),
    "worlds, answers": (
        worlds_plots.Answers,
        [MANY, EXAMPLE],
        {
            **{
                at: lambda x, answer=answer: np.exp(
                    -np.abs(x - answer) / (17 / 12)
                )
                for at, answer in enumerate((2, 13 / 3, 14 / 3, 5))
            },
            4: 2.2013,
            5: [[2.2013, np.exp(-0.2013 * 12 / 17)]],
        },
    ),
    "worlds, figure 2": (
        worlds_plots.Risk,
        [MANY, EXAMPLE],
        {
            0: FOUR.risk_bound,
            1: FOUR.risk,
            2: FOUR.guess_rate,
            "by the bound up to here": [[EXAMPLE.epsilon_bound, 1 / 3]],
            "in truth up to here": [[EXAMPLE.largest_epsilon, 1 / 3]],
            -1: [[2, FOUR.risk(2)]],
        },
    ),
}
for kind, told in {
    "": EXAMPLE,
    " of many": MANY,
    " of all alike": ALIKE,
}.items():
    MARKS[f"worlds, posteriors{kind}"] = (
        worlds_plots.Posteriors,
        [told],
        {
            **{at: posteriors_of(told, at) for at in range(len(told.drawn))},
            -1: [[told.answer, told.posterior.max()]],
        },
    )
for law, swapped in product(
    ({"mechanism": "gaussian", "mu": 0.5}, COIN), (False, True)
):
    one = release(**law, swapped=swapped)
    MARKS[f"loss, δ, {one.mechanism}, {swapped}"] = (
        loss_plots.DeltaCurve,
        [one],
        {
            0: one.law.tail,
            1: one.law.delta,
            2: one.other.law.delta,
            # Where no ε has this δ, it is at the right edge.
            -1: [[min(one.epsilon, style.ruler(1.05 * one.reach)), 1e-6]],
        },
    )
for against in bayes.AXES:
    along = bayes.compare(50, 0.3, 0.5, 0.2, against)
    MARKS[f"bayes, errors against {against}"] = (
        bayes_plots.Errors,
        [along],
        {
            **{
                at: np.column_stack([along.x, along.error_curves[name]])
                for at, name in enumerate(bayes.ESTIMATORS)
            },
            -2: [[along.present, along.errors["naive"]]],
            -1: [[along.present, along.errors["posterior mean"]]],
        },
    )
for name, kept in KEPT.items():
    moved = [breach.attribute(one).sensitivity for one in KEPT]
    MARKS[f"breach, priors, {name}"] = (
        breach_plots.ScaleAgainstPrior,
        [kept],
        {
            **{
                at: lambda x, each=each: breach.scale(x, 0.2, each)
                for at, each in enumerate(moved)
            },
            -1: [[0.05, kept.scale]],
        },
    )
    MARKS[f"breach, posteriors, {name}"] = (
        breach_plots.ScaleAgainstPosterior,
        [kept],
        {
            **{
                at: lambda x, each=each: breach.scale(0.05, x, each)
                for at, each in enumerate(moved)
            },
            -1: [[0.2, kept.scale]],
        },
    )


@pytest.mark.parametrize(
    ("kind", "results", "marks"), MARKS.values(), ids=MARKS
)
def test_a_line_is_where_its_calculator_says(kind, results, marks):
    plot = updated(kind, *results)
    names = named(plot)
    for which, wanted in marks.items():
        line = names[which] if which in names else plot.axes.lines[which]
        x, y = line.get_data()
        if callable(wanted):
            assert y == pytest.approx(wanted(x), abs=1e-9), which
        elif isinstance(wanted, float):
            assert {*x} == {wanted}, which
        else:
            assert line.get_xydata() == pytest.approx(
                np.array(wanted), abs=1e-5
            ), which


EVERY_GOAL = decide(
    **HOSPITAL | {"n": None, "releases": 2},
    **GOALS,
    error=9,
    success=0.8,
    values=[1, 0, 0, 0],
)
TABLE = decide(
    **HOSPITAL | {"published": "table", "cells": 12},
    **GOALS,
    interval_cells="all at once",
)
LINES = (
    "interval: within ±5%",
    "error on average: at most 9 patients",
    "risk of being identified: at most 33.3334%, 2 releases",
    "belief: 20% to 40%, 2 releases",
    "success: at most 80%, 2 releases",
    "budget: ε = 1, 2 releases",
)


@pytest.mark.parametrize(
    ("kind", "results", "line"),
    [
        (
            loss_plots.LawOfLoss,
            [MANY_RELEASES, release("binomial", trials=2, delta=0.1)],
            "infinite →",
        ),
        (
            worlds_plots.Answers,
            [HALF],
            f"{percent(HALF.beyond)} of all answers fall outside",
        ),
        (
            choice_plots.Goals,
            [EVERY_GOAL, TABLE],
            "interval: within ±5%, all cells",
        ),
    ],
)
def test_a_picture_says_a_line(kind, results, line):
    said = " ".join(written(updated(kind, *results).axes))
    assert line in " ".join(said.split())


def test_interval_the_answer_shades_the_share_it_names():
    plot = updated(interval_plots.Answer, PRECISION)
    corners = plot.axes.patches[0].get_xy()
    area = np.trapezoid(corners[1:-2, 1], corners[1:-2, 0])
    # Of the area under e^(−ε|x−c|).
    assert area / (2 / PRECISION.epsilon) == pytest.approx(0.8, abs=2e-4)
    ends = corners[:, 0].min(), corners[:, 0].max()
    assert ends == pytest.approx((80, 120))


@pytest.mark.parametrize("answer", [40, 1000, -1000])
@pytest.mark.parametrize("n", [100, 800])
def test_bayes_one_answer_has_its_three_laws_and_both_estimates(answer, n):
    """Far outside too, where the likelihood still shows how it weighs the counts from 0 to n."""
    one = bayes.estimate(answer, n, 0.3, 0.1)
    plot = updated(bayes_plots.OneAnswer, one)
    drawn, (low, high) = named(plot), plot.axes.get_xlim()
    for name, masses in (("posterior", one.posterior), ("prior", one.prior)):
        heights, edges, _ = drawn[name].get_data()
        counts = (edges[:-1] + 0.5).astype(int)
        assert heights == pytest.approx(
            masses[np.searchsorted(one.counts, counts)] / masses.max()
        )
        assert {
            *one.counts[(one.counts > low - 1) & (one.counts < high + 1)]
        } <= {*counts}
    x, share = drawn["likelihood"].get_data()
    nearest = min(max(answer, 0), n)
    assert 0 <= x.min() < x.max() <= n
    assert np.log(share) == pytest.approx(
        0.1 * (abs(nearest - answer) - np.abs(x - answer))
    )
    ends, mean = plot.axes.lines[-2:]
    others, cut, *_ = plot.above.lines
    inside = (low <= one.worlds[:, 1]) & (one.worlds[:, 1] <= high)
    assert len(others.get_xdata()) + len(cut.get_xdata()) == inside.sum()
    assert (np.abs(cut.get_ydata() - answer) <= 0.02 * (high - low)).all()
    assert set(cut.get_xdata()) <= {*one.counts}
    assert (*ends.get_xdata(), *mean.get_xdata()) == (*one.interval, one.mean)
    assert (
        low
        < min(one.interval[0], nearest)
        <= max(one.interval[1], nearest)
        < high
    )


@pytest.mark.parametrize(("epsilon", "marker"), [(0.001, "<"), (40, ">")])
def test_bayes_more_privacy_is_to_the_left_and_what_lies_beyond_points_there(
    epsilon, marker
):
    axes = updated(bayes_plots.Errors, bayes.compare(50, 0.3, epsilon)).axes
    left, right = axes.get_xlim()
    assert left < right  # as on every slider of ε
    assert axes.lines[-1].get_marker() == marker
    assert axes.lines[-1].get_xdata() == [right if marker == ">" else left]


def test_loss_the_law_has_all_its_outcomes_and_its_mean():
    one, infinite = MANY_RELEASES, release("binomial", trials=2, delta=0.1)
    plot = updated(loss_plots.LawOfLoss, one)
    shares, edges, _ = named(plot)["outcomes"].get_data()
    assert shares.sum() == pytest.approx(1, abs=1e-6)
    total = (shares * (edges[1:] + edges[:-1])).sum() / 2
    assert total == pytest.approx(one.law.mean(), abs=edges[1] - edges[0])
    assert "mean" not in named(updated(loss_plots.LawOfLoss, one, infinite))


def test_worlds_the_bars_are_the_posteriors_with_names_and_numbers():
    bars = updated(worlds_plots.Answers, FIFTY, EXAMPLE).bars
    lengths = [end for _, (end, _) in bars.collections[0].get_segments()]
    assert lengths == pytest.approx(
        Worlds([1, 2, 3, 10]).posterior(2.2013, 2)[::-1]
    )
    assert [name for _, _, name, _ in bars.staying] == [
        "Terry",
        "Pat",
        "Kelly",
        "Chris",
    ]
    assert said(bars) == ["61.8%", "15.8%", "12.5%", "9.88%"]
    weights = [text.get_weight() for text in bars.still]
    assert weights == ["bold"] + 3 * ["normal"]
    sure = disclosure(STUDENTS, epsilon=100, risk=1 / 3, answer=2)
    shares = said(updated(worlds_plots.Answers, sure).bars)
    assert shares == ["≈ 100%", "≈ 0", "≈ 0", "≈ 0"]
    bars = updated(worlds_plots.Answers, FIFTY).bars
    rows = sorted(y for _, y, _, _ in bars.staying)
    assert len(rows) == len(FIFTY.drawn)
    assert np.diff(rows).min() > 0.06  # labels that do not touch


def test_worlds_one_is_known_by_its_name_as_the_font_can_or_by_value_and_place():
    label = worlds_plots.label
    assert (
        label(disclosure([1, 2.5, -3], epsilon=1, risk=0.5), 2) == "−3 (3rd)"
    )
    assert (
        label(disclosure([1, 2, 9.2e11], epsilon=1, risk=0.5), 2)
        == "9.2e11 (3rd)"
    )
    shown = {
        "$x^2$": "$x^2$",
        "a name without an end": "a name witho…",
        "名": "□",
        "two\nlines": "two□lines",
        "_x": "_x",
    }
    odd = disclosure(
        {name: at for at, name in enumerate(shown)}, epsilon=1, risk=0.5
    )
    assert [label(odd, world) for world in range(5)] == [*shown.values()]


@pytest.mark.parametrize(
    "kind", [worlds_plots.Answers, worlds_plots.Posteriors]
)
def test_worlds_of_many_the_guess_stands_out_and_the_picture_says_which_are_drawn(
    kind,
):
    axes, many = updated(kind, EXAMPLE, MANY).axes, len(MANY.drawn)
    widths = [
        one.get_linewidth() for one in axes.lines if one.get_linestyle() == "-"
    ]
    assert sorted(widths[:many]) == [0.9] * (many - 1) + [2.6]
    assert written(axes)[0].startswith(
        f"{many} of 5,000 worlds: the extremes,\nthe quartiles"
    )


def test_breach_beliefs_touch_the_forbidden_corner_and_their_ticks_are_shares():
    axes = updated(breach_plots.Beliefs, SURE, PROMISED).axes
    (forbidden,) = axes.patches
    corner = forbidden.get_xy()[1]
    assert corner == pytest.approx(logit([1 / 74, 0.2]))
    ticks = [words.get_text() for words in axes.get_xticklabels()]
    shares = [float(words.rstrip("%")) / 100 for words in ticks]
    assert expit(axes.get_xticks()) == pytest.approx(shares)


def test_breach_the_attack_has_a_bar_for_each_candidate():
    one = promise(prior=0.2, epsilon=2, answer=5.041)
    plot = updated(
        breach_plots.AttackBars, promise(prior=0.2, epsilon=9, answer=-30), one
    )
    heights = [bar.get_height() for bar in plot.axes.patches]
    assert heights == pytest.approx(
        [0.073, 0.092, 0.114, 0.178, 0.542], abs=5e-4
    )
    limit = named(plot)["no one answer can bring it above"].get_ydata()
    assert limit[0] == pytest.approx(breach.posterior(0.2, 2))
    own, answer = plot.above.lines
    assert own.get_xdata() == pytest.approx([1.75, 2, 2.25, 2.75, 4])
    assert answer.get_xdata() == [5.041]


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 9])
def test_what_is_drawn_beyond_the_frame_is_an_arrowhead_at_its_edge(epsilon):
    told = disclosure(STUDENTS, epsilon=epsilon, risk=1 / 3)
    kept = promise(prior=0.2, epsilon=epsilon)
    answers = np.array([-70.0, -7.46, 1.5, 3.0, 60.0])
    for kind, result, panel in (
        (worlds_plots.Answers, told, "axes"),
        (breach_plots.AttackBars, kept, "above"),
    ):
        axes = getattr(
            updated(kind, Drawn(result, 0, answers, answers)), panel
        )
        low, high = axes.get_xlim()
        places = {marker: set() for marker in "<>|D"}
        for line in axes.lines:
            if (
                line.get_color() in (style.INK, ASKED["color"])
                and line.get_marker() in places
            ):
                places[line.get_marker()] |= {*line.get_xdata()}
        assert places == {
            "<": {low},
            ">": {high},
            "|": {1.5, 3.0},
            "D": {1.5, 3.0},
        }


def test_worlds_what_was_asked_moves_the_beliefs():
    asked = np.array([1.5, 3.0])
    bars = updated(worlds_plots.Answers, Drawn(HALF, 0, asked, asked)).bars
    (diamonds,) = [one for one in bars.lines if one.get_marker() == "D"]
    after = HALF.after(asked)[[*HALF.drawn]]
    assert diamonds.get_xdata() == pytest.approx(after)


def test_choice_every_goal_has_a_bar_and_what_all_allow_another_above_them():
    result = EVERY_GOAL
    plot = updated(choice_plots.Goals, decide(error=3), result)
    low, high = plot.axes.get_xlim()
    feasible = result.choice.feasible.epsilons(result.case)
    boxes = [
        (box.get_x(), box.get_x() + box.get_width())
        for box in plot.axes.patches
    ]
    *bars, common = boxes
    assert common == pytest.approx(feasible)
    assert plot.axes.patches[-1].get_y() < 0  # above the rows
    for span, goal in zip(bars, result.goals, strict=True):
        one = goal.scales(result.case).epsilons(result.case)
        assert span == pytest.approx((max(one[0], low), min(one[1], high)))
    line, foot = plot.axes.lines
    assert {*line.get_xdata(), *foot.get_xdata()} == {0.2}
    words = [word for _, _, word, _ in plot.axes.staying if word]
    assert words[0] == "scale of the noise, in patients"
    assert words[1:5] == ["100", "10", "1", "0.1"]
    assert " ".join(words[5:]) == " ".join(LINES)


@pytest.mark.parametrize(
    ("changed", "missing"), [({"releases": 12}, 0), ({"prior": 0.5}, 1)]
)
def test_choice_without_a_common_part_there_is_no_bar_above_the_others(
    changed, missing
):
    """For two goals contradict each other, or nothing meets one."""
    result = decide(**HOSPITAL | changed, **GOALS)
    axes = updated(
        choice_plots.Goals, decide(**HOSPITAL, **GOALS), result
    ).axes
    assert len(axes.patches) == 3 - missing
    assert written(axes).count("no noise does that") == missing


def test_choice_stress_is_drawn_as_shares_of_the_limits():
    result = decide(**HOSPITAL, **GOALS)
    plot = updated(choice_plots.UnderStress, decide(error=3), result)
    told = [row.name for row in result.stress]
    for prior in ("a prior of 50%", "a prior of 90%"):
        told.insert(told.index(prior) + 1, "begins above it")
    assert [*filter(None, written(plot.axes))] == told
    assert [*named(plot)] == ["interval", "belief", "budget"]
    for column, marker in enumerate("osD"):
        marks = [one for one in plot.axes.lines if one.get_marker() == marker]
        shares = [row.outcomes[column].share for row in result.stress]
        assert sorted(x for one in marks for x in one.get_xdata()) == sorted(
            share for share in shares if share
        )
        # What is right of 1 looks wrong, whatever the goal's own colour is.
        for one in marks:
            is_missed = max(one.get_xdata(), default=0) > 1 + 1e-9
            assert (one.get_color() == style.BAD) == is_missed
    nobody = decide(posterior=0.5, epsilon=0.2)
    axes = updated(choice_plots.UnderStress, result, nobody).axes
    assert written(axes).count("cannot be said") == 1
    assert choice_plots.UnderStress.says(nobody) == "No goal is met."
    # The interval then asks for less noise.
    far = decide(**HOSPITAL | {"reference": 4}, **GOALS)
    arrows = [
        one
        for one in updated(choice_plots.UnderStress, far).axes.lines
        if one.get_marker() == ">"
    ]
    beyond = [row for row in far.stress if (row.outcomes[0].share or 0) > 30]
    assert sum(len(one.get_xdata()) for one in arrows) == len(beyond) == 3
    # Of as many goals as there may be, no mark hides another one.
    every = decide(**HOSPITAL, **GOALS, error=3, success=0.6, rho=0.1)
    plot = updated(choice_plots.UnderStress, every)
    marks = {
        one.get_ydata()[0] * plot.line: one for one in plot.axes.lines[1:]
    }
    assert (
        min(np.diff(sorted(marks))) > 0.6 * marks[max(marks)].get_markersize()
    )


@pytest.mark.parametrize("rows", ["first", "all"])
def test_meanings_every_one_is_a_row_with_its_number_its_mark_and_both_ends(
    rows,
):
    result = portrait(0.5, rows=rows, **HOSPITAL)
    plot = updated(
        meanings_plots.Rows, portrait(3, rows="all", **HOSPITAL), result
    )
    staying = [word for _, _, word, _ in plot.axes.staying]
    # Of the first two the ends of ε, and of each its own two.
    for row in result.rows:
        assert row.meaning.name in staying
    ends = 2 + 2 * len(result.rows)
    names = [one for one in staying if one not in meanings.GETS]
    assert len(names) == ends + len(result.rows)
    values = said(plot.axes)
    assert values == [row.meaning.shown(row.value) for row in result.rows]
    (left, _), (right, _) = plot.axes.collections[0].get_segments()[0]
    places = (plot.axes.lines[0].get_xdata() - left) / (right - left)
    assert places == pytest.approx([row.place for row in result.rows])
    down = np.diff(plot.axes.lines[0].get_ydata()) / plot.axes.get_ylim()[0]
    steps = np.diff([top for top, *_ in plot.rows])
    assert steps == pytest.approx(down * plot.axes.get_position().height)
    still = plot.still(result, "the words")  # as high as its rows
    height = Image.open(io.BytesIO(still.png)).height / 1.5
    # A pixel may be cut off.
    assert still.size[1] == pytest.approx(height, abs=1)


def test_meanings_a_mark_beyond_its_scale_has_another_shape_and_published_epsilons_are_marked():
    result = portrait(20, published="count")
    marks = {
        one.get_marker(): one
        for one in updated(meanings_plots.Rows, result).axes.lines
    }
    assert (
        len(marks[">"].get_xdata())
        == sum(row.place > 1 for row in result.rows)
        > 0
    )
    lines = updated(meanings_plots.Published, result).axes.lines
    published = sorted(x for line in lines[:3] for x in line.get_xdata())
    assert published == pytest.approx(
        sorted(one.epsilon for one in meanings.deployments())
    )
    assert {x for line in lines[3:] for x in line.get_xdata()} == {20}


@pytest.mark.parametrize("narrow", [False, True])
def test_published_each_deployment_has_its_whole_name_and_on_a_phone_its_epsilon(
    narrow,
):
    plot = meanings_plots.Published.shared()
    plot.layers(portrait(20, published="count"), narrow=narrow)
    words = [word for _, _, word, _ in plot.axes.staying]
    assert words == [
        word
        for one in meanings.deployments()
        for word in (
            one.written if narrow else f"{one.unit}, {one.period}",
            one.name,
        )
    ]
