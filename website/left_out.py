"""What a page's Python leaves out at first; it comes once a program asks for it."""

import importlib
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

#: Packages that no explorer imports: all that is compiled in a package is started when it
#: comes.
MODULES = (
    *("scipy.cluster", "scipy.datasets", "scipy.fftpack", "scipy.integrate"),
    *("scipy.interpolate", "scipy.io", "scipy.misc", "scipy.ndimage"),
    *("scipy.odr", "scipy.signal", "scipy.stats", "scipy._lib.cobyqa"),
    *("scipy.special.cython_special", "scipy.special._precompute"),
    *("scipy.special._test_internal", "matplotlib._qhull"),
    *("matplotlib.animation", "matplotlib.sankey", "matplotlib.sphinxext"),
    *("matplotlib.backends._backend_tk", "matplotlib.backends.backend_qt"),
    *("matplotlib.backends.backend_gtk3", "matplotlib.backends.backend_gtk4"),
    *("matplotlib.backends.backend_cairo", "matplotlib.backends.backend_wx"),
    *("matplotlib.backends.backend_pdf", "matplotlib.backends.backend_pgf"),
    *("matplotlib.backends.backend_ps", "matplotlib.testing"),
    *("mpl_toolkits.axes_grid1", "mpl_toolkits.axisartist"),
    *("PIL._imagingft", "PIL._webp"),
    *("dateutil.zoneinfo", "fontTools", "pytz"),
)


class LeftOut:
    """The last finder: it fetches all that was left out as soon as a module of it is asked for.

    Parameters
    ----------
    address : str
        Where the archive is.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        sys.meta_path.append(self)

    def find_spec(
        self, name: str, path: Any = None, target: Any = None
    ) -> ModuleSpec | None:
        """Find a module that was left out."""
        if not f"{name}.".startswith(tuple(f"{one}." for one in MODULES)):
            return None
        from js import XMLHttpRequest
        from pyodide_js import unpackArchive

        sys.meta_path.remove(self)
        request = XMLHttpRequest.new()
        request.open("GET", self.address, False)  # an import cannot wait
        request.responseType = "arraybuffer"
        request.send()
        if request.status != 200:
            raise ModuleNotFoundError(f"{name} did not come", name=name)
        site = next(one for one in sys.path if one.endswith("site-packages"))
        unpackArchive(request.response, "zip", extractDir=site)
        importlib.invalidate_caches()
        return find_spec(name)
