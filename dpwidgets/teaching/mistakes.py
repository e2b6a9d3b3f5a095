"""Eight short programs that each break their promise in one line, and the attack that this allows.

`Spot` asks for the line. An attack is a game: a coin decides whether a woman
is in the data, the program runs, and a rule that sees only what it releases
says whether she is.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from scipy.special import expit

from dpwidgets.inputs.notation import up
from dpwidgets.teaching.base import paragraph

GAMES = 400  # that the page tells of


@dataclass(frozen=True)
class Mistake:
    """A program that is wrong in one line. It shows itself as what the attack finds.

    Examples
    --------
    >>> UNCLIPPED.play(games=100)
    1.0
    >>> UNCLIPPED.play(games=100, mended=True) < 0.7
    True
    """

    prompt: str  # what is promised, and what is asked
    program: str  # defines release(data, rng)
    wrong: int  # the number of the wrong line
    # Of lines: why it is not that one, or what is wrong with it.
    why: Mapping[int, str]
    mended: str  # the line in place of it
    data: tuple[Any, Any]  # neighbours: without her, and with her
    says: Callable[[Any], bool]  # whether she is in, from what was released
    attack: str  # how it tells
    epsilon: float = 1  # what is promised

    def play(
        self, games: int = GAMES, *, mended: bool = False, seed: int = 5
    ) -> float:
        """Run the program, or the mended one, and return the share of right guesses."""
        lines = self.program.strip().split("\n")
        if mended:
            lines[self.wrong - 1] = self.mended
        names: dict[str, Any] = {"np": np}
        exec("\n".join(lines), names)
        rng = np.random.default_rng(seed)
        coins = rng.integers(2, size=games)
        right = 0
        for coin in coins:
            released = names["release"](self.data[coin], rng)
            right += self.says(released) == coin
        return float(right / games)

    def _repr_html_(self) -> str:
        right = f"{GAMES * self.play():.0f} of {GAMES}"
        right_after = f"{GAMES * self.play(mended=True):.0f} of {GAMES}"
        most = up(100 * expit(self.epsilon))  # e^ε/(1 + e^ε), of 100
        attack = paragraph(
            f"The attack: {self.attack}. A fair coin decided whether she is in the data, and the "
            f"attack was right in {right} games. Where ε = {self.epsilon:g} is kept, none is right "
            f"in more than {most} of 100, on average."
        )
        return attack + (
            '<p style="margin:6px 0 2px;line-height:20px;font-size:14px;overflow-wrap:anywhere">'
            f"Line {self.wrong} mended: <code>{escape(self.mended.strip())}</code><br>"
            f"Then the same attack was right in {right_after}.</p>"
        )


def _could_be(answer: float, count: int, scale: float) -> bool:
    """Tell whether NumPy's Laplace noise can lead from a count to exactly this answer.

    It takes the logarithm of a whole number over 2^53, below 0 an even one
    (`random_laplace` in its distributions.c), so most floating-point numbers
    are no noise: Mironov (2012).
    """
    distance = answer - count
    parts = 2.0 ** (53 if distance > 0 else 52)
    middle = round(math.exp(-abs(distance) / scale) * parts)
    near = range(max(1, middle - 4), middle + 5)
    for part in near:
        noise = math.copysign(scale * math.log(part / parts), distance)
        if count + noise == answer:
            return True
    return False


def _fits_five(answer: float) -> bool:
    """Tell whether the count was 5 and not 4: by all digits of the answer, or else by its size."""
    four = _could_be(answer, 4, scale=100)
    five = _could_be(answer, 5, scale=100)
    if four == five:
        return answer > 4.5
    return five


_ASKED = "Which line breaks the promise?"
_FOUR_OLD = [70] * 4 + [30] * 6
_OLD = _FOUR_OLD, [*_FOUR_OLD, 70]

UNCLIPPED = Mistake(
    f"The sum of all incomes, with ε = 1. {_ASKED}",
    """
def release(incomes, rng):
    epsilon, top = 1, 100_000
    total = sum(incomes)
    scale = top / epsilon
    return total + rng.laplace(scale=scale)
""",
    wrong=3,
    why={
        2: "a bound that nobody took from the data tells nothing",
        3: "no income is clipped, so one may be far above the bound that the noise is made for",
        4: "this is the scale for incomes up to the bound",
    },
    mended="    total = sum(min(max(income, 0), top) for income in incomes)",
    data=([30_000] * 10, [30_000] * 10 + [50_000_000]),
    says=lambda answer: answer > 25_000_000,
    attack="ten usual incomes do not add up to millions, and noise does not either; hers does",
)
EACH_COLUMN = Mistake(
    f"In each of many columns a person has a 0 or a 1; all sums, with ε = 1 together. {_ASKED}",
    """
def release(table, rng):
    epsilon = 1
    sums = np.sum(table, axis=0)
    scale = 1 / epsilon
    return sums + rng.laplace(scale=scale, size=len(sums))
""",
    wrong=4,
    why={
        2: "that is what is promised, for all columns together",
        4: "a person is in every column, and each column spends an ε of its own",
        5: "each sum has a draw of its own, as it should",
    },
    mended="    scale = len(sums) / epsilon",
    data=(
        np.zeros((10, 100)),
        np.repeat([[0], [1]], [10, 1], axis=0) * np.ones(100),
    ),
    says=lambda answers: np.sum(answers) > 50,
    attack="add up all the sums; she moves each by one, and the noise mostly cancels",
)
NOISE_REUSED = Mistake(
    f"How many are of age, and how many are not, with ε = 1 together. {_ASKED}",
    """
