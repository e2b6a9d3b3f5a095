"""The Bayes text's calculator against mpmath, direct sums, quadrature and simulation."""

import itertools

import mpmath
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings, strategies as st
from scipy.special import comb

from dpwidgets.calculators import bayes

mpmath.mp.dps = 40

# By n, p and ε: the posterior mean's error, how often it is closer, and the error of n·p.
REFERENCES = {
    (100, 0.3, 0.01): (3.655184822979021, 0.9652634098252645, 3.644922319643979),
    (100, 0.3, 0.0125): (3.655397416627768, 0.957088140206849, 3.644922319643979),
    (100, 0.3, 0.015): (3.6547312217808874, 0.9491044800170025, 3.644922319643979),
    (100, 0.3, 0.02): (3.650881059563411, 0.9336898322303944, 3.644922319643979),
    (100, 0.3, 0.025): (3.643864063373642, 0.9189771449949518, 3.644922319643979),
    (100, 0.3, 0.03): (3.6338984096538955, 0.9049271066833113, 3.644922319643979),
    (100, 0.3, 0.04): (3.605939220308721, 0.8786714023274057, 3.644922319643979),
    (100, 0.3, 0.05): (3.573529872613074, 0.8546595817141444, 3.644922319643979),
    (100, 0.3, 0.06): (3.5509155798503045, 0.8326492483013246, 3.644922319643979),
    (100, 0.3, 0.07): (3.5207778160911785, 0.8124344526632905, 3.644922319643979),
    (100, 0.3, 0.08): (3.483607048012845, 0.793830446849578, 3.644922319643979),
    (100, 0.3, 0.09): (3.440290316608011, 0.7766896555216053, 3.644922319643979),
    (100, 0.3, 0.1): (3.3972825628504815, 0.7608785305765977, 3.644922319643979),
    (100, 0.3, 0.12): (3.3158028374428583, 0.7327118841696316, 3.644922319643979),
    (100, 0.3, 0.1414213562373095): (3.214209379791086, 0.7068890032660928, 3.644922319643979),
    (100, 0.3, 0.15): (3.1736938058603914, 0.6976185418930274, 3.644922319643979),
    (100, 0.3, 0.2): (2.9361197950544917, 0.6533963994621619, 3.644922319643979),
    (100, 0.3, 0.25): (2.70319453878608, 0.6214677099451084, 3.644922319643979),
    (100, 0.3, 0.3): (2.4841258713303196, 0.597918983968901, 3.644922319643979),
    (100, 0.3, 0.4): (2.1020689454747883, 0.5663897173146464, 3.644922319643979),
    (100, 0.3, 0.5): (1.795745963959885, 0.5472671737014959, 3.644922319643979),
    (100, 0.3, 0.6): (1.5536860657764935, 0.5349663143238582, 3.644922319643979),
    (100, 0.3, 0.7): (1.3618907995969303, 0.5268688215097492, 3.644922319643979),
    (100, 0.3, 0.8): (1.2082771372379562, 0.5215047431886974, 3.644922319643979),
    (100, 0.3, 0.9): (1.0834604356810043, 0.5180315161988991, 3.644922319643979),
    (100, 0.3, 1.0): (0.9804816386534057, 0.5158599764445416, 3.644922319643979),
    (100, 0.3, 1.1): (0.8942555625452331, 0.514573987957853, 3.644922319643979),
    (100, 0.3, 1.2): (0.8210664139436699, 0.5138883935221334, 3.644922319643979),
    (100, 0.3, 1.3): (0.7581780933477862, 0.5136159480733538, 3.644922319643979),
    (100, 0.3, 1.4142135623730951): (0.6963570200619539, 0.5192495449654062, 3.644922319643979),
    (100, 0.3, 1.5): (0.6556178656866981, 0.5221540739780285, 3.644922319643979),
    (100, 0.3, 1.75): (0.5578645069346135, 0.5385297457919909, 3.644922319643979),
    (100, 0.3, 2.0): (0.4823809826581328, 0.5669014164860842, 3.644922319643979),
    (100, 0.3, 2.5): (0.3717386155260263, 0.650966444494375, 3.644922319643979),
    (100, 0.3, 3.0): (0.29280862793696294, 0.7418907916380117, 3.644922319643979),
    (100, 0.3, 4.0): (0.1854888667435937, 0.853326296430073, 3.644922319643979),
    (100, 0.3, 5.0): (0.11733879693819219, 0.9124882740488389, 3.644922319643979),
    (100, 0.3, 7.0): (0.04549253607437823, 0.9686312328175948, 3.644922319643979),
    (100, 0.3, 10.0): (0.010433608135527012, 0.9931882766825288, 3.644922319643979),
    (1000, 0.3, 0.1): (7.645717055754036, 0.5906173936680907, 11.558821604932723),
    (1000, 0.3, 1.0): (0.9969325509107427, 0.5085276092462455, 11.558821604932723),
    (100, 0.1, 0.1): (2.3080952776333477, 0.8220319510401612, 2.3735762428407865),
    (100, 0.5, 0.1): (3.6703695989072407, 0.7476166742499826, 3.979461869358939),
    (1000, 0.1, 0.1): (6.010202309604577, 0.6474136953805387, 7.563022354995378),
    (1000, 0.5, 0.1): (7.947970174291953, 0.5808099628177892, 12.612509089180401),
}

