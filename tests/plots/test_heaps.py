"""Worlds as dots: each is one, where its number is, and a cross where the line is wrong."""

import math
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from dpwidgets import AttackExplorer
from dpwidgets.calculators import attack
from dpwidgets.calculators.loss import laplace
from dpwidgets.inputs.notation import show, times
from dpwidgets.plots import style
from dpwidgets.plots.attack import BothWorlds, TradeOff, TwoErrors
from dpwidgets.plots.heaps import columns
from dpwidgets.plots.panel import Drawn
from tools import named, updated

DIVIDED = {
    f"{line}, {releases}": attack.divide(0.4, releases, line)
    for releases in (1, 2, 12, 45, 100)
    for line in (0.21, 0.9)
}
SCORES = attack.member(1.0, threshold=80)


@pytest.mark.slow
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(
    ("kind", "one"),
    [*product([BothWorlds], DIVIDED.values()), (TwoErrors, SCORES)],
    ids=[*DIVIDED, "scores"],
)
def test_each_world_is_one_dot_and_a_cross_where_the_line_is_wrong(
    narrow, kind, one
):
    plot = kind()
    plot.layers(one, narrow=narrow)
    low, high = plot.axes.get_xlim()
    numbers, inside = one.worlds.T
    seen = (low < numbers) & (numbers <= high)
    drawn = named(plot)
    above = numbers > one.threshold + 5e-7
    wide = np.diff(columns(one))[0]
    for name, is_in, is_above in (
        (one.kinds[True], 1, True),
        ("a miss", 1, False),
        (one.kinds[False], 0, False),
        ("a false alarm", 0, True),
    ):
        x, y = drawn[name].get_data()
        assert ((y * (2 * is_in - 1) > 0) & (np.abs(y) <= 1)).all()
        # Each is where its number is, to a column.
        there = numbers[seen & (inside == is_in) & (above == is_above)]
        assert np.sort(x) == pytest.approx(np.sort(there), abs=wide)
    # No dot hides another one.
    dots = np.vstack([drawn[name].get_xydata() for name in drawn])
    apart = np.abs(dots[:, np.newaxis] - dots)
    near = (apart < 0.98 * np.array(plot.cell)).all(axis=2)
    assert near.sum() == len(dots)
    # And a cross is no smaller than a small one.
    assert drawn["a miss"].get_markersize() >= min(
        drawn[one.kinds[True]].get_markersize(), 3.9
    )


