"""The breach text's calculator against mpmath, brute force, its theorem and the worlds' room."""

import itertools
import statistics

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from dpwidgets.calculators import breach, noise
from dpwidgets.calculators.breach import Attack
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.inputs.domain import DomainError

mpmath.mp.dps = 60

EPSILONS = (1e-8, 1e-3, 0.8109, 2.0, 5.0, 50.0)
PROBABILITIES = (1e-200, 1e-12, 3e-5, 1 / 74, 0.1, 0.2, 0.5, 0.75, 1 - 1e-9, 1 - 1e-16)

probabilities = st.floats(1e-12, 1 - 1e-12)
epsilons = st.floats(1e-8, 50)


def assert_close(computed, expected, tolerance=1e-13):
    assert abs(mpmath.mpf(computed) - expected) <= tolerance * abs(expected)


def exact_epsilon(prior, posterior):
    prior, posterior = mpmath.mpf(prior), mpmath.mpf(posterior)
    return mpmath.log(posterior * (1 - prior) / (prior * (1 - posterior)))


def exact_belief(probability, epsilon):
    """Return the probability whose odds are e^epsilon times as large."""
    probability, factor = mpmath.mpf(probability), mpmath.exp(mpmath.mpf(epsilon))
    return factor * probability / (1 - probability + factor * probability)


# -------------------- the identity


@pytest.mark.parametrize(("prior", "posterior"), list(itertools.combinations(PROBABILITIES, 2)))
def test_epsilon_is_the_logarithm_of_the_ratio_of_odds(prior, posterior):
    assert_close(breach.epsilon(prior, posterior), exact_epsilon(prior, posterior))


@pytest.mark.parametrize("prior", [1e-200, 1e-12, 3e-5, 1 / 74, 0.1, 0.5, 0.75, 1 - 1e-6])
def test_epsilon_keeps_its_digits_where_prior_and_posterior_almost_meet(prior):
    for posterior in (prior + 1e-6 * prior * (1 - prior), prior + 3e-8 * prior * (1 - prior)):
        assert_close(breach.epsilon(prior, posterior), exact_epsilon(prior, posterior))


def test_a_posterior_so_little_above_the_prior_that_epsilon_would_be_too_small_says_so():
    with pytest.raises(
        ValueError,
        match=r"posterior must be above the prior, 0.1; got 0.10000000000000002. So little above "
        "it, ε would have to be smaller than 1e-8",
    ):
        breach.epsilon(0.1, np.nextafter(0.1, 1))


@pytest.mark.parametrize(("start", "e"), list(itertools.product(PROBABILITIES, EPSILONS)))
def test_beliefs_move_by_epsilon_in_log_odds(start, e):
    assert_close(breach.posterior(start, e), exact_belief(start, e))
    assert_close(breach.downward(start, e), exact_belief(start, -e))
    assert_close(breach.prior(start, e), exact_belief(start, -e))


@given(probabilities, probabilities, epsilons)
def test_accuracy_at_random(one, other, e):
    assert_close(breach.posterior(one, e), exact_belief(one, e))
    assert_close(breach.downward(one, e), exact_belief(one, -e))
    prior, posterior = sorted((one, other))
    if exact_epsilon(prior, posterior) > 1e-7:
        assert_close(breach.epsilon(prior, posterior), exact_epsilon(prior, posterior))


@given(probabilities, probabilities)
def test_posterior_and_prior_come_back_from_epsilon(one, other):
    prior, posterior = sorted((one, other))
    assume(exact_epsilon(prior, posterior) > 1e-7)
    there = breach.epsilon(prior, posterior)
    assert breach.posterior(prior, there) == pytest.approx(posterior, rel=1e-13)
    assert breach.prior(posterior, there) == pytest.approx(prior, rel=1e-13)
    assert breach.downward(posterior, there) == pytest.approx(prior, rel=1e-13)


