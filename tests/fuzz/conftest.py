"""How much is tried: 200 examples with the other tests, 10,000 by `make fuzz`."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fuzz",
    max_examples=int(os.environ.get("DPWIDGETS_EXAMPLES", "200")),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
