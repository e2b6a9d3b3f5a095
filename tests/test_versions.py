"""The lowest versions that pyproject.toml allows go together, and everything works with them."""

import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import tools
from kernel import tried

DECLARED = tomllib.loads(
    (tools.ROOT / "pyproject.toml").read_text(encoding="utf-8")
)
PROJECT = DECLARED["project"]
EXTRAS = PROJECT["optional-dependencies"]
ALL = sum(EXTRAS.values(), PROJECT["dependencies"])
# One extra names another.
REQUIREMENTS = [one for one in ALL if not one.startswith("dpwidgets")]
OLDEST = PROJECT["requires-python"].removeprefix(">=")
HERE = "{}.{}".format(*sys.version_info)
WHY_NOT = f"on Python {OLDEST} only: for {HERE}, some of the lowest versions were never built"


@pytest.mark.parametrize("page", ["pyproject.toml", "course/requirements.txt"])
def test_behind_each_dependency_stands_why_it_is_there(page):
    text = (tools.ROOT / page).read_text(encoding="utf-8")
    name = r'^[^#\n]*?"?\b([\w-]+)(?:\[\w+\])?[>=]=\d'
    wanted = {*re.findall(name, text, re.MULTILINE)}
    assert wanted == {*re.findall(rf"{name}.*# \w", text, re.MULTILINE)}
    if page == "pyproject.toml":
        needed = REQUIREMENTS + DECLARED["build-system"]["requires"]
        assert wanted == {Requirement(one).name for one in needed}


@pytest.mark.slow
@pytest.mark.others
@pytest.mark.skipif(HERE != OLDEST, reason=WHY_NOT)
def test_the_lowest_versions_can_be_had_and_with_them_everything_works(
    tmp_path,
):
    """What the extras need in turn is as new as it can be."""
    repository = tools.copy_repository(tmp_path / "repository")
    environment = tools.Environment(tmp_path / "lowest")
    package = f"{repository}[{','.join(EXTRAS)}]"
    environment.install("--resolution", "lowest-direct", "--editable", package)
    installed = environment.installed()
    for requirement in REQUIREMENTS:
        name, lowest = re.match(
            r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement
        ).groups()
        assert Version(installed[name]) == Version(lowest), requirement
    # The docstrings call every public function. Old versions warn of what
    # newer ones have changed: matplotlib of pyparsing, ipywidgets of
    # traitlets.
    silent = ("-W", "ignore::DeprecationWarning")
    where = ("dpwidgets", "notebooks/02_interval_estimation.ipynb")
    environment.run("python", "-m", "pytest", *silent, *where, cwd=repository)
    tried(environment)
