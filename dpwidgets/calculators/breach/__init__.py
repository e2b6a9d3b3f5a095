"""ε from the breach of privacy that is tolerated (Ouyang et al. 2018).

Somebody believes something about you, with a probability: the prior. After a
noisy answer the belief is another: the posterior. The text tolerates a prior
of at most ρ1 becoming a posterior of at most ρ2, and turns the two into ε. One
identity holds the three numbers together, best said in odds, p/(1 − p)::

    odds(posterior) = e^ε · odds(prior)

It is the theorem of Evfimievski, Gehrke and Srikant (2003). Let no answer be
more than e^ε times as probable in one possible world as in another. Whatever Q
claims about you, an answer multiplies the odds of Q by the average probability
of the answer where Q holds, over the average where it does not. The one
average is at most e^ε times the other. So no answer multiplies the odds by
more than e^ε, nor by less than e^(−ε): ε bounds both ways. The attacker's
priors need not be equal for this.

The text is a machine translation, and some of its formulas do not follow from
one another. Corrected here:

- The main formula, printed as ε = (λ/Δf) · ln[ρ2(1 − ρ1) / (ρ1(1 − ρ2))]. The logarithm bounds
  Δf/λ, which is ε itself: the factor in front does not belong there. With λ =
  Δf/ε the printed equation asks for ε² = ln[…], hence for an ε that is too
  large wherever the logarithm is below 1.
- The bound before it, γ ≤ e^(ε·Δf/λ). The densities of Laplace noise of scale λ differ by a factor
  of e^(Δf/λ) = e^ε.
- The special case of m values, equally likely: see `identifiability`.
- Theorem 1, printed without ρ1, ρ2 and its condition. It needs γ < ρ2(1 − ρ1) / (ρ1(1 − ρ2)) for a
  posterior below ρ2; with "≤" for both the posterior may reach ρ2.

ε, prior and posterior may be arrays that broadcast; a float comes back when
every argument is a scalar. ε is from 1e-8 to 1000, a belief from 1e-300 up and
below 1, and the relative error at most 1e-13, but that of an `identifiability`
below 0.01, since 1/m is rounded. What one function returns, the others accept:
a belief that is closer to 1 than floats can tell is the largest float below 1.

What enters are two of ε, prior and posterior, what leaves is the third: begin
with `epsilon`. `Attack` is the attacker of the text's example, `attribute`
looks up the data of its experiments, and `promise` puts together what an
explorer shows.
"""

from dpwidgets.calculators.breach._adult import (
    ATTRIBUTES as ATTRIBUTES,
    UNITS as UNITS,
    attribute as attribute,
    noise_ratio as noise_ratio,
)
from dpwidgets.calculators.breach._beliefs import (
    POSTERIOR as POSTERIOR,
    PRIOR as PRIOR,
    downward as downward,
    epsilon as epsilon,
    identifiability as identifiability,
    posterior as posterior,
    prior as prior,
    scale as scale,
)
from dpwidgets.calculators.breach._promise import (
    BELIEF as BELIEF,
    Attack as Attack,
    Promise as Promise,
    promise as promise,
)
from dpwidgets.calculators.candidates import ANSWER as ANSWER
