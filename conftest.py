"""Tests, docstrings and notebooks keep progress in a folder of their own, never in the reader's."""

import os
import shutil
import tempfile
from functools import partial
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager
from nbval import kernel

#: Of files of tests, what they share: a website, and lessons that were executed.
SHARING = {
    "test_live.py": "a website",
    "test_website.py": "a website",
    "test_hints.py": "lessons",
    "test_own_functions.py": "lessons",
    "test_tasks.py": "lessons",
}
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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Let one worker run all tests of a file, and of the files that share something."""
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Sharing(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return SHARING.get(Path(file).name, file)

    return Sharing(config, log)


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
