"""What was tried, in a line at the end: `make fuzz` asks for it."""

import numpy as np
import pytest
from hypothesis import settings


@pytest.fixture
def raised():
    """Raise every floating-point error, whatever numpy would rather let pass."""
    with np.errstate(all="raise"):
        yield


def pytest_terminal_summary(terminalreporter):
    """Say how many properties were tried, each with how many examples, and how many failed."""
    passed, failed = (len(terminalreporter.getreports(kind)) for kind in ("passed", "failed"))
    each = settings().max_examples
    terminalreporter.write_line(
        f"fuzz: {passed + failed} properties, up to {each:,} examples each; failed: {failed}"
    )
