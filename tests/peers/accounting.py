"""What dp-accounting computes for releases together, and riskcal for their law.

It stands in an environment of its own. Reads from the file it is given a JSON
list of questions: releases, each as [mechanism, parameter, count], a
grid step, and ε's; δ's, and false alarms of a test. Prints for each the δ's and
the ε's, from above and from below, and the test's success.
"""

import json
import sys
from functools import reduce
from pathlib import Path

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal.analysis import get_beta_from_pld


def alike(mechanism, parameter, count, **options):
    """Build the law of so many releases of one kind."""
    if mechanism == "laplace":
        law = pld.from_laplace_mechanism(1 / parameter, **options)
    else:
        law = pld.from_gaussian_mechanism(1 / parameter, **options)
    return law.self_compose(count)


def answer(releases, step, epsilons, deltas, alarms):
    def bound(pessimistic):
        options = {
            "pessimistic_estimate": pessimistic,
            "use_connect_dots": pessimistic,
            "value_discretization_interval": step,
        }
        parts = [alike(*release, **options) for release in releases]
        return reduce(lambda one, other: one.compose(other), parts)

    above, below = bound(True), bound(False)
    return {
        "upper": [
            float(above.get_delta_for_epsilon(epsilon)) for epsilon in epsilons
        ],
        "most": [above.get_epsilon_for_delta(delta) for delta in deltas],
        "least": [below.get_epsilon_for_delta(delta) for delta in deltas],
        "success": [
            1 - float(get_beta_from_pld(above, alpha=alpha))
            for alpha in alarms
        ],
    }


questions = json.loads(Path(sys.argv[1]).read_text())
json.dump([answer(**question) for question in questions], sys.stdout)