def release(ages, rng):
    epsilon = 1
    noise = rng.laplace(scale=1 / epsilon)
    adults = sum(age >= 18 for age in ages) + noise
    children = sum(age < 18 for age in ages) + noise
    return adults, children
""",
    wrong=5,
    why={
        3: "it is one draw with the scale of one count; look where it goes",
        4: "this count has its noise, which nothing else has used so far",
        5: "it is the same noise once more, and a difference has none left",
        6: "a person is in one of the two counts, so neither needs more noise",
    },
    mended="    children = sum(age < 18 for age in ages) + rng.laplace(scale=1 / epsilon)",
    data=([12] * 4 + [40] * 10, [12] * 4 + [40] * 11),
    says=lambda answers: answers[0] - answers[1] > 6.5,
    attack="subtract one count from the other; what is left is exact",
)
FROM_THE_DATA = Mistake(
    f"The sum of all incomes, none of them below 0, with ε = 1. {_ASKED}",
    """
def release(incomes, rng):
    epsilon = 1
    top = max(incomes)
    total = sum(min(income, top) for income in incomes)
    return total + rng.laplace(scale=top / epsilon)
""",
    wrong=3,
    why={
        3: "the largest income is itself a secret, and the size of the noise tells it",
        4: "to clip is right, at a bound that tells nothing about anybody",
        5: "the scale fits the bound, whatever that is",
    },
    mended="    top = 100_000",
    data=([1_000] * 9, [1_000] * 9 + [10_000_000]),
    says=lambda answer: abs(answer) > 100_000,
    attack="look at how large the noise is; only with her income it is so large",
)
SEED_PUBLISHED = Mistake(
    f"How many are 65 or older, with ε = 1. This program is published, the seed of rng is not. "
    f"{_ASKED}",
    """
def release(ages, rng):
    epsilon = 1
    count = sum(age >= 65 for age in ages)
    noise = np.random.default_rng(seed=2026).laplace(scale=1 / epsilon)
    return count + noise
""",
    wrong=4,
    why={
        3: "the count is exact here, and noise comes below",
        4: "whoever knows the seed draws the same noise, and subtracts it",
    },
    mended="    noise = rng.laplace(scale=1 / epsilon)",
    data=_OLD,
    says=lambda answer: (
        answer - np.random.default_rng(seed=2026).laplace() > 4.5
    ),
    attack="run the line with the seed, and take its noise away",
)
FLOAT_NOISE = Mistake(
    f"How many are 65 or older, with ε = 0.01, and every digit is published. {_ASKED}",
    """
def release(ages, rng):
    epsilon = 0.01
    count = sum(age >= 65 for age in ages)
    noise = rng.laplace(scale=1 / epsilon)
    return count + noise
""",
    wrong=4,
    why={
        2: "a small ε is a strong promise; it shall be kept",
        4: "floating-point noise has gaps, and where they are tells to what it was added",
        5: "to add it is right, if the noise has no gaps",
    },
    mended="    noise = np.subtract(*rng.geometric(1 - np.exp(-epsilon), size=2))",
    data=_OLD,
    says=_fits_five,
    attack="see from which count NumPy's noise could lead to exactly these digits",
    epsilon=0.01,
)
CLIPPED_TO_TRUTH = Mistake(
    f"How many are of age, with ε = 1; how many people there are is secret, too. {_ASKED}",
    """
def release(ages, rng):
    epsilon = 1
    count = sum(age >= 18 for age in ages)
    noisy = count + rng.laplace(scale=1 / epsilon)
    return min(max(noisy, 0), len(ages))
""",
    wrong=5,
    why={
        4: "this count has its noise",
        5: "no answer is above the number of people, which is secret",
    },
    mended="    return max(noisy, 0)",
    data=([40] * 14, [40] * 15),
    says=lambda answer: answer > 14,
    attack="all others are of age, and known; without her no answer is above their number",
)
EACH_ACCOUNT = Mistake(
    f"Whoever has an account may ask; all answers together, with ε = 1. {_ASKED}",
    """
def release(ages, rng, accounts=40):
    budget, spent, answers = 1, {}, []
    for account in range(accounts):
        left = budget - spent.get(account, 0)
        if left >= 1:
            spent[account] = spent.get(account, 0) + 1
            count = sum(age >= 65 for age in ages)
            answers.append(count + rng.laplace(scale=1))
    return answers
""",
    wrong=4,
    why={
        4: "it looks at what one account has spent, while the people in the data pay for all",
        5: "who asks with too little left gets no answer",
        8: "an answer has the noise of ε = 1, if that much is left",
    },
    mended="        left = budget - sum(spent.values())",
    data=_OLD,
    says=lambda answers: np.mean(answers) > 4.5,
    attack="ask the same from all accounts, and take the mean",
)
MISTAKES = (
    *(UNCLIPPED, EACH_COLUMN, NOISE_REUSED, FROM_THE_DATA),
    *(SEED_PUBLISHED, FLOAT_NOISE, CLIPPED_TO_TRUTH, EACH_ACCOUNT),
)
