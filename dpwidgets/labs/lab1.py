"""Lab 1, *What does this ε promise?*: its numbers."""

import math

from dpwidgets.labs.draw import Draw, OwnNumbers
from dpwidgets.labs.grading import apart

# Each draw of five of them has a true one and a false one.
_CLAIMS = (
    "A mechanism is ε-private if no loss exceeds ε for answers that are drawn with you.",
    "An answer with the loss 0 leaves the attacker's odds as they were.",
    "If somebody finds it as likely as not that you took part, an answer with the loss ln 3 makes "
    "it three times as likely.",
    "One hundred independent releases with Laplace noise and ε = 0.1 each lose more than 9 in most "
    "outcomes.",
    "Only a share of at most δ of the losses of an (ε, δ)-private mechanism is above ε.",
    "The losses of independent releases about the same people add up.",
    "The share of losses above ε can be larger than the smallest δ at that ε.",
    "Where an answer has a negative loss, it makes the attacker less sure that you took part.",
)


def numbers(draw: Draw) -> OwnNumbers:
    """Draw a student's numbers, until no misconception comes near a right answer.

    Parameters
    ----------
    draw : Draw
        The student's draws.

    Returns
    -------
    OwnNumbers
        On what an ε promises:

        - ``epsilon``, the privacy parameter ε of one published count;
        - ``prior``, how likely an attacker finds it, before the answer, that you are in the count;
        - ``limit``, how likely he may find it afterwards;
        - ``others``, how many are counted without you;
        - ``answer``, the published answer, between the two counts;
        - ``small_epsilon`` and ``releases``, the ε of each of many releases, and how many they are;
        - ``budget`` and ``delta``, the ε and the δ that all of them together may have;
        - ``claims``, sentences about losses, of which some are true;
        - ``second_answer``, that to the same count a week later, beyond both counts.
    """
    while True:
        epsilon = draw.hundredths(50, 150)
        prior = draw.hundredths(10, 30)
        limit = draw.hundredths(55, 85)
        others = draw.whole(40, 200)
        # Closer to the count with you.
        answer = round(others + draw.hundredths(70, 95), 2)
        gain = math.exp(epsilon * (2 * (answer - others) - 1))
        raised, lowered = math.exp(epsilon), math.exp(-epsilon)
        told = all(
            _told_from_odds(prior, times)
            for times in (raised, lowered, gain, gain * raised)
        )
        before, after = prior / (1 - prior), limit / (1 - limit)
        largest = math.log(after / before)
        told = told and apart(largest, after / before, math.log(limit / prior))
        if told and apart(1 / 2, lowered):
            break
    return OwnNumbers(
        epsilon=epsilon,
        prior=prior,
        limit=limit,
        others=others,
        answer=answer,
        small_epsilon=draw.hundredths(5, 15),
        releases=draw.whole(40, 200),
        budget=draw.hundredths(200, 400),
        delta=1e-6,
        claims=tuple(draw.some(_CLAIMS, 5)),
        second_answer=round(others + draw.hundredths(120, 300), 2),
    )


def _told_from_odds(prior: float, times: float) -> bool:
    """Tell whether the belief after odds so many times as large is told from two mistakes.

    They take the odds themselves for the belief, or multiply the belief.
    """
    odds = prior / (1 - prior) * times
    return apart(odds / (1 + odds), odds, prior * times)
