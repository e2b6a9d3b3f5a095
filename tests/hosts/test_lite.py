"""JupyterLite, simulated: a kernel that has of its own what JupyterLite's has, and no more.

It runs in CPython, and its front end is the test. Pyodide and a page of JupyterLite were not tried.
"""

import sys

import tools
from kernel import started, try_everything

# As in jupyterlite-pyodide-kernel 0.8.7. It has no subshell either, and a message waits its turn.
KERNEL = """
import comm
from IPython import get_ipython

class PyodideKernel:
    comm_manager = comm.get_comm_manager()

    def get_parent(self):
        return {}

get_ipython().kernel = PyodideKernel()
"""


def test_every_widget_moves_with_jupyterlites_kernel(tmp_path):
    with started(sys.executable, tools.clean_variables(tmp_path)) as kernel:
        kernel.run(KERNEL)
        data, _ = kernel.run("get_ipython().kernel.get_parent()")
        assert data["text/plain"] == "{}"
        assert len(try_everything(kernel)) > 10
