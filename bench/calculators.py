"""How long the calculators take, each beside a named way to do the same without them."""

import itertools
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy import stats

from dpwidgets.calculators import bayes, interval, loss
from dpwidgets.calculators.loss._grid import step_for
from dpwidgets.calculators.worlds import Worlds
from peer import ask_dp_accounting

#: A calculation and its seconds, an alternative and its seconds.
Row = tuple[str, float, str, float]


def seconds(call: Callable[[], object], runs: int = 7) -> float:
    """Return the median of the seconds that a call takes."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def rows() -> Iterator[Row]:
    """Yield the rows of all rooms."""
    for room in (of_interval, of_loss, of_bayes, of_worlds):
        yield from room()


def of_interval() -> Iterator[Row]:
    shares = np.linspace(0.001, 0.999, 10**6)
    numbers = shares.tolist()
    yield (
        "a million `interval.epsilon`, in one call",
        seconds(
            lambda: interval.epsilon(
                half_width=0.2, confidence=shares, count=100
            )
        ),
        "a Python loop over `math.log1p`",
        seconds(lambda: [-math.log1p(-p) / (0.2 * 100) for p in numbers]),
    )


def of_loss() -> Iterator[Row]:
    """Compare upper bounds with dp-accounting's at our grid step."""
    # Releases, and an ε at which they have a δ above 0.
    at = {10: 0.5, 100: 1.0, 1000: 1.0}
    laws = {k: loss.laplace(0.1).compose(k) for k in at}
    questions = []
    for k, law in laws.items():
        asked = {"releases": [("laplace", 0.1, 1, k)], "epsilons": [at[k]]}
        questions.append({**asked, "step": step_for(law.parts), "runs": 5})
    with tempfile.TemporaryDirectory() as folder:
        answers = ask_dp_accounting(Path(folder), questions)
    for (k, epsilon), theirs in zip(at.items(), answers, strict=True):
        yield (
            f"{k} compositions of `loss.laplace(0.1)`, δ({epsilon:g}): at most "
            f"{laws[k].delta(epsilon):.8f}",
            seconds(lambda k=k: loss.laplace(0.1).compose(k).delta([at[k]])),
            f"dp-accounting, at the same grid step: at most {theirs['upper'][0]:.8f}",
            theirs["seconds"],
        )


def of_bayes() -> Iterator[Row]:
    """Compare with a plain sum over all counts, and with the text's simulation, not exact."""
    n, counts = 10**6, np.arange(10**6 + 1)

    def plain_sum() -> float:
        weights = stats.binom.logpmf(counts, n, 0.3)
        weights -= 0.1 * np.abs(300_100 - counts)
        weights = np.exp(weights - weights.max())
        return counts @ weights / weights.sum()

    off = abs(plain_sum() / bayes.posterior_mean(300_100, n, 0.3, 0.1) - 1)
    yield (
        "`bayes.posterior_mean` of one answer, n = 1,000,000",
        seconds(lambda: bayes.posterior_mean(300_100, n, 0.3, 0.1)),
        f"a sum over all counts with `scipy.stats`, off by {off:.0e}",
        seconds(plain_sum),
    )
    rng = np.random.default_rng(1)
    error = bayes.simulate(100, 0.3, 0.1, 100_000, rng).bayes_standard_error
    another = itertools.count(0.1, 1e-6)  # a new ε each time: tables are kept
    yield (
        "one `bayes.mean_error`, n = 100, exact to nine digits",
        seconds(lambda: bayes.mean_error(100, 0.3, next(another))),
        f"`bayes.simulate` with 100,000 runs, standard error {error:.2g}",
        seconds(lambda: bayes.simulate(100, 0.3, 0.1, 100_000, rng)),
    )


def of_worlds() -> Iterator[Row]:
    """Take a million records through the running sums; in pairs they would be 10¹² differences."""
    values = np.random.default_rng(4).lognormal(10, 1, 10**6)
    worlds, few = Worlds(values), Worlds(values[: 10**4])
    places = few.answers / few.sensitivity

    def pair_by_pair() -> float:
        return 1 / min(np.exp(-np.abs(places - one)).sum() for one in places)

    brute = seconds(pair_by_pair, runs=3)
    beside = "pair by pair, for 10⁴ of them"
    of_few = seconds(lambda: few.risk(1.0))
    yield ("10⁴ records: `risk`", of_few, "pair by pair", brute)
    of_all = seconds(lambda: worlds.risk(1.0), runs=3)
    yield ("10⁶ records: `risk`", of_all, beside, brute)
    largest = seconds(lambda: worlds.epsilon(0.5), runs=1)
    yield ("10⁶ records: `epsilon`", largest, beside, brute)