# By n, p and ε: the posterior median's error.
MEDIAN_REFERENCES = {
    (100, 0.3, 0.01): 3.644922319643979,
    (100, 0.3, 0.02): 3.644922319643979,
    (100, 0.3, 0.05): 3.5678878036610135,
    (100, 0.3, 0.1): 3.387948578520095,
    (100, 0.3, 0.3): 2.460760446264362,
    (100, 0.3, 1.0): 0.9333434400728113,
    (100, 0.3, 3.0): 0.23311879394666643,
    (1000, 0.3, 0.1): 7.604648143955663,
    (1000, 0.3, 1.0): 0.9568571522628385,
}

# By n, p and ε: the error of the clamped answer.
CLAMPED_REFERENCES = {
    (100, 0.3, 0.01): 38.06484322841099,
    (100, 0.3, 0.05): 17.399695808462965,
    (100, 0.3, 0.1): 9.71882652580824,
    (100, 0.3, 0.5): 1.999996493697479,
    (100, 0.3, 1.0): 0.9999999996310437,
    (1000, 0.3, 0.1): 9.999999999998682,
    (1000, 0.3, 1.0): 1.0,
}

SMALL = list(itertools.product((1, 2, 7, 12), (0.01, 0.3, 0.5, 0.9), (0.05, 0.8, 4.0)))


def direct_posteriors(answers, n, p, epsilon):
    """Bayes' rule as it is written, one row for each answer."""
    counts = np.arange(n + 1)
    prior = comb(n, counts) * p**counts * (1 - p) ** (n - counts)
    weights = prior * np.exp(-epsilon * np.abs(np.asarray(answers)[:, np.newaxis] - counts))
    return weights / weights.sum(axis=1, keepdims=True)


def exact_mean(answer, n, p, epsilon, start):
    """Eq. (11) with 40 digits, summed outward from a count until the terms no longer matter."""
    answer, p, epsilon = mpmath.mpf(answer), mpmath.mpf(p), mpmath.mpf(epsilon)
    odds = p / (1 - p)
    steps = {d: mpmath.exp(-epsilon * d) for d in (-1, 1)}
    denominator, numerator = mpmath.mpf(1), mpmath.mpf(start)
    for step in (1, -1):
        weight, k = mpmath.mpf(1), start
        while 0 <= k + step <= n:
            weight *= odds * (n - k) / (k + 1) if step == 1 else k / (odds * (n - k + 1))
            farther = abs(answer - k - step) - abs(answer - k)
            weight *= steps.get(farther) or mpmath.exp(-epsilon * farther)
            k += step
            denominator += weight
            numerator += k * weight
            if (
                k * weight < mpmath.mpf("1e-25") * numerator
                and weight < mpmath.mpf("1e-25") * denominator
            ):
                break
    return numerator / denominator


def likely_count(answer, n, p, epsilon):
    odds = p / (1 - p)
    low, high = (int(n * odds * np.exp(e) / (1 + odds * np.exp(e))) for e in (-epsilon, epsilon))
    return int(np.clip(answer, low, high))


# -------------------- one answer


