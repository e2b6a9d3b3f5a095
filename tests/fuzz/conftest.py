"""What every property here may ask for."""

import numpy as np
import pytest


@pytest.fixture
def raised():
    """Raise every floating-point error, whatever numpy would rather let pass."""
    with np.errstate(all="raise"):
        yield
