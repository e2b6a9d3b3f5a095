"""Compositions beside those of Google's dp-accounting, and attacks beside those of riskcal."""

from functools import reduce

import numpy as np
import pytest

from dpwidgets.calculators import loss
from losses import LAPLACE, laplace_moments, transformed
from peer import ask_about_plans, ask_dp_accounting

pytestmark = pytest.mark.slow


def test_our_bounds_are_no_wider(tmp_path):
    far = {
        epsilon: transformed(lambda s: laplace_moments(s, 0.1) ** 1000, epsilon, 1.0, 14)
        for epsilon in (0.0, 5.0, 10.0, 18.95)
    }
    exact = {10: LAPLACE[10], 100: LAPLACE[100], 1000: far}
    laws = {compositions: loss.laplace(0.1).compose(compositions) for compositions in exact}
    questions = [(k, law.grid_step, list(exact[k])) for k, law in laws.items()]
    for (k, law), theirs in zip(laws.items(), ask_dp_accounting(tmp_path, questions), strict=True):
        epsilons, truth = np.array(list(exact[k].items())).T
        lower, upper = law.delta_bounds(epsilons)
        assert np.all((lower <= truth) & (truth <= upper))
        for ours, side in ((lower, "lower"), (upper, "upper")):
            off = np.abs(np.array(theirs[side]) - truth).max()
            assert np.abs(ours - truth).max() <= off + 1e-9  # theirs does not allow for rounding


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