@pytest.mark.parametrize(("n", "p", "epsilon"), SMALL)
def test_posterior_is_bayes_rule(n, p, epsilon):
    answers = [-1e6, -0.5, 0, 0.3, n / 2, n - 0.1, n, n + 7.5]
    for answer, expected in zip(
        answers, direct_posteriors(np.clip(answers, 0, n), n, p, epsilon), strict=True
    ):
        assert bayes.posterior(answer, n, p, epsilon) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(
    ("n", "p", "epsilon"), [(10**6, 0.3, 0.1), (10**6, 1e-6, 10), (10**5, 0.999, 1e-4)]
)
def test_posterior_of_many_records_is_a_law_with_the_posterior_mean(n, p, epsilon):
    for answer in (-5.0, n * p + 0.25, 2.0 * n):
        law = bayes.posterior(answer, n, p, epsilon)
        assert law.shape == (n + 1,)
        assert law.sum() == pytest.approx(1, rel=1e-12)
        assert law @ np.arange(n + 1) == pytest.approx(
            bayes.posterior_mean(answer, n, p, epsilon), rel=1e-11
        )


@pytest.mark.parametrize("n", [1, 30, 1000, 10**5])
@pytest.mark.parametrize("p", [1e-6, 0.01, 0.3, 0.999])
@pytest.mark.parametrize("epsilon", [1e-4, 0.1, 1, 10])
def test_posterior_mean_to_nine_digits(n, p, epsilon):
    answers = [-1e9, 0, n * p + 0.4, n / 2, 3.0 * n + 0.5]
    for answer in answers[:: 1 if n < 10**4 else 2]:
        expected = exact_mean(answer, n, p, epsilon, likely_count(answer, n, p, epsilon))
        assert bayes.posterior_mean(answer, n, p, epsilon) == pytest.approx(
            float(expected), rel=1e-10
        )


@pytest.mark.parametrize(
    ("answer", "p", "epsilon"),
    [
        (300_123.4, 0.3, 0.1),
        (-1e12, 0.3, 10),
        (5e5, 0.999, 10),
        (2e6, 1e-6, 1),
        (3e5, 0.3, 1e-4),
        (7.5, 1e-9, 10),
    ],
)
def test_posterior_mean_of_a_million_records(answer, p, epsilon):
    n = 10**6
    expected = exact_mean(answer, n, p, epsilon, likely_count(answer, n, p, epsilon))
    assert bayes.posterior_mean(answer, n, p, epsilon) == pytest.approx(float(expected), rel=1e-10)


@pytest.mark.parametrize(("n", "epsilon"), [(1, 1), (50, 0.2), (1000, 10), (10**5, 0.05)])
def test_posterior_mean_of_an_array_is_that_of_its_elements(n, epsilon):
    answers = np.random.default_rng(3).uniform(-0.2 * n, 1.2 * n, (3, 20))
    means = bayes.posterior_mean(answers, n, 0.3, epsilon)
    assert means.shape == answers.shape
    expected = [bayes.posterior_mean(answer, n, 0.3, epsilon) for answer in answers.flat]
    assert means.ravel() == pytest.approx(expected, rel=1e-11)
    assert type(bayes.posterior_mean(3, n, 0.3, epsilon)) is float


def test_an_empty_array_of_answers():
    assert bayes.posterior_mean([], 100, 0.3, 1).shape == (0,)


@given(
    st.integers(1, 10**6),
    st.floats(1e-6, 1 - 1e-6),
    st.floats(1e-4, 10),
    st.floats(-0.5, 1.5),
    st.floats(0, 10),
)
@settings(max_examples=50)
def test_posterior_mean_grows_with_the_answer_and_keeps_between_its_ends(
    n, p, epsilon, share, more
):
    nearer, farther = bayes.posterior_mean([share * n, share * n + more], n, p, epsilon)
    lowest, highest = n / (1 + (1 - p) / p * np.exp([epsilon, -epsilon]))
    assert lowest * (1 - 1e-9) <= nearer <= farther * (1 + 1e-9) <= highest * (1 + 2e-9)


@given(st.integers(1, 10**5), st.floats(0.001, 0.999), st.floats(1e-3, 10), st.floats(-0.5, 1.5))
@settings(max_examples=50)
def test_counting_the_others_mirrors_the_posterior(n, p, epsilon, share):
    mean = bayes.posterior_mean(share * n, n, p, epsilon)
    assert n - bayes.posterior_mean(n - share * n, n, 1 - p, epsilon) == pytest.approx(
        mean, rel=1e-8, abs=1e-9 * n
    )


