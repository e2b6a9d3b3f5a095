"""What is tried where nbgrader is, in an environment that has it: the tests' own one has not."""

import re

import pytest

import tools
from hostile import ATTACKS, PROBES


@pytest.mark.slow
def test_no_program_gets_what_is_not_its_own(tmp_path):
    # Its own, for what runs in a copy leaves compiled modules there.
    repository = tools.copy_repository(tmp_path / "dpwidgets")
    environment = tools.Environment(tmp_path / "environment")
    environment.install(f"{repository}[course]", "pytest", "uv")
    ran = environment.run(
        *("python", "-m", "pytest", "-q", "-rs"),
        # Fixtures of all tests need what is not in a course's environment.
        *("--noconftest", "-p", "no:cacheprovider"),
        *("-o", "addopts=--import-mode=importlib --strict-markers"),
        *("tests/labs/test_sandbox.py", "tests/labs/test_steps.py"),
        cwd=repository,
    )
    if "skipped" in ran:
        pytest.skip(ran)
    assert int(re.search(r"(\d+) passed", ran)[1]) > len(PROBES | ATTACKS)
