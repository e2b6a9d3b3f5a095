"""Attacks are as good as is said: against sums and integrals, other solvers, and many games."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpwidgets.calculators import attack, loss

GAMES = 1500


def half(before, after):
    return after - before > 0.5


@pytest.mark.parametrize("releases", [1, 2])
def test_a_rule_says_what_the_line_would_of_the_same_worlds(releases):
    line = attack.divide(1.0, releases=releases)
    halves = replace(line, rule=half)
    assert halves.right_of(line.worlds, True) == line.right_of(
        line.worlds, True
    )
    yes = replace(line, rule=lambda before, after: True)
    rows = line.draw(0.0, np.random.default_rng(5), 50)
    assert yes.scores(rows).tolist() == rows[:, 1].tolist()
    # It is the best there is, and reaches that.
    games = line.games(np.random.default_rng(20), GAMES)
    error = 3 * math.sqrt(line.best * (1 - line.best) / GAMES)
    right = [half(*seen) == inside for seen, inside in games]
    assert np.mean(right) == pytest.approx(line.best, abs=error)


def test_the_groups_are_all_that_are_large_enough_and_everybody_is_in_equally_many():
    sizes = list(itertools.product(range(1, 5), range(1, 3), range(1, 4)))
    for smallest in (1, 6, 13, 24):
        many = sum(
            math.comb(4, houses) * math.comb(2, sexes) * math.comb(3, ages)
            for houses, sexes, ages in sizes
            if houses * sexes * ages >= smallest
        )
        found = attack.groups(smallest)
        assert len(found) == many == len({tuple(row) for row in found})
        assert len({*found.sum(axis=0)}) == 1
    assert 24 == len(attack.TABLE) == len({*attack.TABLE.values()})


def test_exact_sums_give_everybody_away_and_least_squares_is_numpys():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 24)
    sums = attack.groups(6) @ truth
    assert attack.least_squares(sums, 6) == pytest.approx(truth, abs=1e-9)
    noisy = sums + rng.laplace(size=sums.size)
    other, *_ = np.linalg.lstsq(attack.groups(6), noisy, rcond=None)
    assert attack.least_squares(noisy, 6) == pytest.approx(other)


def test_nobody_changes_the_groups_of_all_others():
    def solve(who, sums):
        who *= 0
        return sums[:24]

    with pytest.raises(ValueError, match=r"solve must take .* read-only"):
        list(replace(attack.rebuild(1.0), solve=solve).guess)
    assert attack.rebuild(1.0).each == 41


def test_who_knows_all_others_reaches_the_bound_on_a_table():
    """The losses of the sums that count the person add up, and the sign is the best guess."""
    rng, many = np.random.default_rng(4), 20_000
    for epsilon in (0.05, 0.2):
        table = attack.rebuild(epsilon)
        truth = rng.integers(0, 2, (many, 1))
        off = truth + rng.laplace(scale=1 / epsilon, size=(many, table.each))
        guesses = (np.abs(off) - np.abs(off - 1)).sum(axis=1) > 0
        assert (guesses == truth[:, 0]).mean() == pytest.approx(
            table.best, abs=0.01
        )
        assert table.together == table.each * epsilon


def exact_scores(epsilon, people, markers):
    """Return places and the masses of the score of somebody out and in.

    Agreements are binomial; the noise of all counts is convolved with them by
    its characteristic function, on a grid that is finer than whole numbers.
    """
    size, step = 2**18, 1 / 8
    angles = 2 * np.pi * np.fft.fftfreq(size, step)
    noise = np.exp(-markers * np.log1p((angles / epsilon) ** 2))
    places = step * (np.arange(size) - size // 2)
    found = []
    for others, sure in ((people, 0), (people - 1, markers)):
        agreements = (0.5 + 0.5 * np.exp(-1j * angles)) ** (others * markers)
        centred = agreements * np.exp(
            1j * angles * (people * markers // 2 - sure)
        )
        found.append(np.fft.fftshift(np.fft.ifft(centred * noise).real))
    return places, *found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "people", "markers"), [(1, 50, 200), (0.2, 20, 30), (3, 8, 12)]
)
def test_a_score_errs_as_often_as_its_exact_law_and_as_simulated(
    epsilon, people, markers
):
    found = attack.member(epsilon, people, markers)
    places, out, inside = exact_scores(epsilon, people, markers)
    assert out.sum() == pytest.approx(1)
    middle = places + 1 / 16
    alarms, misses = 1 - np.cumsum(out), np.cumsum(inside)
    hits, false_alarms = found.above(middle[::16])
    assert false_alarms == pytest.approx(alarms[::16], abs=0.004)
    assert hits == pytest.approx(1 - misses[::16], abs=0.004)
    # And no threshold, with the exact law, is right more often than any is.
    assert (1 - (alarms + misses) / 2).max() <= found.best + 1e-6
    rows = found.draw(0.0, np.random.default_rng(2), 4000)
    assert found.scores(rows).mean() == pytest.approx(found.right, abs=0.03)


def test_no_rule_beats_the_bound_on_who_is_in():
    """Also not the likeliest one, which knows the law of each count."""
    found = attack.member(0.2, people=4, markers=10)
    out = stats.binom.pmf(range(5), 4, 0.5)
    inside = np.append(0, stats.binom.pmf(range(4), 3, 0.5))

    def likeliest(her, counts, people):
        agree = np.where(her == 1, counts, people - counts)
        noise = stats.laplace.pdf(agree[:, np.newaxis], range(5), 1 / 0.2)
        return np.log((noise @ inside) / (noise @ out)).sum() > 0

    rules = {
        "likeliest": likeliest,
        "score": lambda her, counts, people: (
            ((2 * her - 1) * (counts - people / 2)).sum() > 2.5
        ),
        "signs": lambda her, counts, people: (
            ((counts > people / 2) == her).mean() > 0.5
        ),
        "yes": lambda her, counts, people: True,
    }
    games = list(found.games(np.random.default_rng(6), GAMES))
    scores = {
        name: np.mean([rule(*seen) == inside for seen, inside in games])
        for name, rule in rules.items()
    }
    error = 3 * math.sqrt(0.25 / GAMES)
    assert max(scores.values()) <= found.best + error
    assert scores["score"] == pytest.approx(found.right, abs=error + 0.01)
    assert scores["likeliest"] >= scores["score"] - error


# -------------------- two hundred worlds


@pytest.mark.parametrize("releases", [1, 2, 3, 12])
@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
def test_what_lies_right_of_a_line_is_what_is_drawn_there(releases, epsilon):
    one = attack.divide(epsilon, releases)
    rows = one.draw(0.0, np.random.default_rng(releases), 20_000)
    # 0, ½ and 1 are numbers that several worlds show.
    for line in (-3.2, -0.01, 0, 0.25, 0.5, 0.77, 1, 2, 4.5):
        found = attack.divide(epsilon, releases, line)
        for is_in, share in zip((True, False), found.shares, strict=True):
            right, of = found.right_of(rows, is_in)
            error = math.sqrt(max(share * (1 - share), 1e-4) / of)
            assert right / of == pytest.approx(share, abs=4.5 * error), line
            if releases > 1 and not 0 <= line < 1:  # no mean lies beyond
                assert share == (line < 0)
        assert found.right <= found.best + 1e-6
        assert found.scores(rows).mean() == pytest.approx(
            found.right, abs=0.02
        )


@pytest.mark.parametrize("releases", [1, 3, 12, 60])
@pytest.mark.parametrize("epsilon", [0.1, 1, 3])
def test_the_line_halfway_is_a_best_guess(releases, epsilon):
    found = attack.divide(epsilon, releases)
    assert found.right == pytest.approx(found.best, abs=1e-6)
    response = loss.randomized_response(releases * epsilon)
    assert found.limit == pytest.approx(response.yes_or_no(0.5))


def test_the_worlds_stay_the_same_and_move_towards_the_truth():
    one, two = attack.divide(1.0), attack.divide(2.0)
    assert (attack.divide(1.0).worlds == one.worlds).all()
    numbers, inside = one.worlds.T
    assert inside.tolist() == [1] * attack.WORLDS + [0] * attack.WORLDS
    # The same noise, half as large.
    halved = inside + (numbers - inside) / 2
    assert two.worlds[:, 0] == pytest.approx(halved)


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 1, 3])
def test_the_two_hundred_are_about_as_is_to_be_expected(epsilon):
    several = [attack.member(epsilon, markers=m) for m in (50, 200)]
    for releases in (1, 2, 5, 12, 50):
        several.append(attack.divide(epsilon, releases))
    for one in several:
        for is_in, share in zip((True, False), one.shares, strict=True):
            right, of = one.right_of(one.worlds, is_in)
            assert right == pytest.approx(share * of, abs=11.5)


def test_delta_is_what_lies_above_so_many_times_the_other():
    for bound in (0.1, 0.5, 0.9, 1.0, 2.0):
        found = attack.divide(1.0, bound=bound)
        # From here on an answer is more than e^bound times as likely with you.
        with_you, without = found.above((1 + bound) / 2)
        above = max(with_you - math.exp(bound) * without, 0)
        assert found.delta == pytest.approx(above, abs=1e-9)
    assert attack.divide(1.0).delta == 0
