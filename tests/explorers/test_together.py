"""An explorer among other widgets, and its picture on the page and in files."""

import html
import json
import re
from dataclasses import FrozenInstanceError
from xml.etree import ElementTree

import comm
import pytest
from ipywidgets import FloatSlider, Widget, dlink, link
from ipywidgets.embed import embed_snippet

from dpwidgets import (
    BreachExplorer,
    ChoiceExplorer,
    IntervalExplorer,
    LossExplorer,
    WorldsExplorer,
)
from dpwidgets.calculators import interval
from dpwidgets.plots.base import Plot
from tools import ask, assert_whole, every, main, shown, upload


def test_links_go_both_ways_one_way_and_in_the_page():
    one = IntervalExplorer()
    two = WorldsExplorer()
    slider = FloatSlider(value=0.3, max=1)
    link((one, "half_width"), (slider, "value"))
    assert slider.value == 0.2
    slider.value = 0.5
    assert one.result == interval.precision(
        half_width=0.5, confidence=0.8, count=100
    )
    ask(one, "half_width", place=29)
    assert slider.value == 0.3
    dlink((one, "epsilon"), (two, "epsilon"))
    one.half_width = 0.4  # ε follows from it
    assert two.epsilon == one.epsilon == two.result.epsilon
    two.epsilon = 1
    assert one.solve_for == "epsilon"
    assert one.epsilon == one.result.epsilon != 1
    two.set_state({"epsilon": 0.25})  # as with `jslink`
    assert two.result.epsilon == two.get_state()["epsilon"] == 0.25
    one.set_state({"count": 50, "view": "curves"})  # several at once
    assert (one.result.count, one.view) == (50, "curves")
    assert_whole(one)
    assert_whole(two)


@every
def test_saved_widget_state_holds_each_parameter_the_sentence_and_the_picture(
    kind,
):
    explorer = kind()
    with pytest.raises(FrozenInstanceError):
        setattr(explorer.result, next(iter(vars(explorer.result))), 0)
    explorer.epsilon = 0.3
    saved = json.loads(
        json.dumps(Widget.get_manager_state(widgets=[explorer]))
    )
    state = saved["state"][explorer.model_id]["state"]
    # A page cannot link columns.
    for name in set(kind.parameters()) - {"values", "p", "q", "before"}:
        assert state[name] == getattr(explorer, name), name
    assert repr(explorer) == state["sentence"] == explorer.sentence
    assert state["_still"].startswith("<svg ")
    assert state["_moving"].startswith("<svg ")
    # A page without a kernel shows it.
    assert {"_about", "_esm", "_css"} <= set(state)
    assert explorer.model_id in embed_snippet(views=[explorer])


def test_values_that_only_together_are_allowed_come_together_from_a_page_and_from_python():
    paged, held = BreachExplorer(), BreachExplorer()
    paged.set_state({"prior": 0.3, "posterior": 0.5})
    with held.hold_trait_notifications():
        held.prior, held.posterior = 0.3, 0.5
    assert paged.result.prior == held.result.prior == 0.3
    assert_whole(paged)
    assert_whole(held)


@pytest.mark.slow
@every
def test_who_observes_one_parameter_may_set_another_of_the_same_explorer(kind):
    """In the middle of an update, and nobody hears anything older afterwards."""
    explorer, told = kind(), []
    view = list(kind.view.options)[-1]
    moved = "epsilon" if "epsilon" in explorer.parameters() else "factor"
    explorer.observe(lambda _: setattr(explorer, "view", view), moved)
    for name in ("result", "sentence", "code"):
        explorer.observe(
            lambda change: told.append((change["name"], change["new"])), name
        )
    setattr(explorer, moved, 0.3217)
    assert (getattr(explorer, moved), explorer.view) == (0.3217, view)
    assert all(
        value == getattr(explorer, name) for name, value in dict(told).items()
    )
    assert_whole(explorer)


def test_an_observer_that_raises_keeps_nothing_from_being_shown():
    explorer = IntervalExplorer()
    explorer.observe(lambda _: 1 / 0, "epsilon")
    with pytest.raises(ZeroDivisionError):
        explorer.half_width = 0.3
    assert_whole(explorer)
    with pytest.raises(ZeroDivisionError):
        ask(explorer, "half_width", place=3)
    assert shown(explorer, "")["turn"] == explorer._asked["turn"]
    assert_whole(explorer)


@pytest.mark.parametrize("name", ["bring", "count"])
def test_a_file_does_not_stay_in_the_state(name):
    explorer = ChoiceExplorer()
    secret = b"age,name\n" + b"41,Ann\n29,Bob\n50,Cy\n" * 2000
    upload(explorer, name, secret)
    assert "a record is JSON" in shown(explorer, "record wrong")["text"]
    assert set(explorer._asked) == {"turn"}
    assert shown(explorer, "")["turn"] == explorer._asked["turn"]
    state = json.dumps(explorer.get_state(), default=str)
    assert "Ann" not in state
    assert len(state) < 200_000