@pytest.mark.parametrize(("n", "p", "epsilon"), SMALL)
def test_median_and_interval_by_brute_force(n, p, epsilon):
    answers = np.linspace(-1.03, n + 1.02, 15)
    for answer, law in zip(answers, direct_posteriors(answers, n, p, epsilon), strict=True):
        cdf = np.cumsum(law)
        assert bayes.posterior_median(answer, n, p, epsilon) == np.argmax(cdf >= 0.5)
        for level in (0.1, 0.68, 0.95):
            low, high = bayes.credible_interval(answer, n, p, epsilon, level)
            assert (low, high) == (
                np.argmax(cdf >= (1 - level) / 2),
                np.argmax(cdf >= (1 + level) / 2),
            )
            assert law[low : high + 1].sum() >= level - 1e-12


@pytest.mark.parametrize("n", [1, 3, 11, 101, 1001])
def test_of_two_medians_the_smaller_counts(n):
    """A symmetric posterior over an even number of counts has 1/2 on each side."""
    assert bayes.posterior_median(n / 2, n, 0.5, 0.7) == (n - 1) // 2


def test_an_interval_of_almost_everything():
    assert bayes.credible_interval(3, 10, 0.3, 1, 1 - 1e-15) == (0, 10)


def test_median_of_a_million_records():
    law = bayes.posterior(300_123.4, 10**6, 0.3, 0.1)
    median = bayes.posterior_median(300_123.4, 10**6, 0.3, 0.1)
    assert law[:median].sum() < 0.5 <= law[: median + 1].sum()


# -------------------- out of range


def test_out_of_range_is_equation_2():
    law = [
        (mpmath.exp(-mpmath.mpf(a) / 10) + mpmath.exp(mpmath.mpf(a - 100) / 10)) / 2
        for a in (0, 5, 50, 100)
    ]
    assert bayes.out_of_range([0, 5, 50, 100], 100, 0.1) == pytest.approx(
        [float(x) for x in law], rel=1e-14
    )


@pytest.mark.parametrize(("n", "least"), [(100, [50]), (101, [50, 51])])
def test_out_of_range_is_least_in_the_middle(n, least):
    chances = bayes.out_of_range(np.arange(n + 1), n, 0.1)
    assert list(np.flatnonzero(chances <= chances.min() * (1 + 1e-12))) == least
    assert (
        chances.max()
        == chances[0]
        == chances[n]
        == pytest.approx((1 + np.exp(-0.1 * n)) / 2, rel=1e-14)
    )


def test_equation_6_is_too_large_for_an_even_number_of_records():
    printed = (np.exp(-0.5 * 99) + np.exp(-0.5 * 101)) / 2
    assert printed / bayes.out_of_range(50, 100, 1) == pytest.approx(np.cosh(0.5), rel=1e-13)


# -------------------- averages over all answers


@pytest.mark.parametrize(("arguments", "expected"), list(REFERENCES.items()))
def test_errors_at_known_values(arguments, expected):
    error, closer, prior = expected
    assert bayes.mean_error(*arguments) == pytest.approx(error, abs=1e-10)
    assert bayes.chance_closer(*arguments) == pytest.approx(closer, abs=1e-10)
    assert bayes.mean_error(*arguments, "prior") == pytest.approx(prior, abs=1e-10)
    assert bayes.mean_error(*arguments, "naive") == 1 / arguments[2]


@pytest.mark.parametrize(("arguments", "expected"), list(MEDIAN_REFERENCES.items()))
def test_median_error_at_known_values(arguments, expected):
    assert bayes.mean_error(*arguments, "posterior median") == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("arguments", "expected"), list(CLAMPED_REFERENCES.items()))
def test_clamped_error_at_known_values(arguments, expected):
    assert bayes.mean_error(*arguments, "clamped") == pytest.approx(expected, abs=1e-10)


