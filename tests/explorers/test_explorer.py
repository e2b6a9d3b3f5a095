"""What the base class promises, seen on every explorer there is."""

import base64
from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import pytest
from ipywidgets import link

import dpwidgets
from dpwidgets.page.parameters import Number
from tools import at_once, shown, sweep

EXPLORERS = [getattr(dpwidgets, name) for name in dpwidgets.__all__ if name.endswith("Explorer")]
every = pytest.mark.parametrize("kind", EXPLORERS, ids=lambda kind: kind.__name__)


def evaluate(code):
    """Execute the lines of the code and return the value of the last."""
    names = {}
    *lines, last = code.splitlines()
    exec("\n".join(lines), names)
    return eval(last, names)


@every
def test_the_code_computes_the_result(kind):
    explorer = kind()
    assert evaluate(explorer.code) == explorer.result


@every
def test_the_result_is_frozen(kind):
    field = next(iter(vars(kind().result)))
    with pytest.raises(FrozenInstanceError):
        setattr(kind().result, field, 0)


@every
def test_every_slider_goes_to_its_ends_in_every_view_and_for_every_choice(kind):
    explorer = kind()
    before = explorer.state, explorer.result, explorer.sentence, explorer._shown
    assert sweep(explorer) >= 3
    assert (explorer.state, explorer.result, explorer.sentence, explorer._shown) == before


@every
def test_a_sweep_lets_be_seen_what_is_refused_and_what_breaks(kind, monkeypatch):
    explorer = kind()
    with monkeypatch.context() as patch:
        patch.setattr(explorer, "function", lambda now: lambda **_: bool(1 / 0))
        with pytest.raises(ZeroDivisionError):
            sweep(explorer)
    plot = kind.view.plots[explorer.view]
    monkeypatch.setattr(plot, "update", lambda *_: bool(1 / 0))
    with pytest.raises(ZeroDivisionError):
        sweep(explorer)


@every
def test_it_goes_to_a_state_from_its_start(kind):
    explorer = kind()
    start, code = explorer.settings(), explorer.code
    explorer.epsilon = 0.3
    explorer.view = list(kind.view.options)[-1]
    explorer.go_to()
    assert (explorer.settings(), explorer.code) == (explorer.start, code) == (start, code)
    explorer.go_to(epsilon=0.25)
    assert explorer.epsilon == 0.25
    assert explorer.result_at(epsilon=0.25) == explorer.result
    with pytest.raises(TypeError, match="has no parameter 'epsilo'"):
        explorer.go_to(epsilo=1)
    with pytest.raises(ValueError, match="epsilon must be"):
        explorer.go_to(epsilon=-1)


@every
def test_closing_says_that_it_closes(kind):
    explorer, told = kind(), []
    explorer.observe(lambda change: told.append(change["new"]), "closed")
    explorer.close()
    assert told == [True]


@every
def test_the_page_without_a_kernel_has_picture_and_sentence(kind):
    explorer = kind()
    data, metadata = explorer._repr_mimebundle_()
    assert data["text/plain"] == repr(explorer) == explorer.sentence
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert "application/vnd.jupyter.widget-view+json" in data
    assert metadata["image/png"]["width"] == 640


@every
def test_the_picture_says_the_sentence(kind):
    explorer = kind()
    assert shown(explorer, "picture")["alt"] == explorer.sentence
    assert shown(explorer, "sentence")["text"] == explorer.sentence


@every
def test_the_picture_can_be_saved(kind, tmp_path):
    explorer = kind()
    explorer.save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes() == base64.b64decode(
        explorer._repr_mimebundle_()[0]["image/png"]
    )


@every
def test_a_picture_does_not_depend_on_the_ones_before(kind):
    moved = kind()
    for view in kind.view.options:
        moved.view = view
        for moved.epsilon in (0.3217, 2.5, 0.0805):
            pass
        fresh = kind(view=view, epsilon=0.0805)
        assert (moved.sentence, moved.still.png) == (fresh.sentence, fresh.still.png)


@every
def test_an_unknown_keyword_names_the_nearest(kind):
    with pytest.raises(TypeError, match="has no parameter 'epsilom'; did you mean 'epsilon'"):
        kind(epsilom=1)
    with pytest.raises(
        TypeError, match=f"has no parameter 'zzzzz'; it has {next(iter(kind.parameters()))}, "
    ):
        kind(zzzzz=1)


@every
def test_every_parameter_has_help_and_a_label(kind):
    for name, trait in kind.parameters().items():
        assert trait.help, name
        assert trait.label, name
        if isinstance(trait, Number):
            assert trait.domain.contains(trait.grid).all()
            assert (np.diff(trait.grid) > 0).all()


@every
def test_any_two_explorers_share_epsilon(kind):
    one = kind()
    for other in EXPLORERS:
        two = other()
        linked = link((one, "epsilon"), (two, "epsilon"))
        one.epsilon = 0.0805
        assert (one.epsilon, two.epsilon) == (0.0805, 0.0805)
        two.epsilon = 0.3217
        assert (one.epsilon, two.epsilon) == (0.3217, 0.3217)
        linked.unlink()


@every
def test_two_threads_that_draw_at_once_end_on_the_last_values(kind):
    """Twenty-five rounds of two threads that move two explorers' controls, and one explorer's."""
    shared, own = kind(), kind()
    numbers = [
        name
        for name, trait in kind.parameters().items()
        if isinstance(trait, Number) and name in shared.arguments()
    ]
    first, second = (numbers * 2)[:2]
    grids = [shared._grid(name) for name in (first, second)]
    failures = []

    def move(steps):
        try:
            for explorer, name, value in steps:
                setattr(explorer, name, value)
        except Exception as error:
            failures.append(error)

    for round_ in range(25):
        values = [float(grid[round_]) for grid in grids]
        here = [(shared, first, values[0]), (own, first, values[0])]
        at_once(partial(move, here), partial(move, [(shared, second, values[1])]))
        if first != second:
            assert (getattr(shared, first), getattr(shared, second)) == tuple(values)
        assert evaluate(shared.code) == shared.result
        assert shared.result == shared.result_at(**shared.settings())
        assert not shared.messages
    assert not failures
    fresh = kind(**{name: getattr(shared, name) for name in shared.arguments()})
    assert shared.still == fresh.still
