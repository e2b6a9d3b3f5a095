"""Pictures of what the calculators compute: matplotlib figures of their own, never pyplot's."""

import os
import sys
from contextlib import suppress

# matplotlib cannot be imported where MPLBACKEND names a backend that is not
# installed. We draw on canvases of our own, so it is imported without that
# wish, which then holds if it can.
if "matplotlib" not in sys.modules:
    _wish = os.environ.pop("MPLBACKEND", None)
    import matplotlib

    if _wish is not None:
        os.environ["MPLBACKEND"] = _wish
        with suppress(ValueError):
            matplotlib.rcParams["backend"] = _wish
