"""The lowest versions that pyproject.toml allows go together, and everything works with them."""

import re
import sys
import tomllib

import pytest
from packaging.version import Version

import tools
from kernel import started, try_everything

PROJECT = tomllib.loads((tools.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ALL = sum(EXTRAS.values(), PROJECT["dependencies"])
REQUIREMENTS = [one for one in ALL if not one.startswith("dpwidgets")]  # one extra names another
OLDEST = PROJECT["requires-python"].removeprefix(">=")
HERE = "{}.{}".format(*sys.version_info)

WHY_NOT = f"on Python {OLDEST} only: for {HERE}, some of the lowest versions were never built"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(HERE != OLDEST, reason=WHY_NOT)]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return tools.copy_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory, repository):
    """The package with all its extras; what these need in turn is as new as it can be."""
    environment = tools.Environment(tmp_path_factory.mktemp("lowest"))
    package = f"{repository}[{','.join(EXTRAS)}]"
    environment.install("--resolution", "lowest-direct", "--editable", package)
    return environment


def test_the_lowest_versions_allowed_can_be_had(environment):
    installed = environment.installed()
    for requirement in REQUIREMENTS:
        name, lowest = re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement).groups()
        assert Version(installed[name]) == Version(lowest), requirement


def test_calculators_and_a_notebook_pass_there(environment, repository):
    """With few examples.

    Old versions warn of what newer ones have changed: matplotlib of pyparsing, ipywidgets of
    traitlets.
    """
    parallel = ("-n", "2", "--dist", "loadfile", "-W", "ignore::DeprecationWarning")
    where = ("tests/calculators", "dpwidgets", "notebooks/01_interval_estimation.ipynb")
    environment.variables["DPWIDGETS_EXAMPLES"] = "3"
    environment.run("python", "-m", "pytest", *parallel, "-m", "not slow", *where, cwd=repository)


def test_every_widget_moves_there(environment):
    python = environment.folder / "bin" / "python"
    with started(python, environment.variables) as kernel:
        assert len(try_everything(kernel)) > 10
