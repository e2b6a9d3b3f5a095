"""The bounds on a composition beside those of Google's dp-accounting, at the same grid step."""

import numpy as np
import pytest

from dpwidgets.calculators import loss
from peer import ask_dp_accounting

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
