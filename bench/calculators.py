"""How long the calculators take, each beside a named way to do the same without them.

To add a bench, write a function under `@bench` that yields rows; its name is
the room's word.
"""

import itertools
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from dpwidgets.calculators import bayes, interval, loss
from dpwidgets.calculators.loss._grid import step_for
from dpwidgets.calculators.worlds import Worlds
from dpwidgets.decisions import choice
from peer import ask_dp_accounting
from tools import peak_megabytes


class Row(NamedTuple):
    """A calculation and its alternative, each with its seconds."""

    what: str
    seconds: float
    alternative: str
    its_seconds: float


BENCHES: dict[str, Callable[[], Iterator[Row]]] = {}


def bench(
    function: Callable[[], Iterator[Row]],
) -> Callable[[], Iterator[Row]]:
    """Have `make bench` run this function."""
    BENCHES[function.__name__.removesuffix("_bench")] = function
    return function


def seconds(call: Callable[[], object], runs: int = 7) -> float:
    """Return the median of the seconds that a call takes."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


@bench
def interval_bench() -> Iterator[Row]:
    confidences = np.linspace(0.001, 0.999, 10**6)
    numbers = confidences.tolist()
    yield Row(
        "a million `interval.epsilon`, in one call",
        seconds(
            lambda: interval.epsilon(
                half_width=0.2, confidence=confidences, count=100
            )
        ),
        "a Python loop over `math.log1p`",
        seconds(lambda: [-math.log1p(-p) / (0.2 * 100) for p in numbers]),
    )


@bench
def loss_bench() -> Iterator[Row]:
    """Compare upper bounds with dp-accounting's, at our grid step and at its own default one."""
    # Releases, and an ε at which they have a δ above 0.
    at = {10: 0.5, 100: 1.0, 1000: 1.0}
    laws = {k: loss.laplace(0.1).compose(k) for k in at}
    questions = [
        {
            "releases": [("laplace", 0.1, 1, k)],
            "step": step,
            "epsilons": [at[k]],
            "runs": 5,
        }
        for k, law in laws.items()
        for step in (step_for(law.parts), 1e-4)
    ]
    with tempfile.TemporaryDirectory() as folder:
        answers = iter(ask_dp_accounting(Path(folder), questions))
    for k, epsilon in at.items():
        ours = seconds(lambda k=k: loss.laplace(0.1).compose(k).delta([at[k]]))
        for where in ("at the same grid step", "at its default grid step"):
            theirs = next(answers)
            what = (
                f"{k} compositions of `loss.laplace(0.1)`, δ({epsilon:g}): at most "
                f"{laws[k].delta(epsilon):.8f}"
            )
            alternative = (
                f"dp-accounting, {where}: at most {theirs['upper'][0]:.8f}"
            )
            yield Row(what, ours, alternative, theirs["seconds"])


@bench
def choice_bench() -> Iterator[Row]:
    """Ask how a promise and a precise number give way; each time with another advantage."""
    # A new one each time: what goals allow is kept.
    another = itertools.count(0.05, 1e-6)

    def asked() -> None:
        _ = choice.decide(
            releases=1000, reference=100, confidence=0.9, half_width=0.05,
            advantage=next(another), advantage_reach=choice.ALL,
        ).sentence  # fmt: skip

    def by_bisection() -> float:
        low, high = 0.0, 1.0
        for _ in range(50):
            one = (low + high) / 2
            more = loss.laplace(one).compose(1000).delta(0.0) > 0.05
            low, high = (low, one) if more else (one, high)
        return low

    yield Row(
        "`choice.decide`, an advantage after 1000 releases that contradicts a half-width",
        seconds(asked, runs=3),
        "the advantage's end alone, by 50 steps of bisection",
        seconds(by_bisection, runs=1),
    )


@bench
def bayes_bench() -> Iterator[Row]:
    """Compare with a plain sum over all counts, and with the text's simulation, not exact."""
    n, counts = 10**6, np.arange(10**6 + 1)

    def plain_sum() -> float:
        weights = stats.binom.logpmf(counts, n, 0.3) - 0.1 * np.abs(
            300_100 - counts
        )
        weights = np.exp(weights - weights.max())
        return counts @ weights / weights.sum()

    off = abs(plain_sum() / bayes.posterior_mean(300_100, n, 0.3, 0.1) - 1)
    yield Row(
        "`bayes.posterior_mean` of one answer, n = 1,000,000",
        seconds(lambda: bayes.posterior_mean(300_100, n, 0.3, 0.1)),
        f"a sum over all counts with `scipy.stats`, off by {off:.0e}",
        seconds(plain_sum),
    )
    rng = np.random.default_rng(1)
    error = bayes.simulate(100, 0.3, 0.1, 100_000, rng).bayes_standard_error
    another = itertools.count(0.1, 1e-6)  # a new ε each time: tables are kept
    yield Row(
        "one `bayes.mean_error`, n = 100, exact to nine digits",
        seconds(lambda: bayes.mean_error(100, 0.3, next(another))),
        f"`bayes.simulate` with 100,000 runs, standard error {error:.2g}",
        seconds(lambda: bayes.simulate(100, 0.3, 0.1, 100_000, rng)),
    )
    # A new one each time: curves are kept.
    probabilities = iter(np.linspace(0.3, 0.31, 7))
    curve = bayes.compare(1000, 0.3, 0.1)

    def curves() -> None:
        one = bayes.compare(1000, next(probabilities), 0.1)
        _ = one.error_curves, one.closer_curve

    yield Row(
        f"all curves of {curve.x.size} points of `estimate.compare`, n = 1000",
        seconds(curves),
        "`bayes.simulate` with 100,000 runs for each point",
        seconds(
            lambda: [
                bayes.simulate(1000, 0.3, epsilon, 100_000, rng)
                for epsilon in curve.x
            ],
            runs=1,
        ),
    )


@bench
def worlds_bench() -> Iterator[Row]:
    """Take a million records through the running sums; in pairs they would be 10¹² differences."""
    rng = np.random.default_rng(4)
    values = rng.lognormal(10, 1, 10**6)
    worlds, few = Worlds(values), Worlds(values[: 10**4])

    def pair_by_pair() -> float:
        places = few.answers / few.sensitivity
        return 1 / min(
            np.exp(-np.abs(places - place)).sum() for place in places
        )

    brute = seconds(pair_by_pair, runs=3)
    yield Row(
        "10⁴ records: `risk`",
        seconds(lambda: few.risk(1.0)),
        "pair by pair",
        brute,
    )
    beside = "pair by pair, for 10⁴ of them"
    yield Row(
        "10⁶ records: `Worlds(values)`",
        seconds(lambda: Worlds(values), runs=3),
        beside,
        brute,
    )
    yield Row(
        "10⁶ records: `risk`",
        seconds(lambda: worlds.risk(1.0), runs=3),
        beside,
        brute,
    )
    most = f"at most {peak_megabytes(_MILLION):.0f} MB in all"
    yield Row(
        f"10⁶ records: `epsilon`, {most}",
        seconds(lambda: worlds.epsilon(0.5), runs=1),
        beside,
        brute,
    )


_MILLION = """
import numpy as np
from dpwidgets.calculators.worlds import Worlds
Worlds(np.random.default_rng(4).lognormal(10, 1, 10**6)).epsilon(0.5)
"""