@given(st.floats(1e-12, 0.9), st.floats(1e-8, 10))
def test_epsilon_comes_back_from_the_posterior(prior, e):
    posterior = breach.posterior(prior, e)
    assume(prior < posterior < 1)
    # the posterior is rounded; ε moves by its error over ρ2(1 − ρ2)
    slack = 1e-14 + 1e-14 / (1 - posterior)
    assert breach.epsilon(prior, posterior) == pytest.approx(e, rel=1e-13, abs=slack)


@given(probabilities, probabilities, st.floats(1e-6, 1e6))
def test_the_scale_is_the_sensitivity_over_epsilon(one, other, sensitivity):
    prior, posterior = sorted((one, other))
    assume(exact_epsilon(prior, posterior) > 1e-7)
    expected = mpmath.mpf(sensitivity) / exact_epsilon(prior, posterior)
    assert_close(breach.scale(prior, posterior, sensitivity), expected)


def test_a_prior_below_the_goal_stays_below_it():
    """What is promised for ρ1 holds for every smaller prior: it need not be equal."""
    priors = np.linspace(1e-6, 0.1, 50)
    assert (np.diff(breach.posterior(priors, breach.epsilon(0.1, 0.2))) > 0).all()
    assert breach.posterior(priors[-1], breach.epsilon(0.1, 0.2)) == pytest.approx(0.2, rel=1e-14)


def test_arrays_broadcast_and_scalars_give_floats():
    grid = breach.epsilon(np.array([[0.1], [0.2]]), [0.3, 0.4, 0.5])
    assert grid.shape == (2, 3)
    assert grid[1, 2] == breach.epsilon(0.2, 0.5)
    assert breach.scale([0.1, 0.2], 0.5, np.ones((3, 1))).shape == (3, 2)
    for value in (
        breach.epsilon(0.1, 0.2),
        breach.posterior(np.float64(0.1), 1),
        breach.prior(0.1, 1),
        breach.downward(0.1, 1),
        breach.scale(0.1, 0.2, 1),
        breach.identifiability(5, 0.3),
    ):
        assert type(value) is float


# -------------------- Evfimievski, Gehrke and Srikant (2003)


def random_channels(seed, channels=200):
    """Draw channels p(answer | candidate), each with its smallest γ, priors and claims."""
    rng = np.random.default_rng(seed)
    for _ in range(channels):
        candidates, answers = rng.integers(2, 8, 2)
        channel = rng.dirichlet(np.full(answers, rng.uniform(0.5, 20)), candidates)
        gamma = (channel.max(axis=0) / channel.min(axis=0)).max()
        priors = rng.dirichlet(np.full(candidates, rng.uniform(0.1, 3)))
        claim = rng.random(candidates) < 0.5
        claim[:2] = True, False  # neither certain nor impossible
        yield channel, np.log(gamma), priors, claim


def test_no_answer_of_an_amplifying_channel_moves_a_belief_further():
    closest = np.inf
    for channel, e, priors, claim in random_channels(seed=1):
        prior = priors[claim].sum()
        if not 1e-9 < prior < 1 - 1e-9:
            continue
        joint = priors[:, None] * channel
        beliefs = joint[claim].sum(axis=0) / joint.sum(axis=0)
        assert (beliefs <= breach.posterior(prior, e) * (1 + 1e-12)).all()
        assert (beliefs >= breach.downward(prior, e) * (1 - 1e-12)).all()
        closest = min(closest, breach.posterior(prior, e) - beliefs.max())
    assert closest < 0.05  # and some come close


@given(probabilities, st.floats(1e-6, 30))
def test_randomized_response_reaches_both_ends(prior, e):
    truth, lie = 1 / (1 + np.exp(-e)), 1 / (1 + np.exp(e))
    up = prior * truth / (prior * truth + (1 - prior) * lie)
    down = prior * lie / (prior * lie + (1 - prior) * truth)
    assert breach.posterior(prior, e) == pytest.approx(up, rel=1e-12)
    assert breach.downward(prior, e) == pytest.approx(down, rel=1e-12)


