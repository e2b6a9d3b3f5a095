"""Programs with a mistake: the attack works on each of them, and not once the line is mended."""

import math

import numpy as np
import pytest

from dpwidgets import Spot
from dpwidgets.teaching import mistakes
from dpwidgets.teaching.mistakes import MISTAKES, Mistake
from tools import assert_sound

NAMES = {
    id(one): name
    for name, one in vars(mistakes).items()
    if isinstance(one, Mistake)
}
each = pytest.mark.parametrize(
    "mistake", MISTAKES, ids=lambda one: NAMES[id(one)]
)
#: How often the attack is right at least, of 100; where nothing stands, always
#: but for a percent.
LEAST = {"FLOAT_NOISE": 82, "CLIPPED_TO_TRUTH": 88, "EACH_ACCOUNT": 97}


def test_there_are_eight_and_each_has_a_name():
    assert len(MISTAKES) == len(NAMES) == 8


@each
def test_the_attack_beats_every_attack_on_what_is_promised_and_not_on_the_mended_program(
    mistake,
):
    games = 2000
    most = math.exp(mistake.epsilon) / (1 + math.exp(mistake.epsilon))
    slack = 3 / (2 * math.sqrt(games))
    for seed in (1, 2):
        found = mistake.play(games, seed=seed)
        assert found >= LEAST.get(NAMES[id(mistake)], 99) / 100
        assert found > most + slack
        assert mistake.play(games, mended=True, seed=seed) <= most + slack


@each
def test_both_data_are_neighbours_and_the_rule_sees_the_answer_alone(mistake):
    without, her = (list(map(np.array, data)) for data in mistake.data)
    assert len(her) == len(without) + 1
    assert all(
        np.array_equal(one, other)
        for one, other in zip(without, her, strict=False)
    )
    assert set(mistake.says.__code__.co_varnames) & {"data", "rng"} == set()


@each
def test_a_program_has_one_line_to_find_that_fits_on_a_page(mistake):
    spot = Spot(
        mistake.prompt,
        mistake.program,
        mistake.wrong,
        why=mistake.why,
        then=mistake,
    )
    assert_sound(spot)
    assert 5 <= len(spot.lines) <= 10
    assert max(map(len, [*spot.lines, mistake.mended])) <= 85
    line = spot.lines[mistake.wrong - 1]
    assert line != mistake.mended
    assert len(line) - len(line.lstrip()) == len(mistake.mended) - len(
        mistake.mended.lstrip()
    )
    assert mistake.wrong in mistake.why
    assert spot.judge(spot.answer) == (
        True,
        f"Right: {mistake.why[mistake.wrong]}.",
    )


@each
def test_what_appears_tells_how_often_the_attack_was_right(mistake):
    page = mistake._repr_html_()
    for mended in (False, True):
        assert f" {mistake.play(mended=mended) * 400:.0f} of 400" in page
    most = 100 * math.exp(mistake.epsilon) / (1 + math.exp(mistake.epsilon))
    (said,) = (
        float(part.split()[0]) for part in page.split("in more than ")[1:]
    )
    assert 0 <= said - most < 0.1


def test_noise_of_numpy_has_the_gaps_that_the_attack_looks_for():
    """Each answer could come from its own count, and most could not from the other."""
    rng = np.random.default_rng(1)
    noises = rng.laplace(scale=100, size=500)
    assert all(mistakes._could_be(4 + noise, 4, 100) for noise in noises)
    others = np.mean(
        [mistakes._could_be(4 + noise, 5, 100) for noise in noises]
    )
    assert 0.25 < others < 0.4
