"""The Bayes text's calculator against mpmath, direct sums, quadrature and simulation."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings, strategies as st
from scipy.special import comb

from dpwidgets.calculators import bayes

mpmath.mp.dps = 40


def direct_posteriors(answers, n, p, epsilon):
    """Bayes' rule as it is written, one row for each answer."""
    counts = np.arange(n + 1)
    distances = np.abs(np.asarray(answers)[:, np.newaxis] - counts)
    prior = scipy.stats.binom(n, p).pmf(counts)
    weights = prior * np.exp(-epsilon * distances)
    return weights / weights.sum(axis=1, keepdims=True)


def exact_mean(answer, n, p, epsilon):
    """Eq. (11) with 40 digits, from the ratios of neighbouring terms."""
    answer, odds = mpmath.mpf(answer), mpmath.mpf(p) / (1 - mpmath.mpf(p))
    modes = [
        int(n / (1 + float(1 / odds) * np.exp(e))) for e in (epsilon, -epsilon)
    ]
    mode, reach = int(np.clip(float(answer), *modes)), int(6 * np.sqrt(n)) + 9
    weight, total, moment = mpmath.mpf(1), 0, 0
    for k in range(max(mode - reach, 0), min(mode + reach, n) + 1):
        total, moment = total + weight, moment + k * weight
        farther = abs(answer - k - 1) - abs(answer - k)
        weight *= odds * (n - k) / (k + 1) * mpmath.exp(-epsilon * farther)
    return moment / total


# -------------------- one answer


def test_one_answer_by_brute_force():
    for n, p, epsilon in itertools.product(
        (1, 2, 7, 12), (0.01, 0.3, 0.5, 0.9), (0.05, 0.8, 4.0)
    ):
        answers = [-1e6, -0.5, 0, 0.3, n / 2 - 0.07, n - 0.1, n, n + 7.5]
        laws = direct_posteriors(np.clip(answers, 0, n), n, p, epsilon)
        prior = scipy.stats.binom(n, p).pmf(np.arange(n + 1))
        for answer, law in zip(answers, laws, strict=True):
            after = bayes.estimate(answer, n, p, epsilon)
            assert after.posterior == pytest.approx(law, rel=1e-6, abs=1e-15)
            assert after.prior == pytest.approx(prior, rel=1e-6, abs=1e-15)
            cdf = np.cumsum(law)
            low, high = after.interval
            assert (low, high) == (
                np.argmax(cdf >= 0.025),
                np.argmax(cdf >= 0.975),
            )
            found = bayes.posterior(answer, n, p, epsilon)
            assert found == pytest.approx(law, rel=1e-11)
            median = bayes.posterior_median(answer, n, p, epsilon)
            assert median == np.argmax(cdf >= 0.5)


@pytest.mark.slow
def test_posterior_mean_to_nine_digits():
    for answer, n, p, epsilon in (
        (300_123.4, 10**6, 0.3, 0.1),
        (-1e12, 10**6, 0.3, 10),
        (5e5, 10**6, 0.999, 10),
        (7.5, 10**6, 1e-9, 10),
        (30.5, 30, 0.999, 10),
        (300.4, 1000, 0.3, 0.1),
    ):
        expected = float(exact_mean(answer, n, p, epsilon))
        assert bayes.posterior_mean(answer, n, p, epsilon) == pytest.approx(
            expected, rel=1e-10
        )
        near = answer + np.array([[-0.3, 0.0], [5.0, 2.0 * n]])
        means = bayes.posterior_mean(near, n, p, epsilon)
        each = [
            bayes.posterior_mean(one, n, p, epsilon) for one in near.ravel()
        ]
        assert means == pytest.approx(np.reshape(each, (2, 2)), rel=1e-11)


def test_of_two_medians_the_smaller_counts():
    """A symmetric posterior over an even number of counts has 1/2 on each side."""
    for n in (1, 3, 11, 101, 1001):
        assert bayes.posterior_median(n / 2, n, 0.5, 0.7) == (n - 1) // 2


def test_out_of_range_is_the_noise_beyond_both_ends():
    counts = np.arange(101)
    law = scipy.stats.laplace(scale=10)
    chances = bayes.out_of_range(counts, 100, 0.1)
    assert chances == pytest.approx(
        law.cdf(-counts) + law.sf(100 - counts), rel=1e-13
    )


# -------------------- averages over all answers


def test_a_rounded_answer_errs_as_the_law_of_whole_noise():
    whole = np.arange(-400, 401)
    for epsilon in (0.1, 2):
        noise = scipy.stats.laplace(scale=1 / epsilon)
        law = np.diff(noise.cdf(np.arange(-400.5, 401)))
        rounded = bayes.mean_error(100, 0.3, epsilon, "rounded")
        assert rounded == pytest.approx(law @ np.abs(whole), rel=1e-10)


