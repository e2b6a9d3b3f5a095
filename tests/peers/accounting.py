"""What dp-accounting computes for Laplace noise, in an environment of its own.

Reads from the file it is given a JSON list of [compositions, grid step, ε's], and prints for each
the upper and lower δ's and the seconds taken.
"""

import json
import sys
import time
from pathlib import Path

from dp_accounting.pld import privacy_loss_distribution


def deltas(compositions, step, epsilons, pessimistic):
    one = privacy_loss_distribution.from_laplace_mechanism(
        10.0, value_discretization_interval=step, pessimistic_estimate=pessimistic
    )
    many = one.self_compose(compositions)
    return [float(many.get_delta_for_epsilon(epsilon)) for epsilon in epsilons]


def best_of(runs, call):
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


answers = []
for compositions, step, epsilons in json.loads(Path(sys.argv[1]).read_text()):
    answers.append(
        {
            "upper": deltas(compositions, step, epsilons, True),
            "lower": deltas(compositions, step, epsilons, False),
            "seconds": best_of(5, lambda: deltas(compositions, step, epsilons, True)),  # noqa: B023
        }
    )
json.dump(answers, sys.stdout)
