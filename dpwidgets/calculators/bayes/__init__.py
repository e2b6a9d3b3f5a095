"""What one noisy count still tells (Naldi and D'Acquisto 2014).

Each of n records has a property with probability p, so the true count is
binomial. The count is released once with Laplace noise of scale 1/ε. Whoever
knows n and p applies Bayes' rule to the answer ĉ. The text compares two
estimators, the naive ĉ and the Bayes estimator E[count | ĉ], by 100,000
simulated runs. Here their errors are exact sums.

A single answer may come with n up to 10⁶, an average over all answers with n
up to 2000. ε is from 1e-8 to 1000. The relative error of what one answer tells
stays below 1e-9, as does that of averages for ε up to 10; for larger ε the
absolute error of averages stays below 1e-10. The posterior mean's own average
error is less exact: see `mean_error`. Whoever assumes p = 0 or p = 1 is
certain of the count, and no answer changes that.

What enters are n, p, ε and an answer; what leaves are probabilities of counts,
estimates and their errors. Begin with `posterior`. `estimate` and `compare`
put together what an explorer shows.
"""

from dpwidgets.calculators.bayes._errors import (
    AXES as AXES,
    ESTIMATORS as ESTIMATORS,
    N_ALL_ANSWERS as N_ALL_ANSWERS,
    Comparison as Comparison,
    chance_closer as chance_closer,
    compare as compare,
    mean_error as mean_error,
    simulate as simulate,
)
from dpwidgets.calculators.bayes._estimate import (
    ANSWER as ANSWER,
    Estimate as Estimate,
    N as N,
    P as P,
    estimate as estimate,
)
from dpwidgets.calculators.bayes._posterior import (
    out_of_range as out_of_range,
    posterior as posterior,
    posterior_mean as posterior_mean,
    posterior_median as posterior_median,
    prior as prior,
)
