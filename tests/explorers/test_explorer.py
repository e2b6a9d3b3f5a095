"""What the base class promises, seen on every explorer there is."""

import base64
from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import pytest
from ipywidgets import link

import dpwidgets
from dpwidgets.widgets.controls import NumberControl
from dpwidgets.widgets.parameters import Number
from tools import at_once

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
def test_a_sweep_passes_says_that_it_sweeps_and_restores_the_start(kind):
    explorer, told = kind(), []
    start, values = repr(explorer), {name: getattr(explorer, name) for name in explorer.controls}
    settings = explorer.settings()
    explorer.observe(lambda _: told.append(explorer.sweeping), "result")
    assert explorer.sweep() >= 3
    assert set(told) == {True}
    assert not explorer.sweeping
    assert repr(explorer) == start
    assert {name: getattr(explorer, name) for name in explorer.controls} == values
    assert explorer.settings() == settings  # what followed another number follows it again


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
def test_a_sweep_that_meets_a_message_raises_and_restores(kind, monkeypatch):
    explorer = kind()
    start, compute = repr(explorer), explorer.compute
    name, control = next(
        (n, c)
        for n, c in explorer.controls.items()
        if isinstance(c, NumberControl) and not c.box.disabled
    )

    def refuse_the_end():
        if getattr(explorer, name) == control.trait.grid[-1]:
            raise ValueError("too much")
        return compute()

    monkeypatch.setattr(explorer, "compute", refuse_the_end)
    with pytest.raises(RuntimeError, match="too much"):
        explorer.sweep()
    assert repr(explorer) == start


@every
def test_a_sweep_lets_a_broken_plot_be_seen(kind, monkeypatch):
    explorer = kind()
    plot = explorer.controls["view"].trait.plots[explorer.view]

    def broken(self, result):
        raise ZeroDivisionError("in the plot")

    monkeypatch.setattr(plot, "update", broken)
    with pytest.raises(ZeroDivisionError, match="in the plot"):
        explorer.sweep()


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
    assert f'role="img" aria-label="{explorer.sentence}"' in explorer.picture.moving.value
    assert f">{explorer.sentence}</output>" in explorer.said.value


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
    for view in moved.controls["view"].trait.options:
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
    failures = []

    def move(steps):
        try:
            for explorer, name, value in steps:
                setattr(explorer, name, value)
        except Exception as error:
            failures.append(error)

    for round_ in range(25):
        values = [float(kind.parameters()[name].grid[round_]) for name in (first, second)]
        here = [(shared, first, values[0]), (own, first, values[0])]
        at_once(partial(move, here), partial(move, [(shared, second, values[1])]))
        if first != second:
            assert (getattr(shared, first), getattr(shared, second)) == tuple(values)
        assert evaluate(shared.code) == shared.result
        assert shared.result == shared.compute()
        assert not shared.messages
    assert not failures
    fresh = kind(**{name: getattr(shared, name) for name in shared.arguments()})
    assert shared.still == fresh.still
