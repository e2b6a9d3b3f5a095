"""What holds for all calculators together, and for the decisions that stand on them."""

import subprocess
import sys


def test_the_ground_floor_loads_nothing_from_above():
    """A script that only calculates waits for no matplotlib, no widgets and no scipy.stats."""
    program = "import sys, dpwidgets.decisions; print(*sys.modules)"
    loaded = {
        *subprocess.check_output(
            [sys.executable, "-c", program], text=True
        ).split()
    }
    assert "numpy" in loaded
    assert not loaded & {
        "matplotlib",
        "ipywidgets",
        "IPython",
        "scipy.stats",
        "scipy.optimize",
        "PIL",
    }