def test_laplace_noise_reaches_both_ends_beyond_two_answers():
    prior, e = 0.1, 0.7
    law = noise.Laplace(1 / e)
    for answer in (1, 2.5, 9):  # the two candidates' answers are 0 and 1
        there, here = prior * law.density(answer - 1), (1 - prior) * law.density(answer)
        assert there / (there + here) == pytest.approx(breach.posterior(prior, e), rel=1e-13)
        there, here = prior * law.density(answer), (1 - prior) * law.density(answer - 1)
        assert there / (there + here) == pytest.approx(breach.downward(prior, e), rel=1e-13)


# -------------------- the text's numbers


def test_the_printed_formula_breaks_its_promise():
    printed = np.sqrt(breach.epsilon(0.1, 0.2))  # ε = (λ/Δf)·ln[…] with λ = Δf/ε
    assert breach.epsilon(0.1, 0.2) == pytest.approx(0.81093021621632876, rel=1e-15)
    assert printed == pytest.approx(0.90051663850054917, rel=1e-14)
    assert breach.posterior(0.1, printed) == pytest.approx(0.21471958680228962, rel=1e-14)
    assert breach.posterior(0.1, 0.81093021621632876) == pytest.approx(0.2, rel=1e-15)


def test_the_goal_of_the_experiment():
    assert breach.epsilon(1 / 73, 0.2) == pytest.approx(2.8903717578961647, rel=1e-15)  # ln 18
    assert 1 / breach.posterior(1 / 74, breach.epsilon(1 / 74, 0.2)) == pytest.approx(5, rel=1e-14)
    assert breach.posterior(0.5, np.log(9)) == pytest.approx(0.9, rel=1e-15)
    assert breach.posterior(1 / 5, [2, 5]) == pytest.approx(
        [0.64878564428393930, 0.97375554693864765], rel=1e-14
    )
    assert breach.posterior(1 / 5, 0.1) == pytest.approx(0.21648068905247011, rel=1e-14)


FIGURE_1 = {  # ρ1: λ of age, education-num and hours-per-week at ρ2 = 0.2
    0.01: (4.657826657e-4, 9.570876693e-5, 6.252972773e-4),
    0.02: (5.965275665e-4, 1.225741575e-4, 8.008178291e-4),
    0.05: (9.592275793e-4, 1.971015574e-4, 1.287730175e-3),
    0.10: (1.843087432e-3, 3.787165957e-4, 2.474281759e-3),
    0.15: (4.291089763e-3, 8.817307732e-4, 5.760641052e-3),
    0.19: (2.345752471e-2, 4.820039323e-3, 3.149092358e-2),
}


@pytest.mark.parametrize("prior", FIGURE_1)
def test_figure_1(prior):
    scales = [
        breach.scale(prior, 0.2, breach.attribute(name).sensitivity) for name in breach.ATTRIBUTES
    ]
    assert scales == pytest.approx(FIGURE_1[prior], rel=1e-9)


def test_the_noise_grows_with_the_prior_and_falls_with_the_posterior():
    assert (np.diff(breach.scale([0.01, 0.02, 0.05, 0.1, 0.15, 0.19], 0.2, 1)) > 0).all()
    falling = breach.scale(1 / 73, [0.05, 0.1, 0.2, 0.3, 0.5, 0.9], 1)
    expected = [
        0.750622750496,
        0.480898346963,
        0.345976256261,
        0.291598896527,
        0.233826997986,
        0.154466617820,
    ]
    assert falling == pytest.approx(expected, rel=1e-11)


