"""Words that several explorers say."""

from collections.abc import Sized

from dpwidgets.inputs.notation import percent


def after_answers(asked: Sized) -> str:
    """Return how a sentence begins about several answers about the same people."""
    count = len(asked)
    return f"After {'one answer' if count == 1 else f'{count:,} answers'} about the same people"


def belief(probability: float) -> str:
    """Return a belief after noisy answers as a percentage: floats may be 0 or 1, it never is."""
    if 1 - probability < 1e-12:  # hardly more than what floats round off
        return "nearly 100%"
    return percent(probability) if probability > 0 else "nearly 0%"