def step(explorer):
    """Move a slider by one stop."""
    name = main(type(explorer))
    ask(explorer, name, place=shown(explorer, name)["place"] + 1)


@pytest.mark.slow
@every
def test_one_message_opens_it_beside_its_layout_and_one_answers_each_step(
    kind, monkeypatch
):
    sent = []

    def watch(_, message, data=None, **rest):
        sent.append((message, (data or {}).get("state", {})))

    monkeypatch.setattr(comm.DummyComm, "publish_msg", watch)
    explorer = kind()
    assert [message for message, _ in sent] == ["comm_open"] * 2
    step(explorer)  # where the frame follows the number, it may change once
    for _ in range(3):
        sent.clear()
        step(explorer)
        ((message, state),) = sent
        assert message == "comm_msg"
        assert {"_shown", "_moving", "sentence"} <= set(state)
        assert "_asked" not in state
        assert not {"_about", "_esm", "_css"} & set(state)
        if "_still" not in state:
            assert len(json.dumps(state)) < 60_000
    sent.clear()
    setattr(explorer, main(kind), 0.4)  # from Python too
    ((_, state),) = sent
    assert {main(kind), "_shown", "_moving"} <= set(state)
    assert state[main(kind)] == 0.4
    sent.clear()
    # What is refused draws no picture.
    ask(explorer, main(kind), text="abc")
    ((_, state),) = sent
    assert set(state) == {"_shown"}


@every
def test_a_step_computes_says_and_draws_once_and_draws_a_png_only_for_a_notebook(
    kind, monkeypatch
):
    explorer, done = kind(), []
    for owner, name in (
        (kind, "arguments"),
        (kind, "say"),
        (Plot, "layers"),
        (Plot, "png"),
    ):
        does = getattr(owner, name)
        monkeypatch.setattr(
            owner,
            name,
            lambda *of, does=does, name=name, **more: (
                done.append(name),
                does(*of, **more),
            )[1],
        )
    step(explorer)
    assert done == ["arguments", "say", "layers"]
    explorer._repr_mimebundle_()
    explorer._repr_mimebundle_()
    assert done.count("png") == 1


@pytest.mark.slow
@every
def test_a_layer_is_clean_svg_in_the_pages_colors_that_stands_on_its_own(kind):
    both = kind(), kind()
    for view in kind.view.options:
        every_id = []
        for explorer in both:
            explorer.view = view
            for layer in (explorer._still, explorer._moving):
                unclean = (
                    r"<\?xml|<!DOCTYPE|<!--|metadata|<style|\bDate\b|nan|inf\b"
                )
                assert not re.search(unclean, layer)
                tree = ElementTree.fromstring(layer)
                assert tree.get("aria-hidden") == "true"
                ids = [one.get("id") for one in tree.iter() if one.get("id")]
                assert set(
                    re.findall(r'(?:url\(|href=")#(\w+)', layer)
                ) <= set(ids)
                every_id += ids
                bare = re.sub(r"var\(--dpw-(\w+),(#\w{6})\)", "", layer)
                assert not re.findall(r"#[0-9a-f]{6}(?=[;\"])", bare)
        # No other picture on the page has one of them.
        assert len(every_id) == len(set(every_id))


def test_words_are_never_taken_for_colors_or_marks():
    explorer = WorldsExplorer(
        values={"<b>#0072b2": 1, "fill: #222222": 2, 'a" b': 10}
    )
    for layer in (explorer._still, explorer._moving):
        assert "<b>" not in layer
    shown = html.unescape(explorer._still)  # as names do not move
    assert "><b>#0072b2<" in shown
    assert ">fill: #222222<" in shown


def test_files_are_png_svg_or_pdf_by_their_names_also_of_a_closed_explorer(
    tmp_path,
):
    explorer = LossExplorer()
    explorer.close()
    starts = {
        "png": b"\x89PNG",
        "svg": b"<svg ",
        "pdf": b"%PDF",
        "SVG": b"<svg ",
    }
    for suffix, start in starts.items():
        explorer.save(tmp_path / f"0.{suffix}")
        content = (tmp_path / f"0.{suffix}").read_bytes()
        assert content.startswith(start)
    assert b"Date" not in (tmp_path / "0.pdf").read_bytes()
    tree = ElementTree.parse(tmp_path / "0.svg").getroot()
    words = [one.text for one in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert len(words) > 4
    assert (
        tree.findtext("{http://www.w3.org/2000/svg}title") == explorer.sentence
    )
    assert "var(" not in (tmp_path / "0.svg").read_text(encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"must end in \.png, \.svg or \.pdf; got .*a.png.txt"
    ):
        explorer.save(tmp_path / "a.png.txt")
    assert not (tmp_path / "a.png.txt").exists()
