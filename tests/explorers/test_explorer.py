"""What the base class promises, seen on every explorer there is."""

import re

import numpy as np
import pytest

from dpwidgets import BayesExplorer
from dpwidgets.page.parameters import Number, Parameter, even_grid
from tools import EXPLORERS, ask, every, shown, sweep


@pytest.mark.slow
@every
def test_every_slider_goes_to_its_ends_in_every_view_and_for_every_choice(
    kind,
):
    explorer = kind()
    before = (
        explorer.state,
        explorer.result,
        explorer.sentence,
        explorer._shown,
    )
    assert sweep(explorer) >= 3
    assert (
        explorer.state,
        explorer.result,
        explorer.sentence,
        explorer._shown,
    ) == before


def test_it_goes_to_a_state_from_its_start():
    explorer = BayesExplorer(true_p=0.2)
    start, code = explorer.settings(), explorer.code
    explorer.epsilon, explorer.view = 0.3, "errors"
    explorer.go_to()
    assert (
        (explorer.settings(), explorer.code)
        == (explorer.start, code)
        == (start, code)
    )
    explorer.go_to(epsilon=0.25)
    assert explorer.epsilon == 0.25
    assert explorer.result_at(epsilon=0.25) == explorer.result


FOLLOWERS = [
    (kind, name)
    for kind in EXPLORERS
    for name, trait in kind.parameters().items()
    if trait.follows
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), FOLLOWERS, ids=str)
def test_a_follower_is_what_it_follows_until_it_is_set_and_again_when_it_is_left_open(
    kind, name
):
    explorer = kind(view=list(kind.view.options)[-1])
    leader = kind.parameters()[name].follows
    words = leader.replace("_", " ")
    first = getattr(explorer, name)
    for again in (
        lambda: None,
        lambda: setattr(explorer, name, None),
        lambda: ask(explorer, name, text=" "),
    ):
        again()
        assert (
            getattr(explorer, name)
            == getattr(explorer.result, leader)
            == first
        )
        assert (
            shown(explorer, name)["remark"]
            == f"the same as {words} until you move it"
        )
        assert name not in explorer.arguments()
        ask(explorer, name, place=1)
        assert getattr(explorer, name) == explorer.arguments()[name] != first
        assert (
            shown(explorer, name)["remark"]
            == f"empty the box to follow {words} again"
        )
        assert not explorer.messages
    assert getattr(kind(**{name: None}), name) == getattr(kind(), name)


@every
def test_each_parameter_has_one_control_with_its_name_and_each_part_something_to_show(
    kind,
):
    def parts(about):
        yield about
        for part in about.get("parts", ()):
            yield from parts(part)

    with pytest.raises(
        TypeError, match=f"'zzzzz'; it has {next(iter(kind.parameters()))}, "
    ):
        kind(zzzzz=1)
    # No method or attribute of its class either.
    for base in kind.__mro__:
        for name in vars(base).keys() & kind.parameters().keys():
            assert isinstance(vars(base)[name], Parameter), name
    explorer = kind(only=("view",))  # with each button
    every = [part for part in parts(explorer._about) if "name" in part]
    # What a control has elsewhere.
    named = [part for part in every if part["kind"] != "handles"]
    names = [part["name"] for part in named]
    assert len(names) == len(set(names))
    assert set(kind.parameters()) <= set(names)
    assert set(explorer._shown) - {""} <= set(names)
    for part in named:  # nothing about a button changes
        fixed = part["kind"] in ("press", "file") or "text" in part
        assert fixed or part["name"] in explorer._shown
    for name, trait in kind.parameters().items():
        assert trait.help, name
        assert trait.label, name
        if isinstance(trait, Number):
            assert trait.domain.contains(trait.grid).all()
            assert (np.diff(trait.grid) > 0).all()
            # Questions ask in units.
            assert not re.search(r"eq\.|Def\.|Sec\.", trait.unit)
            spoken = r".+( = −?[\d.,]+(e-\d+)?| is left open)"
            assert re.fullmatch(spoken, shown(explorer, name)["spoken"])


def test_an_even_grid_has_about_a_hundred_round_stops():
    for low, high in (
        (0, 1),
        (-4, 11),
        (-3.67, 10.67),
        (2e-9, 3e-9),
        (-1e12, 7e12),
        (-1e300, 2e300),
        (1e15, 1e15 + 3),
    ):
        grid = even_grid(low, high)
        step = grid[1] - grid[0]
        assert low <= grid[0] <= low + 1.01 * step
        assert high - 1.01 * step <= grid[-1] <= high
        # No more than there are floats.
        assert 75 <= grid.size <= 202 or low > 1e14
        assert np.diff(grid) == pytest.approx(step, rel=0.01) or low > 1e14
    assert max(len(f"{stop:.12g}") for stop in even_grid(0.1, 1.7)) <= 5
