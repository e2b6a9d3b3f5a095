"""Compositions beside those of Google's dp-accounting, and attacks beside those of riskcal."""

import numpy as np
import pytest

from dpwidgets.calculators.loss._grid import step_for
from known import law_of
from losses import LAPLACE, laplace_moments, transformed
from peer import ask_dp_accounting

DELTAS, ALARMS = [1e-9, 1e-6, 1e-4, 1e-2], [0.01, 0.2, 0.5]


def unlike_releases(rng):
    """Draw two to eight unlike releases: mechanism, parameter and count of each."""
    for _ in range(rng.integers(2, 9)):
        count = int(10 ** rng.uniform(0, 3))
        parameter = float(
            np.clip(10 ** rng.uniform(-1.3, 0.5) / count**0.5, 2e-3, 2)
        )
        yield str(rng.choice(["laplace", "gaussian"])), parameter, count


@pytest.mark.slow
@pytest.mark.others
def test_releases_together_beside_dp_accounting_and_riskcal(tmp_path):
    far = {
        epsilon: transformed(
            lambda s: laplace_moments(s, 0.1) ** 1000, epsilon, 1.0, 14
        )
        for epsilon in (0.0, 5.0, 10.0, 18.95)
    }
    exact = {10: LAPLACE[10], 100: LAPLACE[100], 1000: far}
    rng = np.random.default_rng(1)
    plans = [[("laplace", 0.1, count)] for count in exact]
    plans += [list(unlike_releases(rng)) for _ in range(8)]
    laws, questions = [law_of(plan) for plan in plans], []
    for plan, law, known in zip(
        plans, laws, [*exact.values(), *[{}] * 8], strict=True
    ):
        widest = max(parameter * count**0.5 for _, parameter, count in plan)
        step = (
            min(5e-4, widest / 2000) if len(plan) > 1 else step_for(law.parts)
        )
        at = {"epsilons": [*known], "deltas": DELTAS, "alarms": ALARMS}
        questions.append({"releases": plan, "step": step, **at})
    answers = ask_dp_accounting(tmp_path, questions)
    for truths, law, theirs in zip(
        exact.values(), laws, answers, strict=False
    ):
        epsilons, truth = np.array([*truths.items()]).T
        ours = law.delta(epsilons)
        assert np.all(truth <= ours)
        # No larger than theirs, which do not allow for rounding.
        off = np.abs(np.array(theirs["upper"]) - truth).max()
        assert np.abs(ours - truth).max() <= off + 1e-9
    for law, theirs in zip(laws[3:], answers[3:], strict=True):
        ours = law.epsilon(DELTAS)
        assert np.all(theirs["least"] <= ours)
        # At 1e-9, for rounding.
        np.testing.assert_allclose(ours, theirs["most"], rtol=0.01)
        np.testing.assert_allclose(ours[1:], theirs["most"][1:], rtol=0.003)
        np.testing.assert_allclose(
            law.power(ALARMS), theirs["success"], rtol=1e-3
        )
