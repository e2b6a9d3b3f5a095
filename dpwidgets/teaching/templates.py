"""Questions whose numbers are drawn anew each time they come back.

Each stands at the word of the text that taught it; every number in it is drawn
or computed.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dpwidgets.calculators import bayes, breach, interval, loss
from dpwidgets.inputs.notation import percent, show, up
from dpwidgets.teaching import progress

Arguments: TypeAlias = dict[str, Any]
_Ask: TypeAlias = Callable[..., Arguments]


@dataclass(frozen=True)
class Template:
    """A question whose numbers are drawn anew each time.

    Attributes
    ----------
    word : str
        The word of the text that taught it.
    numbers : mapping
        Under each name the numbers of which one is drawn.
    ask : function
        Takes these numbers by name, and returns the keyword arguments of a
        `Question`.

    Examples
    --------
    >>> TEMPLATES[0].draw(np.random.default_rng(1))["prompt"][:10]
    'A hospital'
    """

    word: str
    numbers: Mapping[str, Sequence[float]]
    ask: _Ask

    @property
    def key(self) -> str:
        """What it is kept under in the reader's progress, whatever its numbers."""
        return progress.key("template", self.word, self.ask.__name__)

    def draw(self, rng: np.random.Generator) -> Arguments:
        """Return the keyword arguments of a `Question`."""
        drawn = {}
        for name, numbers in self.numbers.items():
            drawn[name] = numbers[int(rng.integers(len(numbers)))]
        return self.ask(**drawn)


TEMPLATES: list[Template] = []


def asks(word: str, **numbers: Sequence[float]) -> Callable[[_Ask], _Ask]:
    """Put a function among the templates of a word, with the numbers to draw from."""

    def keep(ask: _Ask) -> _Ask:
        TEMPLATES.append(Template(word, numbers, ask))
        return ask

    return keep


@asks("meanings", epsilon=(0.1, 0.2, 0.3, 0.5, 0.6, 1), factor=(2, 4, 5))
def _interval_of_another_epsilon(epsilon: float, factor: int) -> Arguments:
    # E^(−ε·reach) of the answers are farther off: 5%.
    reach = round(math.log(20) / epsilon)
    return {
        "prompt": f"A hospital counts its patients and adds Laplace noise. At ε = {epsilon}, 95% "
        f"of the noisy counts lie within ±{reach} patients around the true one. Now it takes "
        f"ε = {show(epsilon / factor)}. Within how many patients do 95% of them lie now?",
        "answer": reach * factor,
        "misconceptions": {
            reach / factor: "a smaller ε means more noise, not less",
            reach: "that is the interval of the old ε; another ε means another amount of noise",
        },
        "hint": "Does a smaller ε mean more noise, or less? How many times?",
        "solution": f"ε is {factor} times smaller, so the noise is {factor} times larger: "
        f"±{reach * factor} patients.",
    }


@asks(
    "meanings", small=(0.01, 0.05, 0.1), middle=(0.5, 0.8, 1), large=(3, 5, 8)
)
def _which_end_is_private(
    small: float, middle: float, large: float
) -> Arguments:
    best = f"ε = {small}"
    other = f"ε = {middle}"
    worst = f"ε = {large}"
    return {
        "prompt": f"Three offices publish the same count, with {best}, {middle} and {large}. "
        "Which of them hides people best?",
        "answer": best,
        "choices": [best, other, worst],
        "misconceptions": {
            worst: "the largest ε adds the least noise",
            other: "another one of the three adds more noise",
        },
        "hint": "Which ε asks for the most noise?",
        "solution": f"{best}: the smallest ε means the most noise, and hides people best.",
    }


@asks("attack", epsilon=(0.2, 0.3, 0.4, 0.5, 0.8, 1, 1.5, 2), counts=(2, 3))
def _most_of_an_even_bet(epsilon: float, counts: int) -> Arguments:
    odds = math.exp(counts * epsilon)
    return {
        "prompt": f"Half of all new pupils get free meals. {counts} counts with this pupil are "
        f"published, each with noise and ε = {epsilon}. How often can a guess about the pupil be "
        "right at most, whatever the noise?",
        "answer": odds / (1 + odds),
        "misconceptions": {
            math.exp(epsilon)
            / (1 + math.exp(epsilon)): "that is after one count alone",
            odds: "those are the odds, to 1; how often is that?",
        },
        "hint": f"Before, the odds are 1 to 1. Each count multiplies them by at most e^{epsilon}.",
        "solution": f"The odds grow to at most {show(odds)} to 1, so a guess is right in at most "
        f"{up(odds / (1 + odds), percent)} of cases.",
    }


