"""What ε follows from a ρ of zero-concentrated differential privacy (zCDP)."""

from __future__ import annotations

import numpy as np

from dpwidgets.calculators.loss._distribution import DELTA
from dpwidgets.inputs.domain import within
from dpwidgets.inputs.door import Floats, door

RHO = within(1e-6, 1e6)


@door(rho=RHO, delta=DELTA)
def epsilon_of_rho(rho: float, delta: float) -> Floats:
    """Compute an ε at which whatever is ρ-zCDP is (ε, δ)-private.

    ρ-zCDP says that no Rényi divergence D_α exceeds ρα. Each order α > 1 then gives an ε, and the
    least of them counts. A single Gaussian release has less: see `LossDistribution.epsilon`.

    Parameters
    ----------
    rho : array_like
        ρ, from 1e-6 to 1e6.
    delta : array_like
        δ, above 0 and below 1.

    Returns
    -------
    float or ndarray
        ε, as small as orders α of six digits make it, and at least 0.

    Raises
    ------
    TypeError, ValueError
        If an argument lies outside its domain.

    Notes
    -----
    Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Prop. 12.

    Examples
    --------
    Of its files of 2020 the Census gave ε = 17.14 for ρ = 2.56 (which was rounded), and ε = 26.34
    for ρ = 4.96, which is not the least:

    >>> epsilon_of_rho([2.56, 4.96], 1e-10).round(2)
    array([17.16, 25.41])
    """
    low = np.full(np.broadcast_shapes(np.shape(rho), np.shape(delta)), -15.0)
    high, found = -low, np.full(low.shape, np.inf)
    for _ in range(8):  # each time a sixteenth of the range is left
        above = np.exp(np.linspace(low, high, 33))  # α − 1
        order = 1 + above
        # ln(1 − 1/α) = −ln(1 + 1/(α − 1))
        epsilon = rho * order - np.log1p(1 / above) - np.log(delta * order) / above
        found = np.minimum(found, epsilon.min(0))
        middle = np.take_along_axis(np.log(above), epsilon.argmin(0)[np.newaxis], 0)[0]
        gap = (high - low) / 32
        low, high = middle - gap, middle + gap
    return np.maximum(found, 0.0)
