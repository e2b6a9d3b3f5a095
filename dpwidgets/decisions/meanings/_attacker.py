"""What the noise of a case means to attackers: to a test, to a belief, and for the privacy loss.

A test is the simplest attack. The attacker sees an answer and says "with" or
"without". Its advantage is how much more often "with" is said of those who are
there. The largest is δ(0) of the privacy loss. An audit is a test that
somebody runs on purpose.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpwidgets.calculators.breach import downward
from dpwidgets.decisions.case import (
    Case,
    always_clause,
    guesses,
    in_all,
)
from dpwidgets.decisions.meanings._interpretation import ATTACKER, Meaning
from dpwidgets.inputs.domain import PROBABILITY, Domain
from dpwidgets.inputs.door import Floats, door
from dpwidgets.inputs.notation import down, likelier, percent, up

TRIALS = Domain(
    "a number from 1 up, or infinite",
    1.0,
    includes_low=True,
    also=(np.inf,),
)
_at_most = partial(up, write=percent)
_meaning = partial(Meaning, gets=ATTACKER)
#: Of a probability, on an even scale.
_probability = partial(_meaning, shown=_at_most, even=True)


@door(trials=TRIALS)
def certified(trials: float, confidence: float = 0.95) -> Floats:
    """Compute the ε that an audit shows to be exceeded, if its attack errs in none of its trials.

    An audit runs the mechanism again and again, with somebody in the data and
    without, and counts how often an attack is wrong. However good the attack,
    few trials show little.

    Parameters
    ----------
    trials : array_like
        How many trials there are with the person, and as many without. It need
        not be whole, and may be infinite.
    confidence : float
        How sure the audit shall be, between 0 and 1.

    Returns
    -------
    float or array
        The lower bound on ε, or 0 if so few trials show nothing; infinite for
        infinitely many.

    Notes
    -----
    Jagielski, Ullman and Oprea (2020): Clopper and Pearson's upper bound on
    each of the two shares of errors, at half of 1 − confidence. After n trials
    without an error it is 1 − ((1 − confidence)/2)^(1/n).

    Examples
    --------
    >>> round(certified(500, confidence=0.99), 2)
    4.54
    """
    confidence = PROBABILITY.check_one("confidence", confidence)
    # The logarithm of the least share that is right.
    right = math.log((1 - confidence) / 2) / trials
    with np.errstate(divide="ignore"):
        return np.maximum(right - np.log(-np.expm1(right)), 0.0)


def _out_of_100(advantage: float) -> str:
    more = up((1 + advantage) / 2, percent)
    less = down((1 - advantage) / 2, percent)
    return f"{more[:-1]} against {less[:-1]}"


def _odds(case: Case) -> Meaning:
    """Say how many of 100 answers speak for the truth, and how many for the other possibility."""
    suggest = "that a person is in the data, at most when the person is and at least when not"
    worst = "a person with the property"
    if case.neighbours == "replace":
        suggest = (
            "one record of a person rather than another, at most when it is the true one and at "
            "least when the other is"
        )
        worst = "a person who has the property in one of both records"
    if case.published != "count":
        worst = f"a person of whom the {case.published} can tell most"
    return _probability(
        name="Odds out of 100, one release",
        says="After one release: of 100 answers, on average so many suggest "
        f"{suggest}: {{value}}. It is so for {worst}.",
        computes=case.one_release.advantage,
        shown=_out_of_100,
    )


def tests(case: Case) -> Iterator[Meaning]:
    """Say what the noise means to a test of whether a person is in the data.

    Parameters
    ----------
    case : Case
        The case.

    Yields
    ------
    Meaning
        The odds out of 100 after one release; how often the best guess is
        right, as `guesses` has it, the largest advantage of a test, and ρ and μ after all of them.

    Notes
    -----
    The odds are worded as by Nanayakkara et al. (2023); ρ is of Bun and
    Steinke (2016), μ of Dong, Roth and Su (2022). The odds are exact for the
    person of whom what is published can tell most, such as anybody with
    the property that is counted, and nearer to 50 against 50 for everybody
    else.

    Examples
    --------
    >>> for meaning in tests(Case(published="count")):
    ...     print(meaning.sentence(scale=2))
    After one release: of 100 answers, on average so many suggest that a person is in the data, at
    most when the person is and at least when not: 61.1 against 38.9. It is so for a person with the
    property.
    Whoever guesses a yes or no (“yes” in 50% of cases) is right in 50% of cases without any
    release, and in at most 61.1% after the release.
    After the release, a test of whether a person is in the data has an advantage of at most
    22.2%.
    The release has ρ = 0.107: the Rényi divergence of every order α is at most αρ.
    The release tells a person from no person, or one record from another, no better than one draw
    from a normal law tells whether its mean is 0 or 0.562 standard deviations.
    """
    yield _odds(case)
    for guess in guesses(case):
        yield _probability(
            name=f"Success at {guess.name} after {case.every_release}",
            says=guess.sentence("{value}", case.after_everything),
            computes=guess.right,
            # A coin stands beside what the prior is about only on demand.
            first=case.prior is None
            or guess.blind != 0.5
            or case.prior == 0.5,
        )
    yield _probability(
        name="Advantage of a test, all releases",
        says=f"A{case.after_everything[1:]}, a test of {case.tested} has an advantage of at most "
        "{value}.",
        computes=case.advantage,
        first=False,
    )
    yield _meaning(
        name="ρ of everything (zCDP)",
        says=f"{case.everything('has', 'have')} ρ = {{value}}: the Rényi divergence of every "
        "order α is at most αρ.",
        computes=case.rho,
        first=False,
    )
    # From a ρ no μ follows that says much.
    if any(one.rho for one in case.before):
        return
    yield _meaning(
        name="μ of everything (Gaussian privacy)",
        says=f"{case.everything('tells', 'tell')} a person from no person, or one record from "
        "another, no better than one draw from a normal law tells whether its mean is 0 or "
        "{value} standard deviations.",
        computes=case.mu,
        first=False,
    )


def beliefs(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in the breach text: what anybody may believe of a person afterwards.

    Parameters
    ----------
    case : Case
        The case. Without a prior there is nothing to say.

    Yields
    ------
    Meaning
        The largest posterior after one release and after everything; the
        smallest posterior after one.

    Notes
    -----
    Ouyang et al. (2018), Sec. 2.3, corrected; the smallest of Evfimievski,
    Gehrke and Srikant (2003).

    Examples
    --------
    >>> for meaning in beliefs(Case(published="count", releases=4, prior=0.2)):
    ...     print(meaning.sentence(scale=5))
    After one release, a belief of 20% is at most 23.4%; such an answer has a probability of at most
    50%.
    After all 4 releases, a belief of 20% is at most 35.8%; answers that raise it so far have a
    probability of at most 6.25%.
    After one release, a belief of 20% is at least 16.9%.
    """
    prior = case.prior
    if prior is None:
        return

    before, one = down(prior, percent), case.one_release
    afters = [("one release", "after one release", one)]
    if one != case:
        afters.append((case.every_release, case.after_everything, case))
    for which, after, whole in afters:
        said = (
            f"A{after[1:]}, a belief of {before} is at most {{value}}{whole.failure_clause}"
            f"{_how_likely(whole)}"
        )
        yield _probability(
            name=f"Largest belief after {which}",
            says=partial(_with_always, whole, prior, said),
            computes=partial(whole.belief, prior=prior),
        )
    yield _probability(
        name="Smallest belief after one release",
        says=f"After one release, a belief of {up(prior, percent)} is at least {{value}}"
        f"{one.failure_clause}.",
        computes=partial(one.belief, prior=prior, move=downward),
        shown=partial(down, write=percent),
        first=False,
    )


