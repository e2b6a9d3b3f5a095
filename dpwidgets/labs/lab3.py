"""Lab 3, *Choose and defend*: its numbers, and how a decision record is read."""

import math

from dpwidgets.calculators import breach, loss
from dpwidgets.decisions.record import CaseRecord
from dpwidgets.inputs.outside import begins_like_json
from dpwidgets.labs.draw import Draw, OwnNumbers


def numbers(draw: Draw) -> OwnNumbers:
    """Draw a student's numbers.

    Parameters
    ----------
    draw : Draw
        The student's draws.

    Returns
    -------
    OwnNumbers
        On choosing an ε and defending it:

        - ``count``, the public reference count of the whole town;
        - ``half_width``, how far the noisy count may be off, as a share of the count;
        - ``confidence``, with which probability it must not be off by more;
        - ``offer``, the ε of each count that another town publishes;
        - ``prior``, how likely somebody finds it, before an answer, that a person is counted;
        - ``posterior``, to which belief the ε of all counts together may lift that;
        - ``releases``, how many counts there will be, of the same people;
        - ``delta``, the allowance of the ε that all counts have together: rare answers may tell
          more;
        - ``branch``, the public reference count of a branch, too small for both goals together.
    """
    delta = 1e-6
    half_width = draw.hundredths(5, 11)
    confidence = draw.hundredths(80, 96)
    prior = draw.hundredths(20, 36)
    releases = draw.whole(40, 61)
    odds = prior / (1 - prior) * math.exp(draw.uniform(1.3, 2.2))
    posterior = round(odds / (1 + odds), 2)
    each = loss.epsilon(breach.epsilon(prior, posterior), delta, releases)
    needed = -math.log1p(-confidence) / half_width  # ε times the count
    return OwnNumbers(
        count=round(needed / (each * draw.uniform(0.3, 0.6))),
        half_width=half_width,
        confidence=confidence,
        offer=draw.whole(25, 46) / 1000,
        prior=prior,
        posterior=posterior,
        releases=releases,
        delta=delta,
        branch=round(needed / (each * draw.uniform(2, 3))),
    )


def read_record(answer: object) -> tuple[CaseRecord | None, str]:
    """Read a decision record that a student wrote as text, or say why it is none, for an `assert`.

    Parameters
    ----------
    answer : object
        What the student found: the text that `CaseRecord.json()` returns.

    Returns
    -------
    tuple of (CaseRecord or None, str)
        The record and no reason, or None and the reason.

    Examples
    --------
    >>> read_record("ε = 0.2, as we all agreed")
    (None, 'a decision record is the text that its .json() returns, from { to }')
    """
    if answer is None:
        return None, "there is no answer yet"
    if not isinstance(answer, str) or not begins_like_json(answer):
        return (
            None,
            "a decision record is the text that its .json() returns, from { to }",
        )
    try:
        return CaseRecord.load(answer), ""
    except ValueError as error:
        return None, str(error)