@asks(
    "loss",
    epsilon=(0.1, 0.2, 0.3, 0.4, 0.7, 0.8),
    answer=(20, 30, 40, 60, 80, 200),
)
def _loss_of_a_far_answer(epsilon: float, answer: int) -> Arguments:
    value = float(loss.release("laplace", epsilon=epsilon).loss_of(answer))
    return {
        "prompt": f"The count is 0 without Ada and 1 with Ada. With Laplace noise and "
        f"ε = {epsilon}, the answer is {answer}. Its density is P with Ada, and Q without Ada. "
        "What is its privacy loss?",
        "answer": value,
        "misconceptions": {
            -value: "the sign: a large answer suggests that Ada is in",
            math.exp(value): "that is the ratio; the loss is its logarithm",
            value * answer: "what differs between the two distances is only 1",
        },
        "hint": f"How far is {answer} from 1, and how far from 0? Take ε times the difference.",
        "solution": f"{epsilon} · ({answer} − {answer - 1}) = {epsilon}: ε itself, as for every "
        "answer above both counts.",
    }


@asks("loss", factor=(2, 4, 5, 7), of=(3, 6, 9, 10))
def _odds_after_a_loss(factor: int, of: int) -> Arguments:
    chance = breach.posterior(1 / of, math.log(factor))
    return {
        "prompt": f"An answer has the privacy loss ln {factor}. Before it, somebody thought that "
        f"Ada is in the data with a chance of 1 in {of}. What is the chance after it?",
        "answer": chance,
        "misconceptions": {
            1 / of: "that is the chance from before the answer",
            breach.downward(
                1 / of, math.log(factor)
            ): "the sign: a positive loss raises it",
            factor / (of - 1): "those are the odds; what chance is that?",
        },
        "hint": f"A chance of 1 in {of} is odds of 1 to {of - 1}. They are multiplied by e to the "
        "power of the loss.",
        "solution": f"Odds of 1 to {of - 1} become {factor} to {of - 1}: a chance of "
        f"{factor}/{factor + of - 1} = {show(chance)}.",
    }


@asks(
    "interval",
    count=(200, 500, 2000, 5000),
    width=(0.05, 0.1, 0.2),
    p=(0.8, 0.9, 0.95, 0.99),
)
def _epsilon_of_an_interval(count: int, width: float, p: float) -> Arguments:
    epsilon = interval.epsilon(width, p, count)
    people = width * count
    log = math.log(1 - p)
    return {
        "prompt": f"A count of about {count:,} gets Laplace noise. The noisy answer shall lie "
        f"within ±{width:.0%} of the count, with a confidence of {p:.0%}. "
        "What is the smallest ε that does this?",
        "answer": epsilon,
        "misconceptions": {
            -epsilon: f"the sign: ln(1 − {p}) is negative",
            1 / epsilon: "that is the scale of the noise; ε is one over it",
            epsilon
            / 2: f"a factor of two: {width:.0%} is already half of the interval",
            -math.log(p) / people: f"take ln(1 − {p}), not ln({p})",
        },
        "hint": f"How many people is {width:.0%} of {count:,}? And what is ln(1 − {p})?",
        "solution": f"{width:.0%} of {count:,} is {show(people)} people, and "
        f"ε = −ln(1 − {p})/{show(people)} = {show(-log, 4)}/{show(people)} = {show(epsilon)}.",
    }


@asks(
    "bayes",
    p=(0.1, 0.2, 0.25, 0.3),
    epsilon=(0.5, 0.8, 1.2, 1.5, 2),
    answer=(2, 3, 4, 5),
)
def _one_record_after_an_answer(
    p: float, epsilon: float, answer: int
) -> Arguments:
    after = float(bayes.posterior(answer, 1, p, epsilon)[1])
    odds = p / (1 - p)
    return {
        "prompt": f"One record is counted with probability {p}. With Laplace noise and "
        f"ε = {epsilon}, the noisy count is {answer}. How probable is it now that it is counted?",
        "answer": after,
        "misconceptions": {
            p: "that is from before the answer",
            1 - after: "that is how probable it is that it is not counted",
            odds
            * math.exp(
                epsilon
            ): "those are the odds; what probability is that?",
        },
        "hint": f"{answer} is nearer to 1 than to 0 by one: multiply the odds by e^{epsilon}.",
        "solution": f"Odds of {p} to {show(1 - p)}, times e^{epsilon}, are "
        f"{show(odds * math.exp(epsilon))}: a probability of {show(after)}.",
    }


@asks(
    "worlds",
    sensitivity=(2, 4, 6),
    epsilon=(0.5, 0.8, 1, 1.6, 2),
    wider=(1.25, 1.5, 1.75),
)
def _how_much_two_worlds_differ(
    sensitivity: int, epsilon: float, wider: float
) -> Arguments:
    spread = show(sensitivity * wider)
    exponent = epsilon * wider
    return {
        "prompt": f"One record more or less changes the answer by at most {sensitivity}. The "
        f"answers of two possible worlds lie at most {spread} apart. The noise is Laplace noise "
        f"with ε = {epsilon}. At most how many times as likely is a noisy answer in one world as "
        "in another?",
        "answer": math.exp(exponent),
        "misconceptions": {
            math.exp(
                epsilon
            ): "that is the factor for one record more or less",
            exponent: "that is the exponent; the factor is e to this power",
            math.exp(epsilon / wider): "divide the other way round",
        },
        "hint": "The scale of the noise is the first distance over ε. How many of these scales is "
        "the second?",
        "solution": f"e^({epsilon} · {spread}/{sensitivity}) = {show(math.exp(exponent))}.",
    }


