"""Words that several explorers say."""

from collections.abc import Sequence, Sized
from typing import Any

from dpwidgets.calculators.noise import most_likely
from dpwidgets.inputs.notation import belief, listed, percent, show
from dpwidgets.page.explorer import Explorer
from dpwidgets.plots.panel import Drawn


def after_answers(asked: Sized) -> str:
    """Return how a sentence begins about several answers about the same people."""
    count = len(asked)
    answers = "one answer" if count == 1 else f"{count:,} answers"
    return f"After {answers} about the same people"


class Guessing(Explorer):
    """An explorer of an adversary who guesses which of several candidates is the true one."""

    #: What is claimed of a candidate, and what all of them are.
    claim = "{} is missing"
    candidates = "records"

    def record(self, result: Any, place: int) -> str:
        """Return what a candidate is called."""
        raise NotImplementedError

    def guess(self, result: Any, guesses: Sequence[int], sure: float) -> str:
        """Say which record the adversary would guess, and how surely."""
        probability = f"with a probability of {belief(sure)}"
        if len(guesses) > 1:
            probability = f"each {probability}"
        if len(guesses) > 3:
            who = f"one of {len(guesses):,} {self.candidates}"
        else:
            names = [self.record(result, guess) for guess in guesses]
            who = listed(names, "or")
        return f"that {self.claim.format(who)}, {probability}"

    def say_drawn(self, drawn: Drawn) -> str:
        draws = drawn.draws
        truth = self.claim.format(self.record(drawn.result, drawn.truth))
        if draws.size == 1:
            return f"The noisy answer drawn is {show(draws[0], 5)}. In truth {truth}."
        right = drawn.result.guessed(draws, drawn.truth)
        return (
            f"{show(draws.size)} noisy answers, while {truth}. A guess after each one "
            f"alone is right in {percent(right)} of the cases."
        )

    def say_asked(self, drawn: Drawn) -> str:
        result = drawn.result
        posterior = result.after(drawn.asked)
        guesses = most_likely(posterior)
        guess = self.guess(result, guesses, posterior.max())
        answers = after_answers(drawn.asked)
        start = f"{answers} the adversary would guess {guess}"
        if guesses == (drawn.truth,):
            return f"{start}, and that is the truth."
        truth = self.claim.format(self.record(result, drawn.truth))
        sure = belief(posterior[drawn.truth])
        return f"{start}. In truth {truth}, which has a probability of {sure}."
