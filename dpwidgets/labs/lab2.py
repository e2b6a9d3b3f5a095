"""Lab 2, *Attack a release*: its numbers, and the error of a student's own estimate."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpwidgets.calculators import bayes, breach
from dpwidgets.calculators.noise import Laplace
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.inputs.domain import FloatArray
from dpwidgets.labs.draw import Draw, OwnNumbers
from dpwidgets.labs.grading import apart, is_number

# Invented names, of which no two in a class begin alike.
_BEGINNINGS = (
    *("Am", "Bri", "Cal", "Dor", "Fen", "Jas"),
    *("Kes", "Lor", "Nel", "Tav", "Ul", "Ves"),
)
_ENDINGS = ("bo", "da", "ki", "mun", "sil", "tu", "ven")
# Each draw of five of them has a true one and a false one.
_CLAIMS = (
    "A promise about what somebody may believe after one answer holds after five answers as well.",
    "A pupil whose number of days is far from everybody else's is easier to guess than the others.",
    "If the noise is small, the best guess at the missing pupil is right after every answer.",
    "The Bayes estimate costs no privacy: it is computed from the published count and from what "
    "was known before.",
    "The average of many noisy answers to one question tells no more than one of them.",
    "The noisy count is nearer to the true count than the Bayes estimate, whatever the count is.",
    "Two noisy answers to one question can make you surer than each of them alone.",
    "With a wrong guess at the share, the Bayes estimate can be farther off than the noisy count.",
)


def numbers(draw: Draw) -> OwnNumbers:
    """Draw a student's numbers.

    Parameters
    ----------
    draw : Draw
        The student's draws.

    Returns
    -------
    OwnNumbers
        On attacking the releases of a school:

        - ``names`` and ``days``, the eight pupils of a class, and for how many days each of them
          was absent;
        - ``first_answer`` and ``second_answer``, to the mean of the seven pupils who are in the
          data, with Laplace noise of this ``scale``, in days;
        - ``risk``, how sure any guess at the missing pupil may be, after any answer;
        - ``releases``, how often the school wants to publish the mean;
        - ``newcomer``, a ninth pupil;
        - ``most_days``, for how many days a pupil can be absent;
        - ``many_days``: more days than these are what the attacker wants to know of;
        - ``epsilon`` and ``third_answer``, the privacy parameter ε of the mean of all nine, where
          Δf is ``most_days`` / 9, and the noisy answer to it;
        - ``limit``, how likely an attacker may find it, after any answer, that somebody was absent
          for more than ``many_days``;
        - ``n`` and ``share``, how many pupils the year has, and how many of them, as a share, said
          yes last year;
        - ``count_epsilon`` and ``noisy_count``, the ε of the count of those who say yes now, and
          the noisy count, below 0;
        - ``claims``, sentences about attacks and estimates, of which some are true.
    """
    begun = draw.some(_BEGINNINGS, 9)
    *names, newcomer = [f"{start}{draw.one(_ENDINGS)}" for start in begun]
    a_class = _missing(draw)
    return OwnNumbers(
        names=tuple(names),
        **a_class,
        newcomer=newcomer,
        **_newcomer(draw, a_class["days"]),
        **_noisy_count(draw),
        claims=tuple(draw.some(_CLAIMS, 5)),
    )


def _missing(draw: Draw) -> dict[str, Any]:
    """Draw a class and two answers: each makes one pupil the clear guess, both the missing one."""
    while True:
        days = np.array(draw.some(range(14), 8))
        missing = draw.whole(0, 8)
        scale = draw.hundredths(15, 30)
        risk = draw.hundredths(20, 40)
        releases = draw.whole(3, 9)
        school = Worlds(days)
        true = school.answers[missing]
        noisy = [true + draw.laplace(scale) for _ in range(2)]
        answers = np.round(noisy, 2)
        epsilon = school.sensitivity / scale
        first, second = school.posterior(answers, epsilon)
        both = first * second / (first @ second)
        averaged = (first + second).max() / 2
        of_the_mean = school.posterior(answers.mean(), epsilon).max()
        if (
            _stands_out(first)
            and _stands_out(both)
            and both.argmax() == missing
            and risk + 0.05 < first.max() < both.max() - 0.1 < 0.87
            and apart(both.max(), second.max(), averaged, of_the_mean)
            and _can_be_told(days, epsilon, risk)
        ):
            return {
                "days": tuple(days.tolist()),
                "scale": scale,
                "first_answer": float(answers[0]),
                "second_answer": float(answers[1]),
                "risk": risk,
                "releases": releases,
            }


def _stands_out(beliefs: FloatArray) -> bool:
    """Tell whether the largest belief is well above the next."""
    next_largest, largest = np.sort(beliefs)[-2:]
    return bool(largest - next_largest > 0.1)


def _can_be_told(days: NDArray[np.int_], epsilon: float, risk: float) -> bool:
    """Tell whether no misconception about distances, ε or noise comes near what is right."""
    school = Worlds(days)
    sensitivity = school.sensitivity
    safe = school.epsilon(risk)
    farthest = np.abs(days - days.mean()).max() / 7
    alike = breach.epsilon(1 / 8, risk)
    # Without the pupil who is told easiest.
    others = Worlds(days[days < days.max()])
    least = others.sensitivity
    theirs = others.epsilon(risk)
    mistakes = least / safe, sensitivity / theirs, sensitivity / safe
    return (
        apart(sensitivity, school.spread, farthest, 1)
        and apart(safe, school.epsilon_bound(risk), alike, epsilon)
        and apart(least / theirs, *mistakes)
    )


def _newcomer(draw: Draw, others: tuple[int, ...]) -> dict[str, Any]:
    """Draw an answer that says of a ninth pupil what the limit, kept by a smaller ε, forbids."""
    while True:
        most = draw.whole(14, 21)
        many = most - draw.whole(3, 6)
        epsilon = draw.hundredths(200, 400)
        attack = breach.Attack(others, np.arange(most + 1))
        true = attack.answers[draw.whole(many + 1, most + 1)]
        noise = draw.laplace(attack.sensitivity / epsilon)
        answer = round(float(true + noise), 2)
        chances = np.arange(most + 1, 0, -1) / ((most + 1) * (most + 2) / 2)
        alike = attack.posterior(answer, epsilon)
        narrow = attack.posterior(answer, epsilon * attack.sensitivity)
        before = _share_above(many, chances)
        after = _share_above(many, chances * alike)
        limit = round((before + after) / 2, 2)
        if after <= before + 0.1:
            continue
        safe = breach.epsilon(before, limit)
        in_belief = math.log(limit / before)
        narrower = _share_above(many, chances * narrow)
        told = apart(safe, math.sqrt(safe), in_belief, math.exp(safe))
        if told and apart(after, narrower, alike[many + 1 :].sum()):
            return {
                "most_days": most,
                "many_days": many,
                "epsilon": epsilon,
                "third_answer": answer,
                "limit": limit,
            }


def _share_above(many: int, weights: FloatArray) -> float:
    """Return which share of the weights of 0, 1, 2, … days is for more days than these."""
    return float(weights[many + 1 :].sum() / weights.sum())


def _noisy_count(draw: Draw) -> dict[str, Any]:
    """Draw a noisy count below 0 until no mistake comes near what it tells of the share."""
    while True:
        n = draw.whole(50, 90)
        share = draw.hundredths(5, 13)
        epsilon = draw.hundredths(25, 46)
        noisy = round(draw.binomial(n, share) + draw.laplace(1 / epsilon), 1)
        if noisy > -1:
            continue
        likelihood = np.exp(-epsilon * np.arange(n + 1))
        once = float(bayes.prior(n, share) @ likelihood)
        twice = float(bayes.prior(n, 2 * share) @ likelihood)
        doubled = twice / (once + twice)
        ratio = math.exp(-epsilon * n * share)
        mistakes = 1 - doubled, twice / once, ratio / (1 + ratio)
        error = bayes.mean_error(n, share, epsilon, "posterior median")
        if apart(doubled, 0.5, *mistakes) and apart(1 / epsilon, 2 * error):
            return {
                "n": n,
                "share": share,
                "count_epsilon": epsilon,
                "noisy_count": noisy,
            }


def average_error(
    estimate: Callable[..., float], prior: Sequence[float], epsilon: float
) -> float:
    """Compute how far off an estimate of a count is on average, over all counts and noisy answers.

    Parameters
    ----------
    estimate : callable
        Called as ``estimate(noisy, prior, epsilon)``, hundreds of times; it
        returns the estimated count.
    prior : sequence of float
        How likely each of the counts 0, 1, 2, … is.
    epsilon : float
        The privacy parameter of the count, which has Laplace noise of scale
        1/ε.

    Returns
    -------
    float
        The mean of |count − estimate|, within half a percent; infinite if the
        estimate is not always a number.

    Notes
    -----
    The noisy answers are cut into strips of a twentieth of the noise's scale,
    and all answers of one are taken for its middle. What lies more than 8
    scales beyond 0 or the largest count belongs to the last strip there.

    Examples
    --------
    >>> prior = bayes.prior(60, 0.1).tolist()
    >>> round(average_error(lambda noisy, prior, epsilon: 6, prior, epsilon=0.3), 2)
    1.83
    """
    counts = np.arange(len(prior))
    beyond = 8 / epsilon
    edges = np.arange(-beyond, counts[-1] + beyond, 1 / (20 * epsilon))
    middles = (edges[1:] + edges[:-1]) / 2
    estimates = [estimate(noisy, prior, epsilon) for noisy in middles.tolist()]
    if not all(map(is_number, estimates)):
        return math.inf
    below = Laplace(1 / epsilon).cdf(edges - counts[:, np.newaxis])
    below[:, 0] = 0
    below[:, -1] = 1
    off = np.abs(counts[:, np.newaxis] - np.array(estimates, dtype=float))
    return float(np.asarray(prior) @ (np.diff(below) * off).sum(axis=1))
