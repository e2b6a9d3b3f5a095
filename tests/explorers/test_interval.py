"""What can be moved, typed, slid, refused and taken back."""

import re

import numpy as np
import pytest

from dpwidgets import (
    BayesExplorer,
    BreachExplorer,
    IntervalExplorer,
    LossExplorer,
)
from dpwidgets.calculators import breach, interval
from dpwidgets.inputs.notation import show
from tools import EXPLORERS, ask, enabled, press, shown, visible


@pytest.fixture
def explorer():
    return IntervalExplorer()


@pytest.mark.parametrize(
    ("kind", "calculator"),
    [(IntervalExplorer, interval), (BreachExplorer, breach)],
)
def test_each_follows_from_the_others(kind, calculator):
    explorer, names = kind(), kind.solve_for.options
    for name in names:
        explorer.solve_for = name
        given = {one: getattr(explorer, one) for one in names if one != name}
        assert getattr(explorer, name) == getattr(calculator, name)(**given)
        assert [one for one in names if shown(explorer, one)["solved"]] == [
            name
        ]
        assert (
            shown(explorer, name)["text"] == f"{getattr(explorer, name):.5g}"
        )


def test_a_number_that_is_given_is_given_and_another_follows(explorer):
    explorer.epsilon = 0.5
    assert (explorer.epsilon, explorer.solve_for) == (0.5, "confidence")
    explorer.confidence = 0.6
    assert (explorer.confidence, explorer.solve_for) == (0.6, "epsilon")
    explorer.solve_for = "count"
    explorer.count = 7
    assert explorer.solve_for == "confidence"
    assert IntervalExplorer(epsilon=0.5).solve_for == "confidence"
    assert (
        IntervalExplorer(epsilon=0.5, confidence=0.9).solve_for == "half_width"
    )
    assert IntervalExplorer(
        epsilon=0.5, solve_for="count"
    ).count == pytest.approx(16.094379)
    for rest in (
        {"confidence": 0.9, "half_width": 0.1, "count": 5},
        {"solve_for": "epsilon"},
    ):
        with pytest.raises(ValueError, match="cannot all be given"):
            IntervalExplorer(epsilon=0.5, **rest)
    explorer = IntervalExplorer(epsilon=50)
    # Less than 50 is enough for what floats leave of the confidence.
    explorer.solve_for = "epsilon"
    assert explorer.epsilon == interval.epsilon(0.2, 1 - 2**-53, 100)
    assert explorer.messages == {}


def test_the_slider_moves_the_number_and_stands_beside_one_that_is_typed(
    explorer,
):
    # Beyond the slider is its end.
    for place, value in ((29, 0.3), (-5, 0.01), (10**6, 1.0)):
        ask(explorer, "half_width", place=place)
        assert explorer.half_width == value
    assert shown(explorer, "half_width")["text"] == "1"
    explorer.half_width = 7.5
    says = shown(explorer, "half_width")
    assert (
        says["place"]
        == says["max"]
        == len(IntervalExplorer.half_width.grid) - 1
    )
    assert says["text"] == "7.5"
    explorer.solve_for = "confidence"
    ask(explorer, "epsilon", text="0,0805")
    place = shown(explorer, "epsilon")["place"]
    assert IntervalExplorer.epsilon.grid[place] == pytest.approx(0.08)
    explorer.count = 200
    assert explorer.epsilon == 0.0805
    assert shown(explorer, "epsilon")["text"] == "0,0805"  # as it was typed


def test_the_words_tell_the_value_and_not_the_nearest_stop(explorer):
    # As many digits as in the box.
    assert shown(explorer, "epsilon")["spoken"] == "ε = 0.080472"
    explorer.half_width, explorer.count = 0.123456789, 10**7
    assert shown(explorer, "half_width")["spoken"] == "w = 0.123456789"
    assert shown(explorer, "count")["spoken"] == "c = 10,000,000"
    assert shown(LossExplorer(), "trials")["spoken"] == "Trials = 20"


def test_what_is_typed_stays_as_it_was_typed_until_something_else_changes_it(
    explorer,
):
    typed = " 80% "
    for change, text in (
        (
            lambda: explorer.go_to(half_width=0.8, count=70, view="curves"),
            "0.8",
        ),
        (lambda: setattr(explorer, "count", 80), typed),
        # Nothing has changed.
        (lambda: setattr(explorer, "half_width", 0.8), typed),
        (lambda: setattr(explorer, "half_width", 0.4), "0.4"),
        (lambda: ask(explorer, "half_width", place=9), "0.1"),
        # Now it follows, and nobody has typed what it is.
        (lambda: setattr(explorer, "solve_for", "half_width"), "0.8"),
    ):
        ask(explorer, "half_width", text=typed)
        change()
        assert shown(explorer, "half_width")["text"] == text
    explorer.solve_for = "epsilon"
    assert shown(explorer, "half_width")["text"] == "0.8"


