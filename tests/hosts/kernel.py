"""A kernel of another environment, in which all is shown and moved: what hosts are tried with."""

from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpec
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from pages import BY_HAND, DRAWS, MORE, TASK
from tools import EXPLORERS, ROOT, Environment

VIEW = "application/vnd.jupyter.widget-view+json"
MOVED = (ROOT / "tests" / "live" / "every.py").read_text(encoding="utf-8")
#: One of each thing that is shown, each in a cell.
SHOWN = (
    *(f"dpwidgets.{kind.__name__}()" for kind in EXPLORERS),
    "WorldsExplorer = dpwidgets.WorldsExplorer()\nWorldsExplorer",
    *(TASK, MORE, DRAWS, BY_HAND),
    *("dpwidgets.Review(seed=0)", "dpwidgets.Progress()"),
)


def tried(environment: Environment, *before: str) -> list[dict]:
    """Show everything in an environment's kernel, and move each control; return the outputs.

    Nothing fails, warns or is logged there.
    """
    cells = [*before, "import dpwidgets", *SHOWN, MOVED]
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    python = environment.folder / "bin" / "python"
    started = [str(python), "-m", "ipykernel_launcher"]
    manager = KernelManager()
    manager._kernel_spec = KernelSpec(
        argv=[*started, "-f", "{connection_file}"], language="python"
    )
    client = NotebookClient(notebook, km=manager, timeout=300)
    client.execute(env=environment.variables, cleanup_kc=True)
    outputs = [one for cell in notebook.cells for one in cell.get("outputs")]
    assert {one.output_type for one in outputs} == {"execute_result"}
    shown = [one for one in outputs if VIEW in one.data]
    assert len(shown) >= len(SHOWN)
    for one in shown:  # for a page without a kernel
        assert one.data.keys() & {"image/png", "text/html"}
    return shown
