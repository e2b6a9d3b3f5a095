"""Pictures of what the calculators compute: matplotlib figures of their own, never pyplot's.

What enters is a calculator's result; what leaves is SVG in two layers, of
which one stands still, or a PNG, an SVG or a PDF to keep. Begin with
`Plot` in `base.py` and with `interval.py`, which draws one text. A `Panel`
(`panel.py`) is matplotlib's axes, drawn anew for each result; `names.py` writes
each mark's name beside it, `style.py` says how all of them look, `svg.py`
writes their lines, `handle.py` says where a reader takes hold of a parameter,
and `narrow.py` lays them out for a phone. `curves.py` draws any curves, for an
audit.
"""

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