def by_quadrature(n, p, epsilon, true_p):
    """Every estimator's error, and how often Bayes' is closer, by the midpoint rule."""
    width, counts = 2e-3, np.arange(n + 1)
    # The tails beyond are added exactly, for all that is constant there.
    reach = 40 / epsilon if epsilon > 1 else 1.0
    answers = np.arange(-reach + width / 2, n + reach, width)
    laws = direct_posteriors(answers, n, p, epsilon)
    estimates = {
        "clamped": np.clip(answers, 0, n),
        "posterior mean": laws @ counts,
        "posterior median": np.argmax(np.cumsum(laws, axis=1) >= 0.5, axis=1),
    }
    prior = comb(n, counts) * true_p**counts * (1 - true_p) ** (n - counts)
    distance = np.abs(answers[:, np.newaxis] - counts)
    masses = (
        prior
        * np.exp(-epsilon * distance)
        * 2
        * np.sinh(epsilon * width / 2)
        / 2
    )
    below, above = (
        prior * np.exp(-epsilon * (reach + far)) / 2
        for far in (counts, n - counts)
    )
    errors = {}
    for name, values in estimates.items():
        errors[name] = (masses * np.abs(values[:, np.newaxis] - counts)).sum()
        errors[name] += below @ np.abs(values[0] - counts) + above @ np.abs(
            values[-1] - counts
        )
    closer = (
        np.abs(estimates["posterior mean"][:, np.newaxis] - counts) < distance
    )
    return errors, (masses * closer).sum()


def test_errors_by_quadrature():
    cases = [(1, 0.3, 1), (2, 0.5, 6), (7, 0.3, 0.2), (12, 0.9, 5)]
    for (n, p, epsilon), true_p in itertools.product(cases, (0.3, 0.45)):
        errors, closer = by_quadrature(n, p, epsilon, true_p)
        for name, expected in errors.items():
            # The rule cuts up to a cell at each jump.
            tolerance = 2e-3 if name == "posterior median" else 2e-5
            found = bayes.mean_error(n, p, epsilon, name, true_p)
            assert found == pytest.approx(expected, abs=tolerance)
        if epsilon > 1:
            found = bayes.chance_closer(n, p, epsilon, true_p)
            assert found == pytest.approx(closer, abs=4e-3)


@given(
    st.integers(1, 2000),
    st.floats(0.001, 0.999),
    st.floats(1e-4, 10),
    st.floats(-0.5, 1.5),
)
@settings(max_examples=25)
def test_mirrored_counts_agree(n, p, epsilon, share):
    mean = bayes.posterior_mean(share * n, n, p, epsilon)
    lowest, highest = n / (1 + (1 - p) / p * np.exp([epsilon, -epsilon]))
    assert lowest * (1 - 1e-9) <= mean <= highest * (1 + 1e-9)
    mirrored = bayes.posterior_mean(n - share * n, n, 1 - p, epsilon)
    assert n - mirrored == pytest.approx(mean, rel=1e-8, abs=1e-9 * n)
    error = bayes.mean_error(n, p, epsilon)
    assert error <= (1 + 1e-9) / epsilon
    assert bayes.mean_error(n, 1 - p, epsilon) == pytest.approx(
        error, rel=1e-7, abs=1e-9
    )
    chance = bayes.chance_closer(n, p, epsilon)
    assert bayes.chance_closer(n, 1 - p, epsilon) == pytest.approx(
        chance, abs=1e-7
    )


@pytest.mark.parametrize(("epsilon", "true_p"), [(60, 0.3), (100, 0.6)])
def test_an_error_too_small_for_floats_is_that_of_many_digits(epsilon, true_p):
    """The mean of one count or the other, near where the two are equally likely; mpmath."""

    def far_off(answer):
        one, two = (
            mpmath.exp(-epsilon * answer),
            mpmath.exp(-epsilon * (1 - answer)),
        )
        mean = 3 * two / (7 * one + 3 * two)
        truly = (1 - true_p) * one * mean + true_p * two * (1 - mean)
        return epsilon / 2 * truly

    near = [mpmath.mpf(place) for place in ("0", "0.4", "0.5", "0.6", "1")]
    error = mpmath.quad(far_off, near)
    found = bayes.mean_error(1, 0.3, epsilon, true_p=true_p)
    assert found == pytest.approx(float(error), rel=1e-9)