def test_bad_text_gets_a_message_and_loses_nothing(explorer):
    last, sentence = explorer.still.png, explorer.sentence
    for text, message in {
        "abc": "“abc” is not a number; write it like 0.08, 0,08, 1e-3, 80%, 1/3 or ln 3",
        "-1": "half_width must be a number from 1e-12 to 1e12; got -1",
        "": "a number is missing",
    }.items():
        ask(explorer, "half_width", text=text)
        says = shown(explorer, "half_width")
        assert message in says["message"] == explorer.messages["half_width"]
        assert (says["text"], explorer.half_width) == (text, 0.2)
        assert (explorer.still.png, explorer.sentence) == (last, sentence)
        assert shown(explorer, "picture")["stale"]
        ask(explorer, "half_width", text="0.2")  # the value from before
        assert explorer.messages == {}
        assert shown(explorer, "half_width")["message"] == ""
        assert not shown(explorer, "picture")["stale"]


def test_what_is_refused_stays_where_a_number_follows_another_and_goes_where_it_is_solved_for(
    explorer,
):
    errors = BayesExplorer(view="errors")
    ask(errors, "true_p", text="O.3")
    ask(errors, "p", place=20)
    assert shown(errors, "true_p")["text"] == "O.3"
    assert "“O.3” is not a number" in shown(errors, "true_p")["message"]
    assert errors.true_p == errors.p == 0.2
    ask(explorer, "half_width", text="abc")
    explorer.solve_for = "half_width"
    assert shown(explorer, "half_width")["text"] == "0.2"
    assert not explorer.messages


def test_it_opens_with_the_named_controls_and_one_click_shows_the_rest():
    explorer = BreachExplorer(only=("prior", "attack"))
    views = list(BreachExplorer.view.options)
    attack = views.index("attack")
    assert visible(explorer) == {"prior", "view"}
    assert shown(explorer, "view")["only"] == [0, attack]
    explorer.prior = 0.1  # ε, which follows, moves too
    assert visible(explorer) == {"prior", "view"}
    explorer.posterior, explorer.view = 0.3, "priors"  # from elsewhere
    assert visible(explorer) == {"prior", "posterior", "view"}
    assert shown(explorer, "view")["only"] == [0, 1, attack]
    press(explorer, "all")
    whole = BreachExplorer(view="priors")
    assert visible(explorer) == visible(whole)
    assert shown(explorer, "all")["hidden"]
    assert "all" not in whole._shown
    assert "only" not in shown(whole, "view")
    with pytest.raises(ValueError, match="only must be one of 'epsilon'"):
        IntervalExplorer(only=("halfwidth",))


def test_a_number_stands_in_its_box_as_the_sentence_has_it_or_says_so():
    for count in (100, 271, 1234, 31_007):
        explorer = IntervalExplorer(count=count)
        *_, said = explorer.sentence.partition("ε = ")
        said = re.split(r",| and", said)[0]
        text = shown(explorer, "epsilon")["text"]
        assert said in (text, show(explorer.epsilon))
    ask(explorer, "epsilon", text="0.0209423")
    assert "ε = 0.021 " in explorer.sentence
    assert shown(explorer, "epsilon")["text"] == "0.0209423"
    assert "rounded to 0.021" in shown(explorer, "epsilon")["remark"]


def test_undo_goes_back_one_move_at_a_time_and_start_over_to_the_start():
    explorer = IntervalExplorer(half_width=0.3)
    start, sentence = explorer.state, explorer.sentence
    assert enabled(explorer, "undo", "over") == [False, False]
    ask(explorer, "undo", pressed=True)
    assert explorer.state is start
    for place in (10, 11, 12):  # one drag
        ask(explorer, "half_width", place=place, move="1")
    ask(explorer, "half_width", place=40, move="2")
    ask(explorer, "count", text="abc", move="3")
    assert explorer.messages
    assert enabled(explorer, "undo", "over") == [True, True]
    press(explorer, "undo")
    assert (explorer.messages, explorer.half_width) == ({}, 0.41)
    press(explorer, "undo")
    assert explorer.half_width == 0.13
    explorer.count = 50  # by Python: no move of the reader's
    press(explorer, "undo")
    assert (explorer.sentence, explorer.state) == (sentence, start)
    assert enabled(explorer, "undo", "over") == [False, False]
    ask(explorer, "confidence", text="0.9", move="4")
    ask(explorer, "epsilon", text="0.1", move="5")  # another one follows now
    ask(explorer, "over", pressed=True, move="6")
    assert (explorer.sentence, explorer.state.solved) == (sentence, "epsilon")
    press(explorer, "undo")
    assert (explorer.epsilon, explorer.state.solved) == (0.1, "confidence")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "view"),
    [(kind, view) for kind in EXPLORERS for view in kind.view.options],
)
def test_a_share_of_a_handles_way_is_the_nearest_stop(kind, view):
    explorer = kind(view=view)
    for handle in explorer._layers.handles:
        name, stops = handle.name, explorer._grid(handle.name)
        at = [
            one for one in explorer._layers.handles if one.name == name
        ].index(handle)
        shares = np.array([handle.share(stop) for stop in stops])
        way = np.sign(shares[-1] - shares[0])  # an axis may be turned round
        assert (way * np.diff(shares) >= -1e-12).all()  # but for rounding
        assert handle.at == pytest.approx(
            handle.share(explorer.state.values[name]), abs=1e-9
        )
        if name == explorer.state.solved:
            continue
        for share in (0.3, 0.71):
            ask(explorer, name, share=share, handle=at)
            least = np.abs(shares - share).min()
            found = handle.share(explorer.state.values[name])
            assert abs(found - share) == pytest.approx(least, abs=1e-9)
        explorer.go_to()
