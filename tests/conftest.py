"""What holds for all tests.

No example of a property test fails for being slow: the machine may be busy,
and a first call may import much. And an unexpected exception in an explorer
comes through, which a reader is only told.
"""

import gc
import os
import re

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

import tools
from server import find_browser, launch

# Of each property; `make fuzz` asks for more.
EXAMPLES = int(os.environ.get("DPWIDGETS_EXAMPLES", "30"))
# The same examples each time, so that a change is what makes a test fail;
# others by `make fuzz`.
ALIKE = {"derandomize": True, "database": None} if EXAMPLES <= 100 else {}
settings.register_profile(
    "ours", settings(), deadline=None, max_examples=EXAMPLES, **ALIKE
)
settings.load_profile("ours")
# Else the numbers in the source of every module loaded choose them too.
providers._get_local_constants = lambda: providers._local_constants
# As often as Python looks for garbage by itself, it takes a tenth of the time of tests that draw.
gc.set_threshold(20_000, 20, 20)
LONG = (
    *("test_course.py", "test_lite.py", "test_live.py", "test_website.py"),
    *("test_everywhere.py", "test_own_functions.py"),
)
#: Set by .ci/run, where everything must be there that a test needs.
REQUIRED = ("DPWIDGETS_REQUIRE_BROWSER", "DPWIDGETS_REQUIRE_SANDBOX")
#: What is left out there too says how it is asked for, or where it runs.
LEFT_OUT = re.compile(r"DPWIDGETS_\w+=1|`test_\w+\.py` runs these")


def pytest_collection_modifyitems(items):
    """Begin with the files that take one worker longest."""
    items.sort(key=lambda item: item.path.name not in LONG)


def pytest_sessionfinish(session):
    """Where everything is required, let no test be left out in silence."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not all(map(os.environ.get, REQUIRED)):
        return
    skipped = reporter.stats.get("skipped", [])
    reasons = {report.longrepr[2] for report in skipped}
    if missing := [why for why in reasons if not LEFT_OUT.search(why)]:
        reporter.write_line(f"left out, and required: {missing}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def browser():
    """Chromium, as it is installed here; no test downloads one."""
    program = find_browser()
    if program is None:
        message = "no Chromium on the path: install it, or name one in DPWIDGETS_BROWSER"
        (
            pytest.fail
            if os.environ.get("DPWIDGETS_REQUIRE_BROWSER")
            else pytest.skip
        )(message)
    with launch(program) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def repository(tmp_path_factory):
    """A copy of the repository, in which no test writes."""
    folder = tools.copy_repository(tmp_path_factory.mktemp("repository"))
    before = set(folder.rglob("*"))
    yield folder
    assert set(folder.rglob("*")) == before


@pytest.fixture(scope="session")
def wheel(tmp_path_factory, repository):
    return tools.build_wheel(repository, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(autouse=True)
def strict_explorers(monkeypatch):
    """Let explorers raise what is not expected, and close what a test leaves open."""
    from ipywidgets import Widget

    from dpwidgets.page.explorer import Explorer

    monkeypatch.setattr(Explorer, "strict", True)
    yield
    Widget.close_all()
