"""What dp-accounting computes for Laplace noise, in an environment of its own.

Reads from the file it is given a JSON list of [compositions, grid step, ε's], and prints for each
the upper and lower δ's and the seconds taken.
"""

import json
import sys
from pathlib import Path
from timeit import repeat

from dp_accounting.pld import privacy_loss_distribution


def deltas(compositions, step, epsilons, pessimistic):
    one = privacy_loss_distribution.from_laplace_mechanism(
        10.0, value_discretization_interval=step, pessimistic_estimate=pessimistic
    )
    many = one.self_compose(compositions)
    return [float(many.get_delta_for_epsilon(epsilon)) for epsilon in epsilons]


answers = []
for asked in json.loads(Path(sys.argv[1]).read_text()):
    answers.append(
        {
            "upper": deltas(*asked, True),
            "lower": deltas(*asked, False),
            "seconds": min(repeat("deltas(*asked, True)", number=1, repeat=5, globals=globals())),
        }
    )
json.dump(answers, sys.stdout)
