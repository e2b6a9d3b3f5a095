"""The privacy loss as a random variable: its law, its mean, and its composition (Rothblum 2013).

Two databases differ in one person. P and Q are the laws of the answer s with
and without that person, and the loss of an answer is ln P(s)/Q(s). Draw s from
P, and the loss is a random variable L. Each constructor here gives its law for
one mechanism; `LossDistribution` then answers what the law says about
privacy::

    δ(ε) = E[(1 − e^(ε−L))₊] = the largest P(S) − e^ε · Q(S) of any event S

A mechanism is (ε, δ)-private when δ(ε) ≤ δ for P against Q and for Q against
P, which is `reversed`. The text says instead that |L| exceeds ε with
probability at most δ. In both orders that is sufficient, and not necessary;
but the text draws s from P alone, and a bound in one order says nothing about
the answers that only Q gives.

Losses of independent releases add up, so the law of a composition is a
convolution. It is exact for Gaussian noise, and where the outcomes are few
enough to list. Elsewhere a grid convolves it by FFT and bounds δ from above.

Right for every ε from 1e-8 to 1000 and every δ from 1e-300 up, on a grid from
1e-12 up.

`release` puts one mechanism and one of its answers together, `epsilon` divides
a budget among several releases, `deviations` reads ε and δ as a μ and
`epsilon_of_rho` a ρ as an ε.

What enters is a mechanism's parameter, what leaves is a `LossDistribution` or
numbers of it. Begin with `laplace(0.1).compose(100).delta(1)`.
"""

from dpwidgets.calculators.loss._budget import (
    TOTAL as TOTAL,
    deviations as deviations,
    epsilon as epsilon,
    epsilon_of_rho as epsilon_of_rho,
)
from dpwidgets.calculators.loss._composition import COUNT as COUNT, MU as MU
from dpwidgets.calculators.loss._concentrated import (
    RHO as RHO,
    RHO_OR_NONE as RHO_OR_NONE,
    concentrated as concentrated,
)
from dpwidgets.calculators.loss._constructors import (
    TRIALS as TRIALS,
    binomial as binomial,
    finite as finite,
    gaussian as gaussian,
    laplace as laplace,
    masses as masses,
    randomized_response as randomized_response,
)
from dpwidgets.calculators.loss._distribution import (
    DELTA as DELTA,
    DELTA_OR_NONE as DELTA_OR_NONE,
    LOSS as LOSS,
    LossDistribution as LossDistribution,
)
from dpwidgets.calculators.loss._grid import least_delta as least_delta
from dpwidgets.calculators.loss._release import (
    MECHANISMS as MECHANISMS,
    Release as Release,
    release as release,
)
