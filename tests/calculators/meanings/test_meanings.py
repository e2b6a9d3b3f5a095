"""Every meaning of ε against an independent way: integrals, scipy.stats and brute force."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpwidgets.calculators import bayes, breach, interval, loss, meanings, worlds
from dpwidgets.calculators.candidates import AlikeError
from dpwidgets.calculators.domain import DomainError
from dpwidgets.calculators.interpretation import MECHANISMS, NEIGHBOURS, RELEASES
from dpwidgets.texts import TEXTS

EPSILONS = np.geomspace(0.05, 5, 7)
ALL = meanings.meanings(compositions=10)
#: No way back of its own: the posterior mean's error.
ONE_WAY = "Error of the posterior mean"
NAMES = [meaning.name for meaning in ALL]
ROOMS = {text.word for text in TEXTS}


def named(beginning, every=ALL):
    (found,) = (meaning for meaning in every if meaning.name.startswith(beginning))
    return found


@pytest.mark.parametrize(
    "meaning", [one for one in ALL if one.name != ONE_WAY], ids=lambda one: one.name
)
def test_the_inverse_undoes_the_value(meaning):
    values = meaning.value(EPSILONS)
    assert values.shape == EPSILONS.shape
    assert (np.diff(values) > 0).all() or (np.diff(values) < 0).all()
    assert meaning.epsilon(values) == pytest.approx(EPSILONS, rel=2e-9)
    assert type(meaning.value(1)) is type(meaning.epsilon(meaning.value(1))) is float


@pytest.mark.parametrize("meaning", ALL, ids=NAMES)
def test_every_meaning_is_complete_and_says_its_number(meaning):
    assert meaning.mechanism in MECHANISMS
    assert meaning.neighbours in NEIGHBOURS
    assert meaning.releases in RELEASES
    assert meaning.text in ROOMS | {""}
    assert meaning.name
    assert meaning.equation
    said = meaning.sentence(0.5)
    assert "0.5" in said
    assert meaning.shown(meaning.value(0.5)) in said
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize("epsilon", [1e-8, 50, 1000])
def test_every_meaning_stands_at_the_ends(epsilon):
    for meaning in ALL:
        assert meaning.value(epsilon) >= 0
        assert "undefined" not in meaning.sentence(epsilon)


def test_the_names_differ_and_every_text_has_its_meanings():
    assert len(set(NAMES)) == len(NAMES)
    assert {meaning.text for meaning in ALL} == ROOMS | {""}


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


@pytest.mark.parametrize("alarms", [0.001, 0.05, 0.4, 0.5, 0.6, 0.99])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_misses_lead_back_on_every_piece_of_the_curve(alarms, mechanism):
    how = "any mechanism" if mechanism == "any" else "Laplace noise"
    every = meanings.beyond_texts(false_alarms=alarms)
    (meaning,) = (one for one in every if one.name.startswith("Misses") and one.name.endswith(how))
    epsilons = np.geomspace(0.001, 12, 60)
    assert meaning.epsilon(meaning.value(epsilons)) == pytest.approx(epsilons, rel=1e-9)


def test_the_odds_of_the_issue():
    """39 against 61 for Laplace at the half-way threshold, 38 against 62 at worst."""
    laplace, worst = named("Odds out of 100, Laplace"), named("Odds out of 100, at worst")
    assert laplace.value(0.5) == pytest.approx(stats.laplace(1, 2).sf(0.5), rel=1e-14)
    assert worst.value(0.5) == pytest.approx(breach.posterior(0.5, 0.5), rel=1e-14)
    assert "39 against 61" in laplace.sentence(0.5)
    assert "38 against 62" in worst.sentence(0.5)
    assert "0.0045 against 99.995" in worst.sentence(10)


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


# ------------------------------------------------------------------------------------------- the
# texts' own


def test_the_texts_meanings_are_their_functions():
    assert named("Half-width").value(0.08) == interval.half_width(0.08, 0.8, 100)
    assert named("Risk").value(2) == worlds.Worlds([1, 2, 3, 10]).risk(2)
    assert named("The text’s bound").epsilon(1 / 3) == worlds.Worlds([1, 2, 3, 10]).epsilon_bound(
        1 / 3
    )
    assert named("Largest posterior of one").epsilon(0.542) == breach.identifiability(5, 0.542)
    assert named("Smallest posterior").value(1) == breach.downward(0.1, 1)
    assert named(ONE_WAY).value(0.1) == bayes.mean_error(100, 0.3, 0.1)


def test_the_expected_losses_are_integrals():
    noise = np.linspace(-80, 81, 2_000_001)
    density = np.exp(-np.abs(noise) / 2) / 4  # ε = 0.5
    mean = np.trapezoid(density * (np.abs(noise - 1) - np.abs(noise)) / 2, noise)
    assert named("Expected loss, Laplace").value(0.5) == pytest.approx(mean, rel=1e-6)
    assert named("Expected loss, any").value(0.5) == pytest.approx(0.5 * math.tanh(0.25), rel=1e-12)


def test_the_posterior_means_error_has_the_medians_inverse_and_says_so():
    every = bayes.meanings(n=50, p=0.02)
    median, mean = every
    epsilons = np.geomspace(0.05, 3, 60)
    assert (np.diff(mean.value(epsilons)) > 0).any()  # it does rise
    assert (np.diff(median.value(epsilons)) <= 0).all()
    assert mean.epsilon(0.5) == median.epsilon(0.5)
    assert "inverse is that of the posterior median" in mean.note
    assert mean.value(median.epsilon(0.5)) >= 0.5


def test_the_worlds_meanings_take_names_and_worlds_and_tell_no_value():
    students = {"Chris": 1, "Kelly": 2, "Pat": 3, "Terry": 10}
    for given_ in (students, worlds.Worlds([1, 2, 3, 10])):
        risk, _ = worlds.meanings(given_)
        assert risk.value(2) == named("Risk").value(2)
        assert not any(name in risk.sentence(2) for name in students)
        assert "not for publishing" in risk.note


@pytest.mark.parametrize("mechanism", ["any", "laplace", "gaussian"])
@pytest.mark.parametrize(
    ("total", "delta", "count"), [(1, 1e-6, 1), (1, 1e-6, 30), (8, 1e-3, 1000), (0.1, 1e-9, 7)]
)
def test_the_share_of_one_release_uses_the_budget_up(mechanism, total, delta, count):
    one = loss.epsilon(total, delta, count, mechanism)
    if mechanism == "gaussian":  # δ from the normal law

        def delta_of(mu, at):
            return stats.norm.cdf(mu / 2 - at / mu) - math.exp(at) * stats.norm.cdf(
                -mu / 2 - at / mu
            )

        low, high = 1e-6, 50.0
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if delta_of(middle, one) <= delta / count else (low, middle)
        assert delta_of(low * math.sqrt(count), total) == pytest.approx(delta, rel=1e-5)
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
    assert worst <= loss.epsilon(total, delta, count) <= 1.01 * worst


def test_a_budget_without_delta_is_shared_equally():
    assert loss.epsilon(1, 0, 8) == loss.epsilon(1, 0, 8, "any") == 0.125
    with pytest.raises(
        DomainError, match="delta must be above 0 for Gaussian noise, at least 1e-300 for each"
    ):
        loss.epsilon(1, 0, 8, "gaussian")
    with pytest.raises(
        DomainError, match="mechanism must be one of 'any', 'laplace', 'gaussian'; got 'binomial'"
    ):
        loss.epsilon(1, 0.1, 8, "binomial")


# --------------------------------------------------------------------------------------------- all
# together


def test_assumptions_choose_what_holds():
    assert all(one.mechanism == "any" for one in meanings.meanings(mechanism="any"))
    assert len(meanings.meanings(mechanism="Laplace")) == len(ALL)
    kinds = {
        wish: {one.neighbours for one in meanings.meanings(neighbours=wish)} for wish in NEIGHBOURS
    }
    assert kinds == {
        "either": {"either"},
        "add/remove": {"either", "add/remove"},
        "replace": {"either", "replace"},
    }
    assert {one.releases for one in meanings.meanings(releases="many")} == {"many"}


def test_assumptions_reach_the_rooms():
    every = meanings.meanings(
        count=500, confidence=0.9, n=10, prior=0.3, values=[1, 5, 6, 7, 9], audit_confidence=0.5
    )
    assert named("Half-width", every).value(1) == interval.half_width(1, 0.9, 500)
    assert named("Smallest posterior", every).value(1) == breach.downward(0.3, 1)
    assert named("Risk", every).value(1) == worlds.Worlds([1, 5, 6, 7, 9]).risk(1)
    assert named("Trials", every).value(1) < named("Trials").value(1)


def test_bad_assumptions_are_refused():
    with pytest.raises(
        TypeError, match=r"meanings\(\) knows no cuont; it knows audit_confidence, candidates"
    ):
        meanings.meanings(cuont=3)
    with pytest.raises(
        ValueError, match="mechanism must be one of 'any', 'Laplace'; got 'gaussian'"
    ):
        meanings.meanings(mechanism="gaussian")
    with pytest.raises(DomainError, match="prior must be a number from 1e-300 to 1, 1 excluded"):
        meanings.meanings(prior=1)
    with pytest.raises(AlikeError):
        meanings.meanings(values=[2, 2, 2])
    with pytest.raises(DomainError, match=r"number of trials above 5\.32"):
        named("Trials").epsilon(3)
