"""What dp-accounting computes for several unlike releases, and riskcal for one of its laws.

Reads from the file it is given a JSON list of plans, each a list of [mechanism, parameter, steps,
count], and prints for each the ε's at DELTAS, from above and from below, and the success at
BASELINES. It stands in an environment of its own.
"""

import json
import sys
from pathlib import Path

from dp_accounting.pld import privacy_loss_distribution as pld
from riskcal.analysis import get_beta_from_pld

DELTAS = [1e-9, 1e-6, 1e-4, 1e-2]
BASELINES = [0.01, 0.2, 0.5]


def one(mechanism, parameter, steps, **options):
    """Build the law of one release."""
    if mechanism == "laplace":
        return pld.from_laplace_mechanism(1 / parameter, **options)
    if mechanism == "gaussian":
        return pld.from_gaussian_mechanism(1 / parameter, **options)
    return pld.from_discrete_laplace_mechanism(parameter / steps, steps, **options)


def composed(plan, pessimistic):
    """Build the law of a plan, on a step that suits its widest part."""
    step = min(5e-4, max(parameter * count**0.5 for _, parameter, _, count in plan) / 2000)
    options = {
        "value_discretization_interval": step,
        "pessimistic_estimate": pessimistic,
        "use_connect_dots": pessimistic,
    }
    law = None
    for mechanism, parameter, steps, count in plan:
        part = one(mechanism, parameter, steps, **options).self_compose(count)
        law = part if law is None else law.compose(part)
    return law


answers = []
for plan in json.loads(Path(sys.argv[1]).read_text()):
    upper, lower = composed(plan, True), composed(plan, False)
    answers.append(
        {
            "upper": [upper.get_epsilon_for_delta(delta) for delta in DELTAS],
            "lower": [lower.get_epsilon_for_delta(delta) for delta in DELTAS],
            "success": [1 - float(get_beta_from_pld(upper, alpha=alpha)) for alpha in BASELINES],
        }
    )
json.dump(answers, sys.stdout)