@asks("breach", before=(50, 100, 200, 1000), after=(4, 5, 8, 10))
def _epsilon_of_a_promise(before: int, after: int) -> Arguments:
    epsilon = breach.epsilon(1 / before, 1 / after)
    return {
        "prompt": f"No answer shall raise a belief about you from 1 in {before:,} to more than 1 "
        f"in {after}. What is the largest ε that promises this?",
        "answer": epsilon,
        "misconceptions": {
            math.log(
                before / after
            ): "close: that is the ratio of the chances; take the odds",
            (before - 1)
            / (after - 1): "that is the ratio of the odds; ε is its logarithm",
        },
        "tolerance": 0.005,
        "hint": f"Odds of 1 to {before - 1} may become odds of 1 to {after - 1}.",
        "solution": f"ln({before - 1}/{after - 1}) = {show(epsilon)}.",
    }


@asks("choice", releases=(4, 7, 12, 30, 52), epsilon=(0.05, 0.1, 0.25, 0.3))
def _epsilon_of_all_releases(releases: int, epsilon: float) -> Arguments:
    return {
        "prompt": f"The same patients are counted {releases} times, each time with fresh Laplace "
        f"noise, ε = {epsilon} and no δ. What is the ε of all the counts together?",
        "answer": releases * epsilon,
        "misconceptions": {
            epsilon: "that is one count; the same patients are in all of them",
            epsilon
            * math.sqrt(
                releases
            ): "a root is for the noise of an average, not for ε",
            epsilon
            / releases: "each count tells more than the others told before",
        },
        "hint": f"Each count may multiply the odds by e^{epsilon}.",
        "solution": f"ε adds up: {releases} · {epsilon} = {show(releases * epsilon)}.",
    }


@asks(
    "choice",
    releases=(3, 4, 6, 8),
    epsilon=(0.2, 0.3),
    before=(0.05, 0.1, 0.2),
)
def _belief_after_all_releases(
    releases: int, epsilon: float, before: float
) -> Arguments:
    after = breach.posterior(before, releases * epsilon)
    total = show(releases * epsilon)
    most = up(after, percent)
    return {
        "prompt": f"The same patients are counted {releases} times with ε = {epsilon} and no δ. To "
        f"how much can all counts raise a belief of {before:.0%} about one patient, at most?",
        "answer": after,
        "misconceptions": {
            breach.posterior(before, epsilon): "that is after one of them",
            before
            * math.exp(
                releases * epsilon
            ): "the odds grow by e^ε, not the probability",
        },
        "hint": "What is the ε of all counts together? By how much can it multiply the odds?",
        "solution": f"The odds grow at most e^{total}-fold, and the belief to {most}.",
    }


@asks("plan", cells=(12, 40, 100), most=(2, 3, 5), scale=(4, 10, 20))
def _epsilon_of_a_table(cells: int, most: int, scale: float) -> Arguments:
    return {
        "prompt": f"A table has {cells} counts, each with Laplace noise of scale {scale}. A person "
        f"is in at most {most} of them, and is replaced by another. What is the ε of the table?",
        "answer": 2 * most / scale,
        "misconceptions": {
            most / scale: "when a person is replaced, other counts gain one",
            cells / scale: "a person is not in all of the counts",
        },
        "hint": "How many counts fall by 1, and how many rise?",
        "solution": f"Δf = {2 * most}, so ε = {2 * most}/{scale} = {show(2 * most / scale)}.",
    }


@asks("others", rho=(0.005, 0.02, 0.08), releases=(4, 9, 12, 16))
def _mu_of_a_rho(rho: float, releases: int) -> Arguments:
    mu = math.sqrt(2 * rho * releases)
    return {
        "prompt": f"{releases} numbers about the same people are published, each with Gaussian "
        f"noise of ρ = {rho}. Which μ have all of them together?",
        "answer": mu,
        "misconceptions": {
            releases * math.sqrt(2 * rho): "the ρ add up, and not the μ",
            releases * rho: "that is the ρ of all; which μ has it?",
            math.sqrt(2 * rho): "that is the μ of one of them",
        },
        "hint": "Add up the ρ first. Gaussian noise has ρ = μ²/2.",
        "solution": f"All have ρ = {show(releases * rho)}, and so μ = {show(mu)}.",
    }


@asks("counts", deviation=(5, 12, 18, 25, 40), days=(4, 7, 30))
def _noise_of_a_sum(deviation: int, days: int) -> Arguments:
    one = 1.96 * deviation
    return {
        "prompt": f"{days} daily counts are published, each with Gaussian noise of its own and a "
        f"standard deviation of {deviation}. 95% of such noise lies within 1.96 deviations. Within "
        "how much does the noise of their sum lie, in 95% of cases?",
        "answer": math.sqrt(days) * one,
        "misconceptions": {
            one: "that is the noise of one of them; the others have as much",
            days
            * one: "all at their ends on one side is rarer: the squares add up",
        },
        "hint": "The squares of the deviations add up.",
        "solution": f"√{days} · 1.96 · {deviation} = {show(math.sqrt(days) * one)}.",
    }