def test_the_average_of_the_errors_at_each_count_is_the_error():
    for n, p, epsilon, true_p in ((12, 0.3, 0.1, 0.5), (40, 0.1, 2.0, 0.15)):
        counts = np.arange(n + 1)
        shares = (
            comb(n, counts) * true_p**counts * (1 - true_p) ** (n - counts)
        )
        for name in bayes.ESTIMATORS:
            at_each = [
                bayes.mean_error(n, p, epsilon, name, true_count=count)
                for count in counts
            ]
            expected = bayes.mean_error(n, p, epsilon, name, true_p)
            assert shares @ at_each == pytest.approx(expected, rel=1e-11)


def test_whoever_is_certain_learns_nothing():
    for (p, count), answer in itertools.product(
        [(0, 0), (1, 9)], [-50.0, 4.2, 9.0, 1e6]
    ):
        certain = [float(k == count) for k in range(10)]
        assert bayes.posterior(answer, 9, p, 0.5).tolist() == certain
        assert bayes.posterior_mean(answer, 9, p, 0.5) == pytest.approx(
            count, abs=1e-12
        )
        assert bayes.posterior_median(answer, 9, p, 0.5) == count
        assert bayes.estimate(answer, 9, p, 0.5).interval == (count, count)


@pytest.mark.parametrize(("n", "epsilon"), [(9, 0.5), (40, 3.0)])
def test_the_ends_of_the_probability_are_the_limits(n, epsilon):
    """An average at p = 0 or 1 is what it tends to; who is certain never moves."""
    noise = np.random.default_rng(3).laplace(scale=1 / epsilon, size=100_000)
    counts = np.random.default_rng(4).binomial(n, 0.3, noise.size)
    for end, near, error in ((0, 1e-13, 0.3 * n), (1, 1 - 1e-13, 0.7 * n)):
        for name in bayes.ESTIMATORS:
            limit = bayes.mean_error(n, 0.3, epsilon, name, near)
            assert bayes.mean_error(
                n, 0.3, epsilon, name, end
            ) == pytest.approx(limit, abs=1e-9)
        limit = bayes.chance_closer(n, 0.3, epsilon, near)
        assert bayes.chance_closer(n, 0.3, epsilon, end) == pytest.approx(
            limit, abs=1e-9
        )
        assert bayes.mean_error(n, end, epsilon, true_p=0.3) == pytest.approx(
            error
        )
        closer = np.mean(np.abs(counts - n * end) < np.abs(noise))
        assert bayes.chance_closer(
            n, end, epsilon, true_p=0.3
        ) == pytest.approx(closer, abs=0.008)


# -------------------- the simulation


@pytest.mark.parametrize(
    ("n", "p", "epsilon"), [(100, 0.3, 0.1), (1000, 0.3, 1.0), (5, 0.5, 3.0)]
)
def test_simulate_agrees_with_the_exact_errors(n, p, epsilon):
    found = bayes.simulate(n, p, epsilon, 100_000, np.random.default_rng(5))
    exacts = (
        bayes.mean_error(n, p, epsilon),
        bayes.chance_closer(n, p, epsilon),
    )
    for name, exact in zip(("bayes", "closer"), exacts, strict=True):
        off = 4 * getattr(found, f"{name}_standard_error")
        assert getattr(found, name) == pytest.approx(exact, abs=off)


# -------------------- what an explorer shows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("against", "moved", "true_p"),
    [
        ("epsilon", "epsilon", None),
        ("noise", "epsilon", 0.2),
        ("p", "p", None),
        ("p", "true_p", 0.2),
    ],
)
def test_the_curves_pass_through_the_errors(against, moved, true_p):
    given = {"n": 30, "p": 0.3, "epsilon": 0.1, "true_p": true_p}
    along = bayes.compare(**given, against=against)
    for i in (0, 17, 39):
        at = along.x[i]
        value = math.sqrt(2) / at if against == "noise" else at
        here = bayes.compare(**given | {moved: value}, against=against)
        assert here.present == pytest.approx(at)
        curves = {name: curve[i] for name, curve in along.error_curves.items()}
        assert here.errors == pytest.approx(curves)


@pytest.mark.parametrize("p", [0, 0.3])
@pytest.mark.parametrize("epsilon", [0.1, 1000])
def test_the_worlds_are_drawn_from_the_prior_and_the_noise(p, epsilon):
    one = bayes.estimate(40, 100, p, epsilon)
    counts, answers = one.worlds.T
    error = one.deviation / math.sqrt(counts.size)
    assert counts.mean() == pytest.approx(one.expected, abs=3 * error)
    assert np.std(counts) == pytest.approx(one.deviation, rel=0.2)
    law = scipy.stats.laplace(scale=1 / epsilon)
    assert scipy.stats.kstest(answers - counts, law.cdf).pvalue > 0.01
