"""How much noise hides who is missing: possible worlds and the risk (Lee and Clifton 2011).

The adversary knows all n records of a database. One of them, equally likely
any, is left out, and a query on the other n − 1 is answered with Laplace noise
of scale Δf/ε. Each record that may be missing is a possible world with an
answer f_i of its own. After seeing the noisy answer the adversary guesses the
world with the largest posterior.

A world's posterior is largest where the noisy answer is the world's own
answer: as the noisy answer moves away, this world's density falls, and no
other's falls faster. The text takes it for the worst case; the risk needs no
more::

    risk(ε) = 1 / min over i of Σ_k e^(−|f_i − f_k| ε/Δf)

The worst world need not have an extreme answer: one that stands alone in the
middle is easier to recognise than one that is tied at the end. The risk never
falls as ε grows, from 1/n (a blind guess) to one over the number of worlds
that share the rarest answer. Only ratios of answers to Δf matter: the unit of
the values changes nothing.

The text's posterior tells who is absent. That somebody is present starts at (n
− 1)/n, not at 1/n. Its Δf is for adding or removing a record, while two worlds
differ by a replacement, so they can be told apart by more than e^ε: Δv may be
up to 2Δf.

The largest absolute value among the records is from 1e-12 to 1e12, and ε from
1e-8 to 1000. The relative error of a risk is at most 1e-11 for up to 100,000
records, as long as ε times the largest is at most 10,000 Δf. Each step takes
at most a second for so many; for 1,000,000 a risk takes a tenth of a second,
and the search for ε some seconds.

What enters are the records and a query; what leaves are risks, posteriors and
an ε. Begin with `Worlds`, which knows the risk and the ε for it; `disclosure`
puts together what one noisy answer tells.
"""

from dpwidgets.calculators.candidates import (
    ANSWER as ANSWER,
    QUERIES as QUERIES,
)
from dpwidgets.calculators.worlds._disclosure import (
    RISK as RISK,
    Disclosure as Disclosure,
    disclosure as disclosure,
)
from dpwidgets.calculators.worlds._worlds import (
    Alike as Alike,
    Worlds as Worlds,
    possible as possible,
)
