"""Words that several explorers say."""

from collections.abc import Sequence, Sized
from typing import Any

from dpwidgets.calculators.noise import most_likely
from dpwidgets.inputs.notation import percent, show
from dpwidgets.page.explorer import Explorer
from dpwidgets.plots.panel import Drawn


def after_answers(asked: Sized) -> str:
    """Return how a sentence begins about several answers about the same people."""
    count = len(asked)
    return f"After {'one answer' if count == 1 else f'{count:,} answers'} about the same people"


def belief(probability: float, *, up: bool | None = None) -> str:
    """Return a belief after noisy answers as a percentage: floats may be 0 or 1, it never is."""
    if 1 - probability < 1e-12:  # hardly more than what floats round off
        return "nearly 100%"
    return percent(probability, up=up) if probability > 0 else "nearly 0%"


class Guessing(Explorer):
    """An explorer of an adversary who guesses which of several records is missing."""

    def record(self, result: Any, place: int) -> str:
        """Return what a record is called."""
        raise NotImplementedError

    def guess(self, result: Any, guesses: Sequence[int], sure: float) -> str:
        """Say which record the adversary would guess, and how surely."""
        if len(guesses) > 3:
            who = f"one of {len(guesses):,} records"
        else:
            who = " or ".join(self.record(result, guess) for guess in guesses)
        each = "each " if len(guesses) > 1 else ""
        return f"that {who} is missing, {each}with a probability of {belief(sure)}"

    def say_drawn(self, drawn: Drawn) -> str:
        draws, truth = drawn.draws, self.record(drawn.result, drawn.truth)
        if draws.size == 1:
            return f"The noisy answer drawn is {show(draws[0], 5)}. In truth {truth} is missing."
        right = percent(drawn.result.guessed(draws, drawn.truth))
        return (
            f"{show(draws.size)} noisy answers, while {truth} is missing. A guess after each one "
            f"alone is right in {right} of the cases."
        )

    def say_asked(self, drawn: Drawn) -> str:
        result, after = drawn.result, drawn.result.after(drawn.asked)
        guesses, sure = most_likely(after), belief(after[drawn.truth])
        guess = self.guess(result, guesses, after.max())
        start = (
            f"{after_answers(drawn.asked)} the adversary would guess {guess}"
        )
        if guesses == (drawn.truth,):
            return f"{start}, and that is the truth."
        truth = self.record(result, drawn.truth)
        return f"{start}. In truth {truth} is missing, and has a probability of {sure}."