def test_differential_identifiability():
    assert breach.identifiability(73, 0.2) == pytest.approx(2.8903717578961647, rel=1e-15)
    # Lee and Clifton (2012), Sec. 5: λ = 8.4032e-4; and the ticks of their Fig. 3
    assert 98 / 48842 / breach.identifiability(99, 0.1) == pytest.approx(
        0.00084032072314341163, rel=1e-14
    )
    tolerated = [0.5, 0.0625, 0.0078125, 0.0009765625, 0.0001220703125, 1.52587890625e-05]
    ticks = [11.513, 8.805, 6.669, 4.582, 2.502, 0.423]
    assert breach.identifiability(100_000, tolerated) == pytest.approx(ticks, abs=5.1e-4)


@given(st.integers(2, 10**9), st.floats(1e-9, 1 - 1e-9))
def test_identifiability_is_its_formula(candidates, posterior):
    assume(posterior > 1.0001 / candidates)
    m, rho = mpmath.mpf(candidates), mpmath.mpf(posterior)
    assert_close(
        breach.identifiability(candidates, posterior), mpmath.log((m - 1) * rho / (1 - rho)), 1e-10
    )


# -------------------- one test for both rooms


@pytest.mark.parametrize("values", [[0, 1, 1], [0, 0, 0, 0, 1], [0] * 29 + [1] * 3])
def test_a_blind_guess_for_a_prior_gives_the_worlds_bound(values):
    """With Δf = Δv, the worlds text's eqs. (5) and (7) are this text's identity at ρ1 = 1/n."""
    worlds, n = Worlds(values, "sum"), len(values)
    assert worlds.sensitivity == worlds.spread == 1
    for e in EPSILONS:
        assert worlds.risk_bound(e) == pytest.approx(breach.posterior(1 / n, e), rel=1e-14)
    for risk in (1.0001 / n, 0.4, 0.9):
        assert worlds.epsilon_bound(risk) == pytest.approx(
            breach.identifiability(n, risk), rel=1e-13
        )
        assert worlds.epsilon_bound(risk) == pytest.approx(breach.epsilon(1 / n, risk), rel=1e-13)


def test_otherwise_the_worlds_bound_is_rescaled():
    worlds = Worlds([1, 2, 3, 10])
    rescaled = worlds.sensitivity / worlds.spread
    assert worlds.epsilon_bound(1 / 3) == pytest.approx(
        rescaled * breach.identifiability(4, 1 / 3), rel=1e-14
    )
    assert worlds.risk_bound(2) == pytest.approx(breach.posterior(1 / 4, 2 / rescaled), rel=1e-14)


# -------------------- the attack

KNOWN, UNIVERSE = [1, 2, 3], [1, 2, 3, 5, 10]
DEFINITIONS = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "sum": sum,
    "count": lambda records: sum(record != 0 for record in records),
    "min": min,
    "max": max,
    "variance": statistics.pvariance,
}


def test_the_example():
    attack = Attack(KNOWN, UNIVERSE)
    assert attack.answers.tolist() == [1.75, 2, 2.25, 2.75, 4]
    assert (attack.sensitivity, attack.spread) == (9 / 4, 9 / 4)
    assert attack.sensitivity / 2 == 1.125
    at_2 = [0.07336781957, 0.09162531850, 0.1144261754, 0.1784617519, 0.5421189347]
    at_5 = [0.006119141612, 0.01066510698, 0.01858831093, 0.05646630279, 0.9081611377]
    for answer in (4, 5.041, 5.401, 1e9):  # beyond all answers it no longer matters
        assert attack.posterior(answer, 2) == pytest.approx(at_2, rel=1e-9)
        assert attack.posterior(answer, 5) == pytest.approx(at_5, rel=1e-9)
    assert attack.posterior(3.99, 2)[-1] < at_2[-1]
    assert attack.risk([2, 5]) == pytest.approx([at_2[-1], at_5[-1]], rel=1e-9)


def test_the_example_with_the_printed_scale():
    attack = Attack(KNOWN, UNIVERSE)
    posterior = attack.posterior(5.401, attack.sensitivity / 1.1258)  # an ε of 1.99858
    expected = [0.07343635102, 0.09169642277, 0.1144968920, 0.1785156545, 0.5418546797]
    assert posterior == pytest.approx(expected, rel=1e-9)