def by_quadrature(n, p, epsilon, true_p):
    """Every estimator's error, and how often Bayes' is closer, by the midpoint rule."""
    width, counts = 2e-3, np.arange(n + 1)
    reach = (
        40 / epsilon if epsilon > 1 else 1.0
    )  # the tails beyond are added exactly, for all that is constant there
    answers = np.arange(-reach + width / 2, n + reach, width)
    laws = direct_posteriors(answers, n, p, epsilon)
    estimates = {
        "clamped": np.clip(answers, 0, n),
        "posterior mean": laws @ counts,
        "posterior median": np.argmax(np.cumsum(laws, axis=1) >= 0.5, axis=1),
    }
    prior = comb(n, counts) * true_p**counts * (1 - true_p) ** (n - counts)
    distance = np.abs(answers[:, np.newaxis] - counts)
    masses = prior * np.exp(-epsilon * distance) * 2 * np.sinh(epsilon * width / 2) / 2
    below, above = (prior * np.exp(-epsilon * (reach + far)) / 2 for far in (counts, n - counts))
    errors = {}
    for name, values in estimates.items():
        errors[name] = (masses * np.abs(values[:, np.newaxis] - counts)).sum()
        errors[name] += below @ np.abs(values[0] - counts) + above @ np.abs(values[-1] - counts)
    closer = (
        masses * (np.abs(estimates["posterior mean"][:, np.newaxis] - counts) < distance)
    ).sum()
    return errors, closer


@pytest.mark.parametrize("true_p", [0.3, 0.45])
@pytest.mark.parametrize(
    ("n", "p", "epsilon"), [(1, 0.3, 1), (2, 0.5, 6), (7, 0.3, 0.2), (12, 0.3, 2), (12, 0.9, 5)]
)
def test_errors_by_quadrature(n, p, epsilon, true_p):
    errors, closer = by_quadrature(n, p, epsilon, true_p)
    for name, expected in errors.items():
        tolerance = (
            2e-3 if name == "posterior median" else 2e-5
        )  # the rule cuts up to a cell at each jump
        assert bayes.mean_error(n, p, epsilon, name, true_p) == pytest.approx(
            expected, abs=tolerance
        )
    if epsilon > 1:
        assert bayes.chance_closer(n, p, epsilon, true_p) == pytest.approx(closer, abs=4e-3)


@pytest.mark.parametrize(
    ("n", "p", "epsilon", "true_p"),
    [
        (1, 0.3, 0.5, 0.3),
        (9, 0.5, 3.0, 0.5),
        (20, 0.3, 0.3, 0.6),
        (40, 0.05, 8.0, 0.1),
        (100, 0.3, 1.0, 0.3),
    ],
)
def test_errors_by_simulation(n, p, epsilon, true_p):
    runs, rng = 200_000, np.random.default_rng(11)
    counts = rng.binomial(n, true_p, runs)
    answers = counts + rng.laplace(scale=1 / epsilon, size=runs)
    means = bayes.posterior_mean(answers, n, p, epsilon)
    estimates = {
        "naive": answers,
        "rounded": np.round(answers),
        "clamped": np.clip(answers, 0, n),
        "prior": n * p,
        "posterior mean": means,
    }
    for name, values in estimates.items():
        errors = np.abs(values - counts)
        expected = pytest.approx(errors.mean(), abs=5 * errors.std() / np.sqrt(runs))
        assert bayes.mean_error(n, p, epsilon, name, true_p) == expected
    closer = np.mean(np.abs(means - counts) < np.abs(answers - counts))
    assert bayes.chance_closer(n, p, epsilon, true_p) == pytest.approx(
        closer, abs=2.5 / np.sqrt(runs)
    )


@given(st.integers(1, 2000), st.floats(0.001, 0.999), st.floats(1e-4, 50))
@settings(max_examples=25)
def test_what_holds_for_every_error(n, p, epsilon):
    """The median is best; the mean beats the naive answer on average; mirrored counts agree."""
    errors = {name: bayes.mean_error(n, p, epsilon, name) for name in bayes.ESTIMATORS}
    assert errors["posterior median"] <= min(errors.values()) + 1e-9
    assert 0 <= errors["posterior mean"] <= errors["naive"] * (1 + 1e-9)
    assert errors["clamped"] <= errors["naive"]
    assert bayes.mean_error(n, 1 - p, epsilon) == pytest.approx(
        errors["posterior mean"], rel=1e-7, abs=1e-9
    )
    chance = bayes.chance_closer(n, p, epsilon)
    assert 0 <= chance <= 1 + 1e-9
    assert bayes.chance_closer(n, 1 - p, epsilon) == pytest.approx(chance, abs=1e-7)


