"""Google Colab: its published versions, with its output module faked; no page of Colab's own."""

import re
import shlex
import sys

import pytest

import tools
from kernel import VIEW, started, try_everything

# As Colab publishes them (googlecolab/backend-info, 2026-08-19). What else it has does not matter.
PUBLISHED = {
    "anywidget": "0.9.21",
    "ipykernel": "6.17.1",
    "ipython": "7.34.0",
    "ipywidgets": "7.7.1",
    "matplotlib": "3.10.0",
    "numpy": "2.1.3",
    "scipy": "1.16.3",
    "traitlets": "5.7.1",
}
# The README's first cell for a notebook there: how it is installed, and what comes then.
CELL = re.search(r"\*\*In Colab\*\*.*?```\n(.*?)```", tools.README, re.DOTALL)[1]
INSTALL, THEN = CELL.split("\n", 1)
HERE = sys.version_info[:2]
MANAGER = "https://colab.invalid/manager.js"
#: What Colab's own module does when a widget asks for the manager of widgets that are not its own.
FAKED = f"""
import sys
import types

class _widgets:
    _installed_url = None

def enable_custom_widget_manager():
    _widgets._installed_url = "{MANAGER}"

output = types.ModuleType("google.colab.output")
output._widgets = _widgets
output.enable_custom_widget_manager = enable_custom_widget_manager
colab = types.ModuleType("google.colab")
colab.output = output
sys.modules["google.colab"], sys.modules["google.colab.output"] = colab, output
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(HERE > (3, 12), reason="Colab has Python 3.12, for which these were built"),
]


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """Colab's environment after the README's first cell, and what was installed before."""
    repository = tools.copy_repository(tmp_path_factory.mktemp("repository"))
    wheel = tools.build_wheel(repository, tmp_path_factory.mktemp("wheel"))
    environment = tools.Environment(tmp_path_factory.mktemp("colab"))
    environment.install("pip", *(f"{name}=={version}" for name, version in PUBLISHED.items()))
    before = environment.installed()
    *pip, address = shlex.split(INSTALL.removeprefix("%"))
    assert address.startswith("git+https://")  # what is there is what this wheel was built from
    environment.run("python", "-m", *pip, wheel)
    return environment, before


def test_pip_adds_the_package_and_replaces_nothing_that_colab_has_imported(colab):
    environment, before = colab
    assert {name: before[name] for name in PUBLISHED} == PUBLISHED
    after = environment.installed()
    assert set(after) - set(before) == {"dpwidgets"}
    assert {name for name in before if after.get(name) != before[name]} == {"anywidget"}


def test_everything_works_there_and_names_colabs_widget_manager(colab):
    environment, _ = colab
    python = environment.folder / "bin" / "python"
    with started(python, environment.variables) as kernel:
        kernel.run(FAKED)
        _, first = kernel.run(THEN)
        for metadata in (first, *try_everything(kernel)):
            assert metadata[VIEW] == {"colab": {"custom_widget_manager": {"url": MANAGER}}}