def test_the_source_of_the_example():
    """Lee and Clifton (2012), Sec. 3.5: 4, 5 and 10 are candidates, R = 5.041 and ε = 2."""
    attack = Attack(KNOWN, [4, 5, 10])
    scale = 9 / 4 / 2
    density = noise.Laplace(scale).density(5.041 - attack.answers)
    assert density == pytest.approx([0.0464, 0.0580, 0.1762], abs=5e-5)
    assert attack.posterior(5.041, attack.sensitivity / scale)[-1] == pytest.approx(
        0.6278, abs=5e-5
    )


values = st.integers(-30, 30) | st.floats(-100, 100).map(lambda x: round(x, 2))
universes = st.lists(values, min_size=2, max_size=7, unique_by=float)


def build(known, universe, query):
    try:
        return Attack(known, universe, query)
    except ValueError as error:
        assume("with other records it may" not in str(error))
        raise


@given(
    st.lists(values, max_size=6),
    universes,
    st.sampled_from(list(DEFINITIONS)),
    epsilons,
    st.floats(-1e3, 1e3),
)
def test_the_attack_is_bayes_rule(known, universe, query, e, answer):
    attack = build(known, universe, query)
    size = max(map(abs, known + universe)) ** (2 if query == "variance" else 1)
    answers = np.array([float(DEFINITIONS[query]([*known, value])) for value in universe])
    assert attack.answers == pytest.approx(answers, rel=1e-12, abs=1e-12 * size)
    assert attack.sensitivity == pytest.approx(np.ptp(answers), rel=1e-12, abs=1e-12 * size)

    scale = attack.sensitivity / e
    answer = np.append(attack.answers, answer)
    exponents = -np.abs(answer[:, None] - attack.answers) / scale
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    beliefs = weights / weights.sum(axis=1, keepdims=True)
    assert attack.posterior(answer, e) == pytest.approx(beliefs, rel=1e-9, abs=1e-12)
    assert attack.risk(e) == pytest.approx(beliefs.max(), rel=1e-10)


@given(
    st.lists(values, max_size=6),
    universes,
    st.sampled_from(list(DEFINITIONS)),
    epsilons,
    st.floats(-1e3, 1e3),
)
def test_no_attack_passes_the_bound(known, universe, query, e, answer):
    attack = build(known, universe, query)
    prior = 1 / len(universe)
    assert attack.risk(e) <= breach.posterior(prior, e) * (1 + 1e-12)
    posterior = attack.posterior(answer, e)
    assert (posterior <= breach.posterior(prior, e) * (1 + 1e-12)).all()
    assert (posterior >= breach.downward(prior, e) * (1 - 1e-12)).all()


@pytest.mark.parametrize("e", EPSILONS)
def test_the_bound_is_reached_when_one_candidate_stands_alone(e):
    """All but one candidate give the same answer."""
    attack = Attack([0, 5], [1, 2, 3, 9], "max")
    assert attack.answers.tolist() == [5, 5, 5, 9]
    assert attack.risk(e) == pytest.approx(breach.posterior(1 / 4, e), rel=1e-14)
    assert attack.posterior(-1, e)[-1] == pytest.approx(breach.downward(1 / 4, e), rel=1e-13)


@pytest.mark.parametrize("query", DEFINITIONS)
def test_a_callable_is_the_named_query(query):
    known, universe = [3, 0.5, 3, -2], [0, 3, 7, -10]
    named, called = Attack(known, universe, query), Attack(known, universe, DEFINITIONS[query])
    assert named.answers == pytest.approx(called.answers, rel=1e-14)
    assert named.risk([0.1, 1, 10]) == pytest.approx(called.risk([0.1, 1, 10]), rel=1e-13)


