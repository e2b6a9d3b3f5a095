"""The picture on the page: two layers, of which a step sends one, and the files it is saved to."""

import html
import json
import re
from xml.etree import ElementTree

import pytest
from ipywidgets import Widget

import dpwidgets
from dpwidgets import IntervalExplorer, WorldsExplorer
from dpwidgets.plots import style
from dpwidgets.widgets.parameters import Number

EXPLORERS = [getattr(dpwidgets, name) for name in dpwidgets.__all__ if name.endswith("Explorer")]
every = pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.__name__)
VIEWS = [(kind, view) for kind in EXPLORERS for view in kind.parameters()["view"].options]
each_view = pytest.mark.parametrize(
    ("kind", "view"), VIEWS, ids=lambda one: one if isinstance(one, str) else one.__name__
)


@pytest.fixture
def sent(monkeypatch):
    """The messages that widgets send from now on: each a widget and the state that it sends."""
    messages, send = [], Widget._send

    def watch(widget, message, buffers=None):
        messages.append((widget, message))
        return send(widget, message, buffers)

    monkeypatch.setattr(Widget, "_send", watch)
    return messages


def slider(explorer):
    """Return the slider of ε, or the first that can be moved."""
    names = [name for name, trait in explorer.parameters().items() if isinstance(trait, Number)]
    movable = [name for name in names if not explorer.controls[name].slider.disabled]
    return explorer.controls["epsilon" if "epsilon" in movable else movable[0]].slider


def size(message):
    return len(json.dumps(message, default=repr).encode())


@every
def test_a_step_sends_each_thing_that_changed_once_and_the_moving_layer_alone(kind, sent):
    explorer = kind()
    handle = slider(explorer)
    handle.value += 1  # where the frame follows the number, it may change once
    sent.clear()
    handle.value += 1
    pictures = [widget for widget, _ in sent if widget in explorer.picture.children]
    assert pictures in ([explorer.picture.moving], [*explorer.picture.children])
    if pictures == [explorer.picture.moving]:
        assert sum(size(message) for _, message in sent) < 36_000
    names = [(widget.model_id, tuple(message.get("state", ()))) for widget, message in sent]
    assert len(names) == len(set(names)) <= 12, names
    changed = {widget for widget, _ in sent}
    assert explorer.said in changed
    assert explorer.noted not in changed or explorer.notes(explorer.result)


def test_epsilon_never_sends_the_still_layer(sent):
    explorer = WorldsExplorer()
    sent.clear()
    for explorer.epsilon in (0.3, 0.4, 3.0):
        pass
    assert explorer.picture.still not in [widget for widget, _ in sent]
    assert [widget for widget, _ in sent].count(explorer.picture.moving) == 3


def test_a_step_draws_no_png(monkeypatch):
    explorer = IntervalExplorer()
    plot = type(explorer).view.plots[explorer.view]
    drawn, png = [], plot.png
    monkeypatch.setattr(plot, "png", lambda *of: (drawn.append(of), png(*of))[1])
    explorer.half_width = 0.3
    assert not drawn
    explorer._repr_mimebundle_()
    explorer._repr_mimebundle_()
    assert len(drawn) == 1


def test_a_picture_keeps_its_result_when_its_plot_draws_another():
    one, other = IntervalExplorer(), IntervalExplorer(half_width=0.4)
    still = one.still
    one.half_width = 0.3
    assert still == IntervalExplorer().still != other.still


@each_view
def test_a_layer_is_clean_svg_that_stands_on_its_own(kind, view):
    explorer = kind(view=view)
    for layer in (explorer.picture.layers.still, explorer.picture.layers.moving):
        assert layer.startswith("<svg ")
        assert layer.rstrip().endswith("</svg>")
        assert not re.search(r"<\?xml|<!DOCTYPE|<!--|metadata|<style|\bDate\b|nan|inf\b", layer)
        tree = ElementTree.fromstring(layer)
        ids = {one.get("id") for one in tree.iter()} - {None}
        named = set(re.findall(r'(?:url\(|href=")#(\w+)', layer))
        assert named <= ids


@each_view
def test_two_pictures_and_two_layers_share_no_id(kind, view):
    seen = []
    for _ in range(2):
        layers = kind(view=view).picture.layers
        seen += [re.findall(r'id="([^"]+)"', layer) for layer in layers[:2]]
    every_id = [one for ids in seen for one in ids]
    assert len(every_id) == len(set(every_id))


@each_view
def test_every_color_is_the_pages(kind, view):
    layers = kind(view=view).picture.layers
    for layer in layers[:2]:
        bare = re.sub(r"var\(--dpw-(\w+),(#\w{6})\)", "", layer)
        assert not re.findall(r"#[0-9a-f]{6}(?=[;\"])", bare)
        for name, color in re.findall(r"var\(--dpw-(\w+),(#\w{6})\)", layer):
            assert style.DARK[color][0] == name
            assert f"--dpw-{name}:" in style.SHEET


def test_words_are_never_taken_for_colors():
    explorer = WorldsExplorer(values={"#0072b2": 1, "fill: #222222": 2, 'a" b': 10})
    shown = html.unescape(explorer.picture.moving.value)
    assert ">#0072b2<" in shown
    assert ">fill: #222222<" in shown


@every
def test_it_has_a_role_and_words_and_the_lines_are_hidden(kind):
    explorer = kind()
    tree = ElementTree.fromstring(explorer.picture.moving.value)
    assert (tree.get("role"), tree.get("aria-label")) == ("img", explorer.sentence)
    assert [one.get("aria-hidden") for one in tree] == ["true"]
    assert 'aria-hidden="true"' in explorer.picture.still.value


@every
def test_files_are_png_svg_or_pdf_by_their_names(kind, tmp_path):
    explorer = kind()
    starts = {"png": b"\x89PNG", "svg": b"<svg ", "pdf": b"%PDF", "SVG": b"<svg "}
    for suffix, start in starts.items():
        paths = [tmp_path / f"{number}.{suffix}" for number in range(2)]
        for path, saved in zip(paths, (explorer, kind()), strict=True):
            saved.save(path)
        first, second = (path.read_bytes() for path in paths)
        assert first == second
        assert first.startswith(start)
    assert b"Date" not in (tmp_path / "0.pdf").read_bytes()
    tree = ElementTree.parse(tmp_path / "0.svg").getroot()
    words = [one.text for one in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert len(words) > 4
    assert tree.findtext("{http://www.w3.org/2000/svg}title") == explorer.sentence
    assert "var(" not in (tmp_path / "0.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["picture", "picture.jpg", "svg", "a.png.txt"])
def test_another_file_is_refused(tmp_path, name):
    with pytest.raises(ValueError, match=r"path must end in \.png, \.svg or \.pdf; got .*" + name):
        IntervalExplorer().save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_closed_explorer_can_be_saved(tmp_path):
    explorer = IntervalExplorer()
    explorer.close()
    explorer.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
