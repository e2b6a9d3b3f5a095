"""Quotients of noisy numbers against quadrature another way, enumeration and simulation."""

import math
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy import integrate, stats

from dpwidgets.decisions import plan, rates
from dpwidgets.decisions.case import Case
from dpwidgets.inputs.domain import DomainError
from dpwidgets.inputs.notation import percent, up

STAYS = Case(published="sum", low=-15, high=15, unit="days")
RATE = Case(published="count")
KINDS = {
    "Laplace": stats.laplace,
    "Gaussian": stats.norm,
}


def of(case, mechanism):
    delta = 1e-6 if mechanism == "Gaussian" else 0.0
    made = case.to_dict() | {"mechanism": mechanism, "delta": delta}
    return Case.from_dict(made)


def tail(mechanism, x):
    """How often noise of scale 1 exceeds x."""
    if mechanism == "Gaussian":
        return math.erfc(x / math.sqrt(2)) / 2
    return math.exp(-x) / 2 if x > 0 else 1 - math.exp(x) / 2


def kept(mechanism, scales, above, below, h):
    """How often a quotient lies within h: given the numerator's noise, the other's tails say it."""
    (scale, other), q = scales, above / below
    law = KINDS[mechanism](scale=scale)

    def inside(x):
        low, high = (x - h * below) / (q + h), math.inf
        if q > h:
            high = (x + h * below) / (q - h)
        elif q < h:
            low = max(low, (x + h * below) / (q - h))
        low, high = max(low, -below) / other, high / other
        # Of the nearer ends, whose tails have digits.
        low, high = (low, high) if low > 0 else (-high, -low)
        some = tail(mechanism, low) - tail(mechanism, high)
        density = math.exp(-abs(x) / scale) / (2 * scale)
        if mechanism == "Gaussian":
            density = math.exp(-((x / scale) ** 2) / 2)
            density /= scale * math.sqrt(2 * math.pi)
        return max(some, 0.0) * density

    ends = law.ppf([1e-14, 1 - 1e-14])
    kinks = {-above, 0.0, h * below, -h * below, -above - h * below}
    kinks = {kink for kink in kinks if ends[0] < kink < ends[1]}
    cuts = sorted({*np.linspace(*ends, 60), *kinks})
    return sum(
        integrate.quad(inside, *pair, epsabs=1e-12, epsrel=1e-9)[0]
        for pair in pairwise(cuts)
    )


numbers = {
    "mechanism": st.sampled_from(["Laplace", "Gaussian"]),
    "scale": st.floats(0.5, 200),
    "other": st.floats(0.5, 60),
    "q": st.floats(-14, 14),
    "count": st.floats(1, 2000),
    "sure": st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999]),
}


@given(**numbers)
@settings(max_examples=150, deadline=None)
def test_the_interval_is_the_least_by_quadrature_over_the_other_noise(
    mechanism, scale, other, q, count, sure
):
    case = of(STAYS, mechanism)
    h = rates.within(case, scale, other, q * count, count, sure)
    lost = KINDS[mechanism](scale=other).cdf(-count)
    assert rates.lost(case, other, count) == pytest.approx(lost)
    if math.isinf(h):
        assert lost >= (1 - sure) * (1 - 1e-9)
        return
    found = [
        kept(mechanism, (scale, other), abs(q) * count, count, one)
        for one in (h, 0.99 * h)
    ]
    assert found[0] == pytest.approx(sure, abs=1e-8)
    assert found[1] < sure