def test_a_callable_gets_all_records_in_ascending_order():
    seen = []
    Attack([3, 1], [2, 9, 0], lambda records: seen.append(records.tolist()) or records.sum())
    assert seen == [[1, 2, 3], [1, 3, 9], [0, 1, 3]]


def test_known_records_may_repeat_and_may_be_none():
    assert Attack([2, 2, 2], [2, 3]).answers.tolist() == [2, 2.25]
    assert Attack([], [2, 3, 7]).answers.tolist() == [2, 3, 7]


def test_the_age_of_one_of_all_of_adult():
    age = breach.attribute("age")
    known = np.repeat(age.values, age.counts.astype(int))[1:]  # the missing one is 17
    attack = Attack(known, age.universe)
    assert attack.sensitivity == pytest.approx(age.sensitivity, rel=1e-9)
    assert attack.answers[0] == pytest.approx(age.mean, rel=1e-14)
    e = breach.identifiability(age.universe.size, 0.2)
    assert attack.risk(e) == pytest.approx(Attack([], age.universe).risk(e), rel=1e-9)
    assert 1 / 74 < attack.risk(e) < 0.2


# -------------------- the noise ratio


def test_the_quartiles_of_the_noise_ratio():
    drawn = breach.noise_ratio(breach.epsilon(1 / 74, 0.2), 48842, 1000, np.random.default_rng(1))
    assert drawn.scale == pytest.approx(7.0499374e-6, rel=1e-7)
    assert drawn.quartiles == pytest.approx((-4.8866442e-6, 0, 4.8866442e-6), rel=1e-7)
    assert drawn.fences == pytest.approx((-1.9546577e-5, 1.9546577e-5), rel=1e-7)
    law = noise.Laplace(drawn.scale)
    assert drawn.quartiles == pytest.approx([law.quantile(p) for p in (0.25, 0.5, 0.75)], rel=1e-14)
    assert law.cdf(drawn.fences[0]) + 1 - law.cdf(drawn.fences[1]) == pytest.approx(
        1 / 16, rel=1e-13
    )


BOXES = {
    0.05: 1.0543392e-5,
    0.1: 6.7797560e-6,
    0.2: 4.8866442e-6,
    0.5: 3.3077161e-6,
    0.9: 2.1874711e-6,
}


@pytest.mark.parametrize("posterior", BOXES)
def test_the_box_shrinks_as_the_posterior_grows(posterior):
    drawn = breach.noise_ratio(
        breach.epsilon(1 / 74, posterior), 48842, 1, np.random.default_rng(1)
    )
    assert drawn.quartiles[2] == pytest.approx(BOXES[posterior], rel=1e-7)


def test_many_noise_ratios_follow_their_law():
    runs = 200_000
    drawn = breach.noise_ratio(0.7, 100, runs, np.random.default_rng(3))
    assert drawn.values.shape == (runs,)
    assert np.percentile(drawn.values, [25, 50, 75]) == pytest.approx(
        drawn.quartiles, abs=0.02 * drawn.scale
    )
    outside = (drawn.values < drawn.fences[0]) | (drawn.values > drawn.fences[1])
    assert outside.mean() == pytest.approx(1 / 16, abs=5 * np.sqrt(1 / 16 / runs))


@pytest.mark.parametrize("name", breach.ATTRIBUTES)
def test_the_noise_ratio_is_the_same_for_every_attribute(name):
    """It is the noise of the mean over the range: the range cancels."""
    attribute, e = breach.attribute(name), 1.3
    drawn = breach.noise_ratio(e, attribute.n, 50, np.random.default_rng(8))
    law = noise.Laplace(attribute.sensitivity / e)
    assert law.sample(np.random.default_rng(8), 50) / attribute.range == pytest.approx(
        drawn.values, rel=1e-12
    )


def test_a_seed_gives_the_same_draws_at_another_scale():
    one, half = (breach.noise_ratio(e, 10, 20, np.random.default_rng(2)).values for e in (1, 2))
    assert one == pytest.approx(2 * half, rel=1e-14)


