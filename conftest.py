"""Tests, docstrings and notebooks keep progress in a folder of their own, never in the reader's."""

import os
import shutil
import tempfile
from functools import partial
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager
from nbval import kernel

SANITIZE = Path(__file__).parent / "tests" / "notebooks" / "nbval.cfg"


def pytest_configure(config):
    """Let this process, and the kernels that nbval starts from it, find an empty data directory."""
    config.data_directory = os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(
        prefix="dpwidgets-"
    )
    config.option.nbval_sanitize_with = str(SANITIZE)
    # Sockets that are files, since two kernels that start at once may take the same port.
    sockets = f"{config.data_directory}/kernel"
    kernel.KernelManager = partial(KernelManager, transport="ipc", ip=sockets)


def pytest_unconfigure(config):
    """Take the folder away."""
    shutil.rmtree(config.data_directory, ignore_errors=True)


@pytest.fixture
def data_directory(tmp_path, monkeypatch):
    """Give a test an empty data directory, and return the folder in it that is ours."""
    from dpwidgets.teaching import progress

    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    progress.store.cache_clear()
    yield tmp_path / "dpwidgets"
    progress.store.cache_clear()
