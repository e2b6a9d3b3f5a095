"""How long an import takes, each time in a fresh process."""

import subprocess
import sys
import time
from statistics import median

from dpwidgets.texts import TEXTS

RUNS = 7
STATEMENTS = {
    "bare Python": "pass",
    "`dpwidgets`": "import dpwidgets",
    "`dpwidgets.calculators`": "import dpwidgets.calculators",
    f"`dpwidgets.{TEXTS[0].explorer}`": f"from dpwidgets import {TEXTS[0].explorer}",
    "beside them: `scipy.stats`": "import scipy.stats",
    "beside them: `matplotlib.pyplot`": "import matplotlib.pyplot",
}


def milliseconds() -> dict[str, float]:
    """Return the median time of a process that imports, by what it imports."""
    times = {}
    for what, statement in STATEMENTS.items():
        command = [sys.executable, "-c", statement]
        # So that all later ones find the files in memory.
        subprocess.run(command, check=True)
        taken = []
        for _ in range(RUNS):
            start = time.perf_counter()
            subprocess.run(command, check=True)
            taken.append(1000 * (time.perf_counter() - start))
        times[what] = median(taken)
    return times
