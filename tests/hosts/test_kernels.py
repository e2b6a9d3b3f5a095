"""A kernel of another host, and no page of its.

Google Colab's has its published versions here, and its output module is faked.
"""

import re
import shlex
import sys

import pytest

import tools
from kernel import VIEW, tried

# As Colab publishes them (googlecolab/backend-info, 2026-08-19). What else it
# has does not matter.
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
# The first cell of a notebook there: how it is installed, and what comes then.
PAGE = (tools.ROOT / "binder" / "README.md").read_text(encoding="utf-8")
CELL = re.search(r"\*\*In Colab\*\*.*?```\n(.*?)```", PAGE, re.DOTALL)[1]
INSTALL, THEN = CELL.split("\n", 1)
MANAGER = "https://colab.invalid/manager.js"
#: What Colab's own module does when a widget asks for the manager of widgets
#: that are not its own.
FAKED = f"""
import sys
from types import SimpleNamespace

widgets = SimpleNamespace(_installed_url=None)
output = SimpleNamespace(
    _widgets=widgets,
    enable_custom_widget_manager=lambda: setattr(widgets, "_installed_url", "{MANAGER}"),
)
sys.modules["google.colab"] = SimpleNamespace(output=output)
sys.modules["google.colab.output"] = output
"""


@pytest.mark.slow
@pytest.mark.others
@pytest.mark.skipif(
    sys.version_info[:2] > (3, 12),
    reason="Colab has Python 3.12, for which these were built",
)
def test_pip_replaces_nothing_that_colab_has_imported_and_everything_works_there(
    wheel, tmp_path
):
    environment = tools.Environment(tmp_path / "colab")
    environment.install(
        "--no-config",
        "pip",
        *(f"{name}=={version}" for name, version in PUBLISHED.items()),
    )
    before = environment.installed()
    *pip, address = shlex.split(INSTALL.removeprefix("%"))
    # What is there is what this wheel was built from.
    assert address.startswith("git+https://")
    environment.run("python", "-m", *pip, wheel)
    after = environment.installed()
    assert {name: before[name] for name in PUBLISHED} == PUBLISHED
    assert set(after) - set(before) == {"dpwidgets"}
    assert {name for name in before if after.get(name) != before[name]} == {
        "anywidget"
    }
    # All name Colab's manager of widgets.
    for shown in tried(environment, FAKED, THEN):
        assert shown.metadata[VIEW] == {
            "colab": {"custom_widget_manager": {"url": MANAGER}}
        }
