"""Every meaning of a case's noise against an independent way, and what ε means to a test."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import known
from dpwidgets.calculators import bayes, breach, interval, loss, meanings
from dpwidgets.calculators.case import Case
from dpwidgets.texts import TEXTS
from losses import gaussian_delta

HOSPITAL = replace(known.HOSPITAL, household=4, used=0.1)
GAUSS = Case(
    published="mean", n=12, low=0, high=10, unit="days", mechanism="Gaussian", delta=1e-6,
    releases=2, prior=0.1, confidence=0.8,
)  # fmt: skip
ALL = meanings.meanings(HOSPITAL)
NAMES = [meaning.name for meaning in ALL]
ROOMS = {text.word for text in TEXTS}
MECHANISMS = meanings.MECHANISMS


def named(beginning, every=ALL):
    (found,) = (meaning for meaning in every if meaning.name.startswith(beginning))
    return found


@pytest.mark.parametrize("case", [HOSPITAL, GAUSS, Case(published="sum", low=-1, high=2)])
def test_every_meaning_is_complete_and_says_its_number(case):
    for meaning in meanings.meanings(case):
        assert meaning.gets in meanings.GETS
        assert meaning.text in ROOMS | {""}
        assert meaning.name
        assert meaning.equation
        said = meaning.sentence(1.5)
        assert meaning.shown(meaning.value(1.5)) in said
        assert said.endswith(".")
        assert "{" not in said


def test_every_number_runs_one_way_along_the_noise():
    scales = np.geomspace(0.5, 200, 12)
    for meaning in ALL:
        steps = np.diff(meaning.value(scales))
        assert (steps >= -1e-12).all() or (steps <= 1e-12).all(), meaning.name


def test_readers_come_first_and_at_most_seven_are_shown_at_once():
    groups = [meaning.gets for meaning in ALL]
    assert groups == sorted(groups, key=meanings.GETS.index)
    assert len({*NAMES}) == len(NAMES)
    whole = meanings.portrait(0.2, **HOSPITAL.to_dict())
    assert len(whole.rows) <= meanings.FIRST == 8


def test_what_the_case_lacks_has_no_row():
    five = {"", "interval", "loss", "bayes", "worlds", "breach"}  # a sixth text may add its own
    every = meanings.meanings(Case(published="count"))
    assert [meaning.name for meaning in every if meaning.text in five] == [
        "Error on average",
        "Nobody, with negative numbers set to 0",
        "Odds out of 100, one release",
        "ε of everything",
        "Advantage of a test, all releases",
        "ρ of everything (zCDP)",
        "μ of everything (Gaussian privacy)",
        "Largest ratio of an answer’s probabilities",
        "Expected loss of one release",
    ]
    assert not any("best guess" in one.name for one in meanings.meanings(GAUSS))
    with pytest.raises(TypeError, match="case must be a Case; got one of type float"):
        meanings.meanings(0.5)


def test_the_hospitals_numbers():
    """At ε = 0.2, of the issue and of the texts' functions."""
    scale = HOSPITAL.scale(0.2)
    assert named("Error on").value(scale) == 5
    assert named("Interval").value(scale) == pytest.approx(
        400 * interval.half_width(0.2, 0.95, 400)
    )
    assert named("Error of the best").value(scale) == bayes.mean_error(
        2000, 0.2, 0.2, "posterior median"
    )
    assert named("Largest belief after one").value(scale) == pytest.approx(
        breach.posterior(0.2, 0.2)
    )
    beliefs = [one.value(scale) for one in ALL if one.name.startswith("Largest belief")]
    assert beliefs == pytest.approx([breach.posterior(0.2, one) for one in (0.2, 0.9, 3.6)])
    assert named("Smallest").value(scale) == pytest.approx(breach.downward(0.2, 0.2))
    assert named("ε of everything").value(scale) == pytest.approx(0.9, rel=1e-3)
    assert named("Largest ratio").value(scale) == pytest.approx(math.exp(0.2))


def test_the_expected_losses_are_integrals():
    noise = np.linspace(-80, 81, 2_000_001)
    density = np.exp(-np.abs(noise) / 2) / 4  # scale 2
    mean = np.trapezoid(density * (np.abs(noise - 1) - np.abs(noise)) / 2, noise)
    assert named("Expected loss").value(2) == pytest.approx(mean, rel=1e-6)
    gauss = named("Expected loss", meanings.meanings(GAUSS)).value(2)
    assert gauss == pytest.approx((10 / 12 / 2) ** 2 / 2)


# ------------------------------------------------------------------------------------ what belongs
# to no text


def threshold_tests(epsilon, cuts):
    """Every threshold test of two Laplace laws: its false alarms and its misses."""
    return stats.laplace(0, 1 / epsilon).sf(cuts), stats.laplace(1, 1 / epsilon).cdf(cuts)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1, 4])
