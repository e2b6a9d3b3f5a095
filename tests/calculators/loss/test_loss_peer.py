"""Compositions beside those of Google's dp-accounting, and attacks beside those of riskcal."""

from functools import reduce

import numpy as np
import pytest

from dpwidgets.calculators import loss
from peer import ask_about_plans, ask_dp_accounting

pytestmark = pytest.mark.slow

# δ of 10 and 100 releases, from 20-digit sums of residues.
EXACT = {
    10: {
        0.0: 0.12213073714742974,
        0.16: 0.06550775968340634,
        0.4: 0.0158822669540196,
        0.96: 4.22370037014012e-05,
    },
    100: {
        0.0: 0.37748863278821804,
        0.9: 0.14006519743417148,
        2.7: 0.0029700261103128476,
        5.4: 1.8536020048941e-08,
    },
}


def contour(epsilon, compositions=1000, scale=0.1):
    """Compute δ by the inverse Laplace transform of its moments, which neither library uses."""
    line = 1.0 + 1j * np.linspace(-14, 14, 100_001)
    middle = np.exp(-scale / 2) * np.sinh((line + 0.5) * scale) / (line + 0.5)
    moments = (np.exp(line * scale) + np.exp(-(line + 1) * scale) + middle) / 2
    integrand = np.exp(compositions * np.log(moments) - line * epsilon) / (line * (line + 1))
    return float(integrand.real.sum() * (line[1] - line[0]).imag / (2 * np.pi))


def test_our_bounds_are_no_wider(tmp_path):
    exact = EXACT | {1000: {epsilon: contour(epsilon) for epsilon in (0.0, 5.0, 10.0, 18.95)}}
    laws = {compositions: loss.laplace(0.1).compose(compositions) for compositions in exact}
    questions = [(k, law.grid_step, list(exact[k])) for k, law in laws.items()]
    for (k, law), theirs in zip(laws.items(), ask_dp_accounting(tmp_path, questions), strict=True):
        epsilons, truth = np.array(list(exact[k].items())).T
        lower, upper = law.delta_bounds(epsilons)
        assert (lower <= truth).all()
        assert (truth <= upper).all()
        rounding = 1e-9  # theirs has no allowance for it
        assert (
            np.abs(upper - truth).max()
            <= np.abs(np.array(theirs["upper"]) - truth).max() + rounding
        )
        assert (
            np.abs(lower - truth).max()
            <= np.abs(np.array(theirs["lower"]) - truth).max() + rounding
        )


def some_plans(number):
    """Draw plans of two to eight unlike releases: mechanism, parameter, steps and count of each."""
    rng = np.random.default_rng(1)
    plans = []
    for _ in range(number):
        plan = []
        for _ in range(rng.integers(2, 9)):
            count = int(10 ** rng.uniform(0, 3))
            parameter = float(np.clip(10 ** rng.uniform(-1.3, 0.5) / count**0.5, 2e-3, 2))
            mechanism = str(rng.choice(["laplace", "gaussian", "geometric"]))
            steps = int(rng.choice([1, 3, 10])) if mechanism == "geometric" else 1
            plan.append((mechanism, parameter, steps, count))
        plans.append(plan)
    return plans


def law_of(plan):
    parts = []
    for mechanism, parameter, steps, count in plan:
        more = (steps,) if mechanism == "geometric" else ()
        parts.append(getattr(loss, mechanism)(parameter, *more).compose(count))
    return reduce(loss.LossDistribution.compose_with, parts)


def test_unlike_releases_beside_dp_accounting_and_riskcal(tmp_path):
    plans = some_plans(20)
    for plan, theirs in zip(plans, ask_about_plans(tmp_path, plans), strict=True):
        law = law_of(plan)
        upper, lower = np.array(theirs["upper"]), np.array(theirs["lower"])
        for one in (law, law.rough()):
            ours = one.epsilon([1e-9, 1e-6, 1e-4, 1e-2])
            assert np.all(lower <= ours)
            np.testing.assert_allclose(ours, upper, rtol=0.01)  # at 1e-9 we allow for rounding
            np.testing.assert_allclose(ours[1:], upper[1:], rtol=0.003)
        success = law.success([0.01, 0.2, 0.5])
        np.testing.assert_allclose(success, theirs["success"], rtol=1e-3)