def test_at_a_stop_of_the_line_no_column_is_cut():
    for one in DIVIDED.values():
        stops = columns(one)
        at = replace(one, threshold=float(stops[len(stops) // 3]))
        drawn = named(updated(BothWorlds, at))
        for name in ("with you", "a false alarm"):
            assert (drawn[name].get_xdata() > at.threshold).all()


def test_the_headline_and_the_heaps_are_those_of_the_worlds():
    one = attack.divide(1.0, bound=0.5)
    plot = updated(BothWorlds, one)
    assert plot.told(one) == (
        "Of 100 with you 69 lie right of the line, of 100 without you 30."
    )
    with_you, without, _, hatched, *_ = plot.axes.patches
    heights = with_you.get_data().values
    assert hatched.get_hatch()
    top, _, floor = hatched.get_data()
    share = np.nansum(np.where(np.isnan(top), 0, top - floor)) / heights.sum()
    assert share == pytest.approx(one.delta, rel=0.02)
    below = without.get_data().values
    assert below == pytest.approx(-heights[::-1])


def test_what_is_drawn_stands_in_place_of_the_worlds_of_the_seed():
    one = attack.divide(1.0)
    draws = one.draw(0.0, np.random.default_rng(2), 350)
    plot = BothWorlds()
    for size in (0, 1, 350):
        drawn = Drawn(one, 0.0, draws[:size], draws[:0])
        plot.update(drawn)
        rows = draws[:size] if size else one.worlds
        hits, of = one.right_of(rows[-200:], True)  # those that are seen
        assert f"Of {of} with you {hits} lie right" in plot.told(drawn)
        low, high = plot.axes.get_xlim()
        dots = sum(line.get_xdata().size for line in named(plot).values())
        last = rows[-200:, 0]
        assert dots == ((low < last) & (last <= high)).sum()


@pytest.mark.parametrize(
    ("epsilon", "bound", "line"), [(1, 0.5, -9), (0.4, None, 0.5), (3, 2, -1)]
)
def test_who_drags_the_line_from_the_right_draws_the_trade_off_curve(
    epsilon, bound, line
):
    one = attack.divide(epsilon, threshold=line, bound=bound)
    law = laplace(epsilon)
    _, curve, now, *limit = updated(TradeOff, one).errors.lines
    alarms, misses = curve.get_data()
    assert misses == pytest.approx(1 - law.power(alarms))
    (alarm,), (miss,) = now.get_data()
    assert (alarm, 1 - miss) == pytest.approx(one.shares[::-1])
    assert alarm == alarms.max()
    assert len(limit) == (bound is not None)
    for each in limit:
        (_, end), (high, _) = each.get_data()
        assert high == pytest.approx(1 - law.delta(bound))
        above = misses - high * (1 - alarms / end)
        assert above.min() == pytest.approx(0, abs=0.01)
        assert (above > -1e-9).all()


@pytest.mark.parametrize(
    ("kind", "one", "scale"),
    [
        *product([BothWorlds, TradeOff], DIVIDED.values(), [1]),
        (TwoErrors, SCORES, 80),
    ],
)
@pytest.mark.parametrize("line", [-2, -0.2, 0.5, 0.8, 3])
def test_the_dots_and_all_that_there_could_be_are_said_of_the_same_two(
    kind, one, scale, line
):
    """Of both kinds the dots are about as many in a hundred as there are of all."""
    at = replace(one, threshold=scale * line)
    counted = re.findall(r"\d+", kind.says(at))
    shares = re.findall(r"[\d.e-]+%", kind.exactly(at))
    for count, share in zip(counted[1::2], shares, strict=True):
        assert abs(int(count) - float(share[:-1])) < 12


@pytest.mark.parametrize("line", [-3, 0.2, 0.5, 0.9, 4])
def test_on_the_line_both_laws_are_as_high_as_their_densities(line):
    """And the sentence says how many times as likely the one is."""
    explorer = AttackExplorer(view="worlds", epsilon=0.4, threshold=line)
    plot = updated(BothWorlds, explorer.result)
    dots = [one for one in plot.axes.lines if one.get_color() == style.INK]
    heights = [one.get_ydata()[0] for one in dots if one.get_marker() == "o"]
    with_you, without = heights
    lost = 0.4 * (abs(line) - abs(line - 1))
    assert -with_you / without == pytest.approx(math.exp(lost), rel=0.02)
    told = times(math.exp(abs(lost)))
    said = f"An answer on the line is {told} times as likely"
    assert (said in explorer.sentence) == (line != 0.5)
    several = AttackExplorer(view="worlds", releases=3, threshold=0.2)
    assert "on the line" not in several.sentence


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("epsilon", [1e-8, 0.02, 1, 50])
def test_one_person_and_the_noise_are_as_long_as_they_move_the_count(
    epsilon, narrow
):
    explorer = AttackExplorer(epsilon=epsilon, who="<b>$Ada$")
    layers = BothWorlds.shared().layers(explorer.result, narrow=narrow)
    axes = BothWorlds.shared().axes
    lengths = [one for one in axes.patches if isinstance(one, Rectangle)]
    one, noise = [length.get_width() for length in lengths]
    assert one / noise == pytest.approx(epsilon)
    assert one == 1
    # A hair is seen still, beside words that are in the frame.
    assert all(length.get_linewidth() >= 1 for length in lengths)
    left = axes.get_window_extent().x0
    who, scale = [text for text in axes.texts if ": " in text.get_text()]
    assert re.fullmatch(r"<b>\$(Ada\$|A?…): 1", who.get_text())
    assert scale.get_text() == f"noise: {show(1 / epsilon)}"
    assert min(one.get_window_extent().x0 for one in (who, scale)) >= left
    assert "<b>" not in layers.moving
    several = updated(BothWorlds, replace(explorer.result, releases=2))
    assert not any(isinstance(one, Rectangle) for one in several.axes.patches)


@pytest.mark.parametrize("view", ["worlds", "errors", "member"])
def test_whoever_is_named_is_named_everywhere(view):
    explorer = AttackExplorer(view=view, who="Ada", bound=2, threshold=0.2)
    assert {"with Ada", "without Ada"} <= {
        *named(updated(type(explorer).view.plots[view], explorer.result))
    }
    assert "you" not in explorer.sentence
    again = AttackExplorer.from_link(explorer.link())
    assert again.sentence == explorer.sentence
    for name in ("Ada\nBea", "\u202eadA", " ", 21 * "a"):
        with pytest.raises(ValueError, match="who must"):
            explorer.who = name