def test_the_curve_of_laplace_is_that_of_its_threshold_tests(epsilon):
    alarms, missed = threshold_tests(
        epsilon, np.append(0.5, np.linspace(-3, 4, 701) / min(epsilon, 1))
    )
    assert meanings.misses(epsilon, alarms, "Laplace") == pytest.approx(missed, rel=1e-9)
    assert meanings.advantage(epsilon, "Laplace") == pytest.approx(
        (1 - alarms - missed).max(), rel=1e-12
    )


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1, 4])
def test_the_curve_of_any_mechanism_is_that_of_randomized_response(epsilon):
    """By brute force over randomized tests: a chance to say "with" after "yes", one after "no"."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    yes, no = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 1, 401))
    alarms, missed = (1 - truth) * yes + truth * no, 1 - truth * yes - (1 - truth) * no
    inside = (alarms > 1e-9) & (alarms < 1 - 1e-9)
    bound = meanings.misses(epsilon, alarms[inside])
    assert (missed[inside] >= bound - 1e-12).all()
    edge = inside & ((yes == 1) | (no == 0))
    assert missed[edge] == pytest.approx(meanings.misses(epsilon, alarms[edge]), abs=1e-12)
    assert meanings.advantage(epsilon) == pytest.approx((1 - alarms - missed).max(), rel=1e-12)
    assert meanings.advantage(epsilon) == pytest.approx(math.tanh(epsilon / 2), rel=1e-14)


@given(st.floats(1e-3, 20), st.floats(1e-6, 1 - 1e-6))
def test_laplace_is_never_worse_than_the_worst(epsilon, alarms):
    worst, laplace = meanings.misses(epsilon, alarms), meanings.misses(epsilon, alarms, "Laplace")
    assert 0 < worst <= laplace * (1 + 1e-12)
    assert laplace <= 1 - alarms
    assert meanings.advantage(epsilon, "Laplace") <= meanings.advantage(epsilon)


def test_the_odds_of_the_issue():
    """39 against 61 for Laplace noise at the half-way threshold."""
    odds = named("Odds out of 100")
    above = stats.laplace(1, 2).sf(0.5)
    assert (1 + odds.value(2)) / 2 == pytest.approx(above, rel=1e-14)
    assert "62 against 38" in odds.sentence(2)


@pytest.mark.parametrize("trials", [1, 2, 4, 10, 500, 10**6])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_an_audit_certifies_what_clopper_and_pearson_allow(trials, confidence):
    # binomtest's two-sided interval has half of 1 − confidence on either side; after no error its
    # upper end is ours
    wrong = stats.binomtest(0, trials).proportion_ci(confidence, method="exact").high
    wrong = stats.beta.ppf((1 + confidence) / 2, 1, trials) if trials > 1e5 else wrong
    expected = max(0.0, math.log((1 - wrong) / wrong))
    assert meanings.certified(trials, confidence) == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_an_audit_does_not_certify_too_much():
    """There the best attack errs in no trial at most half as often as 1 − confidence."""
    for trials in (10, 100):
        epsilon = meanings.certified(trials, 0.9)
        assert stats.binom.pmf(0, trials, 1 / (1 + math.exp(epsilon))) == pytest.approx(
            0.05, rel=1e-10
        )


@pytest.mark.parametrize("mechanism", ["any", "laplace", "gaussian"])
@pytest.mark.parametrize(
    ("total", "delta", "count"), [(1, 1e-6, 1), (1, 1e-6, 30), (8, 1e-3, 1000), (0.1, 1e-9, 7)]
)
def test_the_share_of_one_release_uses_the_budget_up(mechanism, total, delta, count):
    one = loss.epsilon(total, delta, count, mechanism)
    if mechanism == "gaussian":  # δ from the normal law
        low, high = 1e-6, 50.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (
                (middle, high) if gaussian_delta(middle, one) <= delta / count else (low, middle)
            )
        assert gaussian_delta(low * math.sqrt(count), total) == pytest.approx(delta, rel=1e-5)
        return
    law = {"any": loss.randomized_response, "laplace": loss.laplace}[mechanism]
    assert (
        law(one).compose(count).delta(total)
        <= delta
        < law(one * (1 + 1e-6)).compose(count).delta(total)
    )
    assert one >= total / count


@pytest.mark.parametrize(
    ("total", "delta", "count"), [(0.1, 1e-9, 10**5), (1e-6, 1e-9, 10), (1, 1e-14, 50)]
)
def test_laplace_noise_may_have_the_epsilon_that_any_mechanism_may(total, delta, count):
    """Where a grid cannot tell so small a δ from 0 as well."""
    worst = loss.epsilon(total, delta, count, "any")
    assert loss.epsilon(total, 0, count) == loss.epsilon(total, 0, count, "any") == total / count
    assert worst <= loss.epsilon(total, delta, count) <= 1.01 * worst


def test_sentences_name_delta_and_what_neighbours_are():
    said = " ".join(one.sentence(1) for one in meanings.meanings(GAUSS))
    assert said.count(", except with a probability of 1e-6.") == 3  # up once, after all, and down
    assert "which of two records belongs to a person" in said
    assert "whether a person is in the data" not in said
    said = " ".join(one.sentence(1000) for one in ALL)
    assert "No answer is more than 1.0011 times as likely" in said
    assert "All 4 releases, with ε = 0.1 used up by others, have ε = 0.104 and δ = 1e-6" in said
    assert "except" not in said  # 4 losses of ε each are likelier than δ