# -------------------- bad input


@pytest.mark.parametrize("function", [breach.epsilon, breach.scale])
@pytest.mark.parametrize("posterior", [0.1, 0.05])
def test_a_posterior_that_no_noise_can_promise_says_why(function, posterior):
    message = (
        f"posterior must be above the prior, 0.1; got {posterior}. Even .* so no noise can pro"
    )
    with pytest.raises(DomainError, match=message) as caught:
        function(0.1, posterior, *([1] if function is breach.scale else []))
    assert caught.value.argument == "posterior"


def test_the_first_impossible_goal_of_an_array_is_told():
    with pytest.raises(ValueError, match=r"above the prior, 0\.4; got 0\.3"):
        breach.epsilon([[0.1], [0.4]], [0.5, 0.3])


@pytest.mark.parametrize("posterior", [0.1, 0.01])
def test_a_blind_guess_cannot_be_forbidden(posterior):
    with pytest.raises(
        ValueError, match=f"posterior must be above the prior, 0.1; got {posterior}"
    ):
        breach.identifiability(10, posterior)


@pytest.mark.parametrize("universe", [[1], [], 5, [[1, 2], [3, 4]]])
def test_a_universe_has_at_least_two_values(universe):
    with pytest.raises(
        DomainError,
        match="universe must be a list of at least two finite numbers; got an array of sh",
    ):
        Attack(KNOWN, universe)


@pytest.mark.parametrize("universe", [[1, 2, 1], [3, 1, 1.0, 1], [0, 1, -0.0]])
def test_a_universe_has_each_value_once(universe):
    with pytest.raises(
        DomainError, match=r"universe must hold each value once; got -?[01] more than once"
    ) as caught:
        Attack(KNOWN, universe)
    assert caught.value.argument == "universe"


@pytest.mark.parametrize("known", [5, [[1, 2], [3, 4]]])
def test_the_known_records_are_a_list(known):
    with pytest.raises(
        DomainError, match="known must be a list of finite numbers; got an array of shape"
    ):
        Attack(known, UNIVERSE)


@pytest.mark.parametrize("name", ["known", "universe"])
def test_records_are_finite_numbers(name):
    arguments = {"known": KNOWN, "universe": UNIVERSE}
    with pytest.raises(ValueError, match=f"{name} must be a list of .*finite numbers; got nan"):
        Attack(**arguments | {name: [1, 2, np.nan]})
    with pytest.raises(TypeError, match=f"{name} must be a list of .*finite numbers; got"):
        Attack(**arguments | {name: ["a", "b"]})


def test_candidates_that_answer_alike_need_no_noise():
    message = (
        "universe must hold values that differ in what they do .* got 9 from every world. .* no"
    )
    with pytest.raises(DomainError, match=message) as caught:
        Attack([9, 1], [2, 3, 4], "max")
    assert caught.value.argument == "universe"


@pytest.mark.parametrize(
    ("known", "universe"), [([1e308], [1, 2]), ([1], [2e12, 0]), ([], [0, 1e-13])]
)
def test_records_too_large_or_too_small_are_refused(known, universe):
    with pytest.raises(
        ValueError,
        match=r"known and universe must have .*the largest is from 1e-12 to 1e\+12, or 0; got",
    ):
        Attack(known, universe)


@pytest.mark.parametrize("query", ["mode", "", 3, None, ["mean"]])
def test_an_unknown_query_is_refused(query):
    with pytest.raises(
        DomainError, match=r"query must be one of 'mean', 'median', .*, or a function; got"
    ):
        Attack(KNOWN, UNIVERSE, query)


@pytest.mark.parametrize("result", [np.nan, np.inf, [1.0, 2.0]])
def test_a_query_must_return_one_finite_number(result):
    with pytest.raises(
        ValueError,
        match="query must be a function that returns one number from −1e30 to 1e30 for every wor",
    ):
        Attack(KNOWN, UNIVERSE, lambda records: result)