@pytest.mark.parametrize("estimator", bayes.ESTIMATORS)
@pytest.mark.parametrize(
    ("n", "p", "epsilon", "true_p"), [(12, 0.3, 0.1, 0.5), (40, 0.1, 2.0, 0.15)]
)
def test_the_average_of_the_errors_at_each_count_is_the_error(n, p, epsilon, true_p, estimator):
    counts = np.arange(n + 1)
    at_each = [bayes.mean_error(n, p, epsilon, estimator, true_count=count) for count in counts]
    shares = comb(n, counts) * true_p**counts * (1 - true_p) ** (n - counts)
    assert shares @ at_each == pytest.approx(
        bayes.mean_error(n, p, epsilon, estimator, true_p), rel=1e-11
    )


@pytest.mark.parametrize("count", [0, 5, 12])
def test_error_at_a_count_by_simulation(count):
    answers = count + np.random.default_rng(4).laplace(scale=2, size=100_000)
    errors = np.abs(bayes.posterior_mean(answers, 12, 0.3, 0.5) - count)
    expected = pytest.approx(errors.mean(), abs=5 * errors.std() / np.sqrt(errors.size))
    assert bayes.mean_error(12, 0.3, 0.5, true_count=count) == expected


@pytest.mark.parametrize(("p", "count"), [(0, 0), (1, 9)])
@pytest.mark.parametrize("answer", [-50.0, 4.2, 9.0, 1e6])
def test_whoever_is_certain_learns_nothing(p, count, answer):
    assert bayes.posterior(answer, 9, p, 0.5).tolist() == [float(k == count) for k in range(10)]
    assert bayes.posterior_mean(answer, 9, p, 0.5) == pytest.approx(count, abs=1e-12)
    assert bayes.posterior_median(answer, 9, p, 0.5) == count
    assert bayes.credible_interval(answer, 9, p, 0.5, 0.9) == (count, count)


@pytest.mark.parametrize(("n", "epsilon"), [(9, 0.5), (40, 3.0)])
def test_the_ends_of_the_probability_are_the_limits(n, epsilon):
    """An average at p = 0 or 1 is what it tends to; who is certain never moves."""
    for end, near in ((0, 1e-13), (1, 1 - 1e-13)):
        for estimator in bayes.ESTIMATORS:
            at_end = bayes.mean_error(n, 0.3, epsilon, estimator, true_p=end)
            assert at_end == pytest.approx(
                bayes.mean_error(n, 0.3, epsilon, estimator, true_p=near), abs=1e-9
            )
        at_end = bayes.chance_closer(n, 0.3, epsilon, true_p=end)
        assert at_end == pytest.approx(bayes.chance_closer(n, 0.3, epsilon, true_p=near), abs=1e-9)
        assert bayes.mean_error(n, end, epsilon, true_p=0.3) == pytest.approx(
            n * (0.3 if end == 0 else 0.7)
        )
        noise = np.random.default_rng(3).laplace(scale=1 / epsilon, size=100_000)
        counts = np.random.default_rng(4).binomial(n, 0.3, noise.size)
        closer = np.mean(np.abs(counts - n * end) < np.abs(noise))
        assert bayes.chance_closer(n, end, epsilon, true_p=0.3) == pytest.approx(closer, abs=0.008)


def test_without_noise_nothing_is_lost_and_without_an_answer_the_prior_is_left():
    assert bayes.mean_error(100, 0.3, 50) < 1e-8
    assert bayes.mean_error(100, 0.3, 1e-6) == pytest.approx(
        bayes.mean_error(100, 0.3, 1, "prior"), abs=1e-3
    )
    assert bayes.chance_closer(100, 0.3, 1e-6) == pytest.approx(1, abs=1e-4)
    assert bayes.mean_error(100, 0.3, 1e-8, "clamped") == pytest.approx(
        50, rel=1e-6
    )  # 0 and n, equally often


def test_where_the_conclusions_of_the_text_stop():
    """Rounding beats Bayes above an ε; the gap does not grow with noise; a wrong p may hurt."""
    for n, turn in ((100, 0.8446), (1000, 0.4295)):
        gaps = [
            bayes.mean_error(n, 0.3, e, "rounded") - bayes.mean_error(n, 0.3, e)
            for e in (turn - 2e-3, turn + 2e-3)
        ]
        assert gaps[0] > 0 > gaps[1]
    chances = [bayes.chance_closer(100, 0.3, e) for e in (1.0, 1.3407, 2.0)]
    assert chances[1] == min(chances) == pytest.approx(0.51359, abs=1e-5)
    assert bayes.mean_error(1000, 0.3, 0.1, true_p=0.28) == pytest.approx(11.6, abs=0.05)