def _with_always(case: Case, prior: float, said: str, scale: float) -> str:
    """Add above what no answer leads, where a sentence may fail."""
    return f"{said}{always_clause(case, scale, prior)}."


def _how_likely(case: Case) -> str:
    """Return how often the answers come that raise a belief most, where Laplace noise limits it.

    Half of the answers lie beyond the truth, on the side that tells most; of
    several numbers, all must.
    """
    _, count = case.moves(attribute=True)
    if (
        case.mechanism != "Laplace"
        or case.failure_clause
        or case.past.numbers()
    ):
        return ""
    many = "answers that raise it so far have"
    which = "such an answer has" if count == 1 else many
    # Of a thousand numbers no float holds it.
    return f"; {which} a probability of at most {_at_most(max(0.5**count, 1e-300))}"


def losses(case: Case) -> Iterator[Meaning]:
    """Say what the noise means in the loss text: what all releases lose together.

    Parameters
    ----------
    case : Case
        The case.

    Yields
    ------
    Meaning
        The ε of all releases with what others have used up, and the largest
        ratio of an answer's probabilities where Laplace noise limits it.

    Examples
    --------
    >>> from dpwidgets.decisions.case import others
    >>> census = others("the census", epsilon=0.1)
    >>> for meaning in losses(Case(published="count", releases=4, before=[census])):
    ...     print(meaning.sentence(scale=5))
    All 4 releases together, with ε = 0.1 used up by the census, have ε = 0.9.
    No answer is more than 1.23 times as likely with a person as without, nor the other way round.
    """

    def says(scale: float) -> str:
        return f"{case.everything('has', 'have')} {in_all(case, scale)}."

    yield _meaning(name="ε of everything", says=says, computes=case.total)
    if case.mechanism != "Gaussian":
        step = "with a person as without"
        if case.neighbours == "replace":
            step = "with one record of a person as with another"
        yield _meaning(
            name="Largest ratio of an answer’s probabilities",
            says=f"No answer is more than {{value}} times as likely {step}, nor the other way "
            "round.",
            computes=case.epsilon,
            shown=partial(up, write=likelier),
            first=False,
        )