@given(**numbers, seed=st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_quotients_lie_so_close_as_simulated(
    mechanism, scale, other, q, count, sure, seed
):
    case, rng = of(STAYS, mechanism), np.random.default_rng(seed)
    draw = rng.laplace if mechanism == "Laplace" else rng.normal
    above = q * count + draw(0, scale, 40_000)
    below = count + draw(0, other, 40_000)
    h = rates.within(case, scale, other, q * count, count, sure)
    if h < math.inf:
        near = (below > 0) & (np.abs(above - q * below) <= h * below)
        error = 5 * math.sqrt(sure * (1 - sure) / near.size)
        assert near.mean() == pytest.approx(sure, abs=error)


@pytest.mark.parametrize("sure", [1e-6, 0.5, 0.99999, 1 - 1e-12])
def test_rare_and_frequent_intervals_are_those_of_mpmath(sure):
    """P of the miss in 30 digits, where floats of 1 − P have none left."""
    for b, other, q, n in ((30, 10, 3, 900), (1, 9, 0.4, 2000)):
        h = rates.within(of(STAYS, "Laplace"), b, other, q * n, n, sure)
        with mpmath.workdps(30):

            def above(x):
                t = mpmath.exp(-abs(x)) / 2
                return t if x > 0 else 1 - t

            def missed(y, b=b, other=other, q=q, n=n, h=h):
                far = [(h * (n + y) + s * q * y) / b for s in (-1, 1)]
                law = mpmath.exp(-abs(y) / other) / (2 * other)
                return law * sum(map(above, far))

            kinks = {-n, -h * n / (q + h), 0, n, 60 * other}
            kinks |= {h * n / (q - h)} if q > h else set()
            grid = sorted(kinks | set(np.linspace(-n, 60 * other, 80)))
            miss = mpmath.quad(missed, grid) + mpmath.exp(-n / other) / 2
            assert float(miss / (1 - mpmath.mpf(sure))) == pytest.approx(
                1, abs=1e-6
            )


@given(
    st.floats(0.05, 12),
    st.floats(0.05, 6),
    st.integers(0, 40),
    st.integers(1, 60),
    st.sampled_from([0.3, 0.8, 0.95, 0.999]),
)
@settings(max_examples=150, deadline=None)
def test_geometric_quotients_are_those_of_all_pairs(b, other, a, n, sure):
    h = rates.within(of(RATE, "geometric"), b, other, a, n, sure)

    def law(scale):
        far = math.ceil(40 * scale)
        x = np.arange(-far, far + 1)
        mass = np.exp(-np.abs(x) / scale)
        return x, mass / mass.sum()

    (x, p), (y, w) = law(b), law(other)
    above, below = (a + x)[:, None], (n + y)[None, :]
    off = np.abs(above * n - a * below)  # over n times below, a whole number
    joint = np.multiply.outer(p, w)

    def keeps(width):
        near = (below > 0) & (off <= width * n * below)
        return joint[near].sum()

    if math.isinf(h):
        assert w[n + y <= 0].sum() >= (1 - sure) * (1 - 1e-8)
    else:
        assert keeps(h * (1 + 1e-12)) >= sure - 1e-12
        assert h == 0 or keeps(h * (1 - 1e-9)) < sure + 1e-12


@given(**numbers, more=st.floats(1, 4), nearer=st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_it_holds_for_larger_counts_and_smaller_quotients(
    mechanism, scale, other, q, count, sure, more, nearer
):
    case = of(STAYS, mechanism)
    worst = rates.within(case, scale, other, q * count, count, sure)
    better = rates.within(
        case, scale, other, nearer * q * more * count, more * count, sure
    )
    assert better <= worst * (1 + 1e-8)


def test_among_many_it_is_the_delta_methods():
    for q in (-3, 0, 8):
        h = rates.within(of(STAYS, "Gaussian"), 40, 9, q * 1e5, 1e5, 0.95)
        normal = stats.norm.ppf(0.975) * math.hypot(40, q * 9) / 1e5
        assert h == pytest.approx(normal, rel=1e-3)


@given(
    st.sampled_from(["Laplace", "Gaussian", "geometric"]),
    st.sampled_from(["add/remove", "replace"]),
    st.sampled_from(["sum", "count", "groups"]),
    st.floats(0.05, 4),
    st.integers(20, 3000),
    st.floats(0, 1),
    st.sampled_from([0.8, 0.95, 0.99]),
)
@settings(max_examples=60, deadline=None)
def test_no_split_is_better_and_its_lines_cost_the_budget(
    mechanism, neighbours, published, budget, n, share, sure
):
    given_ = {"published": "count"}
    if published != "count":
        given_ = {"published": "sum", "low": -15, "high": 15, "unit": "days"}
        given_["groups"] = 9 if published == "groups" else None
    case = of(Case(**given_, neighbours=neighbours), mechanism)
    above = float(round(n * share * (15 if case.ends[1] else 1)))
    try:
        made = rates.split(case, budget, above, n, sure)
    except DomainError:
        assume(False)
    assert 0.998 * budget <= sum(made.spent) <= budget * (1 + 1e-9)
    read = plan.decide(made.lines, factor=1, delta=1e-6).plan
    for one, other in zip(
        read.statistics, (made.numerator, made.denominator), strict=True
    ):
        assert (one.scale, one.case.what) == (other.scale, other.case.what)
    if mechanism == "Gaussian":
        assert read.rho(1) == pytest.approx(sum(made.spent))
    smooth = of(case, "Laplace") if mechanism == "geometric" else case
    moved = [one.case.sensitivity for one in read.statistics]
    best = rates.within(smooth, *read.scales(1), above, n, sure)
    for part in np.linspace(0.02, 0.98, 25):
        spent = budget * np.array([part, 1 - part])
        scales = moved / (
            np.sqrt(2 * spent) if mechanism == "Gaussian" else spent
        )
        other = rates.within(smooth, *scales, above, n, sure)
        assert best <= other * 1.001


def test_no_number_to_measure_from_is_better_than_the_mean():
    def half_width(mechanism, c, neighbours):
        case = Case(
            published="sum", low=-c, high=30 - c, neighbours=neighbours,
            mechanism=mechanism, delta=1e-6,
        )  # fmt: skip
        return rates.split(case, 0.5, (4 - c) * 5000, 5000).half_width

    for mechanism in ("Laplace", "Gaussian"):
        for neighbours in ("add/remove", "replace"):
            best = half_width(mechanism, 4, neighbours)
            for c in (0, 2, 8, 15, 22):
                other = half_width(mechanism, c, neighbours)
                assert best <= other * 1.01


def test_a_rate_in_two_cells_is_so_much_more_precise():
    """The factor of the variances that `split` notes, by simulation."""
    rng, n = np.random.default_rng(1), 10_000
    for mechanism, budget in (("Laplace", 0.5), ("Gaussian", 0.05)):
        for q in (0.1, 0.5):
            made = rates.split(of(RATE, mechanism), budget, q * n, n)
            draw, one = rng.laplace, 1 / budget
            factor = (1 + q ** (2 / 3)) ** 3
            if mechanism == "Gaussian":
                draw, one = rng.normal, 1 / math.sqrt(2 * budget)
                factor = (1 + q) ** 2
            factor /= q**2 + (1 - q) ** 2
            over, under = (
                draw(0, each.scale, 400_000)
                for each in (made.numerator, made.denominator)
            )
            two = (q * n + over) / (n + under)
            have, lack = draw(0, one, (2, 400_000))
            cells = (q * n + have) / (n + have + lack)
            assert two.var() / cells.var() == pytest.approx(factor, rel=0.05)


def test_what_is_no_quotient_is_refused():
    whole = {"low": 2, "high": 9}
    for case, says in (
        ({"published": "mean", "n": 9, **whole}, "n must be left open, for a"),
        ({"published": "sum", "n": 9, **whole}, "n must be left open, for a"),
        (
            {"published": "sum", "neighbours": "replace", **whole},
            "low must be at most 0, and high at least 0, with 'replace'",
        ),
        ({"published": "sum", **whole}, "numerator must be a mean from low"),
        ({"published": "count"}, "numerator must be at least 0 for a count"),
    ):
        with pytest.raises(DomainError, match=says):
            rates.within(Case(**case), 5, 5, -40, 20, 0.95)
    noisy = of(RATE, "geometric")
    for numbers_, says in (
        ((5, 5, 1.5, 20), "numerator must be whole for geometric noise"),
        ((5, 5, 1, 20.5), "denominator must be whole for geometric noise"),
        ((5, 1001, 1, 20), "scale_below must be at most 1,000 for geometric"),
    ):
        with pytest.raises(DomainError, match=says):
            rates.within(noisy, *numbers_, 0.95)
    assert math.isinf(rates.within(RATE, 5, 50, 1, 20, 0.95))
    with pytest.raises(
        DomainError, match="it 0 or less more often than in 5%"
    ):
        rates.split(RATE, 0.1, 1, 20)


def test_the_denominator_is_about_the_same_people():
    regions = Case(
        published="sum", groups=9, low=-5, high=9, contributions=3, unit="days",
        releases=4, reference=800, neighbours="replace", confidence=0.9,
    )  # fmt: skip
    made = rates.split(regions, 2, 800, 400)
    below = made.denominator.case
    assert below == Case(
        published="table", cells=9, records=3, unit="records", releases=4,
        neighbours="replace", confidence=0.9,
    )  # fmt: skip
    # Three records leave a region, and three others enter another one.
    assert regions.sensitivity == 2 * 3 * 9
    assert below.sensitivity == 2 * 3
    rate = Case(published="table", cells=9, reference=10)
    assert rates.split(rate, 2, 10, 40).denominator.case == Case(
        published="table", cells=9
    )


def test_a_sentence_says_how_close_and_when_there_is_none():
    made = rates.split(STAYS, 0.5, numerator=-4400, denominator=400)
    width = up(made.half_width, STAYS.measured)
    assert made.sentence.startswith(
        f"Where the sum is −4,400 and the count 400, the mean lies within ±{width} of the truth "
        "with a probability of 95%. With one of at most 1e-10% the noisy count is 0 or less"
    )
    cells = Case(published="table", cells=9)
    few = rates.split(cells, 1, 10, 40)
    lost = rates.lost(cells, few.denominator.scale, 40)
    assert few.lost == lost > 1e-12
    assert few.sentence.startswith("Where the counts are 10 and 40, each rate")
    assert f"{up(lost, percent)} the noisy count is 0 or less" in few.sentence