# -------------------- the simulation


@pytest.mark.parametrize(("n", "p", "epsilon"), [(100, 0.3, 0.1), (1000, 0.3, 1.0), (5, 0.5, 3.0)])
def test_simulate_agrees_with_the_exact_errors(n, p, epsilon):
    found = bayes.simulate(n, p, epsilon, 100_000, np.random.default_rng(5))
    assert found.runs == 100_000
    assert found.naive == pytest.approx(1 / epsilon, abs=4 * found.naive_standard_error)
    assert found.bayes == pytest.approx(
        bayes.mean_error(n, p, epsilon), abs=4 * found.bayes_standard_error
    )
    assert found.closer == pytest.approx(
        bayes.chance_closer(n, p, epsilon), abs=4 * found.closer_standard_error
    )
    assert found.naive_standard_error == pytest.approx(1 / epsilon / np.sqrt(100_000), rel=0.05)


def test_simulate_is_reproducible_and_reports_its_progress():
    done = []
    first = bayes.simulate(50, 0.2, 0.5, 25_000, np.random.default_rng(8), done.append)
    assert first == bayes.simulate(50, 0.2, 0.5, 25_000, np.random.default_rng(8))
    assert first != bayes.simulate(50, 0.2, 0.5, 25_000, np.random.default_rng(9))
    assert done == [10_000, 20_000, 25_000]


def test_a_single_run():
    found = bayes.simulate(10, 0.5, 1, 1, np.random.default_rng(1))
    assert found.closer in (0, 1)
    assert found.bayes_standard_error == 0


# -------------------- bad input

ONE_ANSWER = {
    bayes.posterior: {},
    bayes.posterior_mean: {},
    bayes.posterior_median: {},
    bayes.credible_interval: {"level": 0.9},
}
GOOD = {"answer": 3.0, "n": 10, "p": 0.3, "epsilon": 1.0}
BAD = [
    ("answer", np.nan, "a number from −1e100 to 1e100"),
    ("n", 0, "a whole number from 1 to 1,000,000"),
    ("n", 2.5, "a whole number from 1 to 1,000,000"),
    ("n", 10**6 + 1, "a whole number from 1 to 1,000,000"),
    ("p", -0.1, "a number from 0 to 1"),
    ("p", 1.5, "a number from 0 to 1"),
    ("epsilon", 0, "a number from 1e-8 to 1000"),
    ("epsilon", np.inf, "a number from 1e-8 to 1000"),
]


@pytest.mark.parametrize("function", ONE_ANSWER)
@pytest.mark.parametrize(("name", "value", "allowed"), BAD)
def test_bad_input_of_one_answer(function, name, value, allowed):
    with pytest.raises(ValueError, match=f"^{name} must be {allowed}; got {value:.12g}"):
        function(**{**GOOD, **ONE_ANSWER[function], name: value})


@pytest.mark.parametrize("level", [0, 1, -0.5])
def test_bad_level(level):
    with pytest.raises(
        ValueError, match=f"^level must be a number between 0 and 1, both excluded; got {level}"
    ):
        bayes.credible_interval(3, 10, 0.3, 1, level)


@pytest.mark.parametrize("function", [bayes.mean_error, bayes.chance_closer])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 2001}, "n must be a whole number from 1 to 2,000; got 2001"),
        ({"n": -1}, "n must be a whole number from 1 to 2,000; got -1"),
        ({"p": 1.01}, "p must be a number from 0 to 1; got 1.01"),
        ({"epsilon": -2}, "epsilon must be a number from 1e-8 to 1000; got -2"),
        ({"true_p": -1}, "true_p must be a number from 0 to 1; got -1"),
    ],
)
def test_bad_input_of_averages(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        function(**{"n": 10, "p": 0.3, "epsilon": 1.0, **arguments})


def test_an_unknown_estimator():
    with pytest.raises(
        ValueError, match=r"^estimator must be one of 'naive', .*'posterior median'; got 'mode'"
    ):
        bayes.mean_error(10, 0.3, 1, "mode")


def test_the_true_count_is_given_in_one_way():
    with pytest.raises(
        ValueError, match=r"^true_p and true_count cannot both be given; got 0.3 and 4"
    ):
        bayes.mean_error(10, 0.3, 1, true_p=0.3, true_count=4)
    with pytest.raises(
        ValueError, match=r"^true_count must be a whole number from 0 to 10; got 11"
    ):
        bayes.mean_error(10, 0.3, 1, true_count=11)


def test_bad_input_of_out_of_range():
    with pytest.raises(ValueError, match=r"^count must be a whole number from 0 to 10; got 11"):
        bayes.out_of_range(11, 10, 1)
    with pytest.raises(ValueError, match=r"^epsilon must be"):
        bayes.out_of_range(3, 10, 0)


@pytest.mark.parametrize("runs", [0, -3, 1.5])
def test_bad_number_of_runs(runs):
    with pytest.raises(
        ValueError, match=f"^runs must be a whole number from 1 to 1,000,000,000; got {runs}"
    ):
        bayes.simulate(10, 0.3, 1, runs, np.random.default_rng(1))


def test_one_number_where_one_is_wanted():
    with pytest.raises(
        ValueError, match=r"^p must be a number from 0 to 1; got an array of shape \(2,\)"
    ):
        bayes.posterior_mean(3, 10, [0.1, 0.2], 1)
    with pytest.raises(TypeError, match=r"^n must be a whole number"):
        bayes.posterior(3, "ten", 0.3, 1)


@pytest.mark.parametrize("doubt", [1e-5, 1e-3, 0.1, 0.5])
@pytest.mark.parametrize(("n", "p", "epsilon"), [(1, 0.3, 1), (20, 0.5, 0.3), (100, 0.03, 2)])
def test_a_doubt_about_p_makes_the_prior_beta_binomial(n, p, epsilon, doubt):
    known = 1 / doubt - 1
    prior = scipy.stats.betabinom(n, known * p, known * (1 - p)).pmf(np.arange(n + 1))
    for answer in (-3, 0.4 * n, n + 5):
        weights = prior * np.exp(-epsilon * np.abs(answer - np.arange(n + 1)))
        after = bayes.estimate(answer, n, p, epsilon, doubt)
        assert after.prior == pytest.approx(prior, rel=1e-6, abs=1e-15)
        assert after.posterior == pytest.approx(weights / weights.sum(), rel=1e-6, abs=1e-15)
        deviation = np.sqrt(prior @ (np.arange(n + 1) - n * p) ** 2)
        assert after.deviation == pytest.approx(deviation, rel=1e-6)


@pytest.mark.parametrize("doubt", [0.01, 0.2])
def test_errors_with_a_doubt_by_simulation(doubt):
    n, p, epsilon, true_p = 30, 0.3, 0.4, 0.5
    rng, known = np.random.default_rng(7), 1 / doubt - 1
    counts = rng.binomial(n, true_p, 20_000)
    answers = counts + rng.laplace(scale=1 / epsilon, size=counts.size)
    prior = scipy.stats.betabinom(n, known * p, known * (1 - p)).pmf(np.arange(n + 1))
    weights = prior * np.exp(-epsilon * np.abs(answers[:, np.newaxis] - np.arange(n + 1)))
    means = weights @ np.arange(n + 1) / weights.sum(axis=1)
    off, naive = np.abs(means - counts), np.abs(answers - counts)
    error = bayes.mean_error(n, p, epsilon, true_p=true_p, doubt=doubt)
    assert error == pytest.approx(off.mean(), abs=5 * off.std() / 141)
    closer = bayes.chance_closer(n, p, epsilon, true_p, doubt=doubt)
    assert closer == pytest.approx((off < naive).mean(), abs=5 * 0.5 / 141)
    both = bayes.compare(n, p, epsilon, true_p, doubt=doubt)
    assert (both.errors["posterior mean"], both.closer) == (error, closer)


def test_bad_doubt():
    with pytest.raises(ValueError, match=r"^doubt must be a number from 0 to 0\.5; got 0\.6"):
        bayes.estimate(1, 10, 0.3, 1, doubt=0.6)
    with pytest.raises(ValueError, match=r"^n must be a whole number from 1 to 2,000; got 2001"):
        bayes.estimate(1, 2001, 0.3, 1, doubt=0.1)
    with pytest.raises(ValueError, match=r"^doubt must be a number from 0 to 0\.5; got -1"):
        bayes.mean_error(10, 0.3, 1, doubt=-1)
