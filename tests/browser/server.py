"""A Jupyter server and a Chromium of their own, for the browser tests and for `make bench`."""

import functools
import http.server
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("DPWIDGETS_BROWSER") or next(
        filter(None, map(shutil.which, names)), None
    )


@contextmanager
def launch(program: str) -> Iterator:
    """Start the browser that is installed here; nothing is downloaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=program, args=FLAGS
        )
        yield chromium
        chromium.close()


def _command(
    kind: str, port: int, token: str, notebooks: Path
) -> tuple[list[str], str]:
    """Return what starts a server of this kind, and the path at which it answers once it is up."""
    start = [
        sys.executable,
        "-m",
        *(["jupyter"] if kind != "voila" else []),
        kind,
        "--no-browser",
    ]
    if kind == "voila":
        options = f"--Voila.ip=127.0.0.1 --port={port} --token={token}".split()
        return [*start, *options, str(notebooks)], "voila/tree"
    app = "LabApp" if kind == "lab" else "JupyterNotebookApp"
    options = (
        f"--allow-root --ip=127.0.0.1 --port={port} --ServerApp.port_retries=0 "
        f"--IdentityProvider.token={token} --{app}.expose_app_in_browser=True "
        "--LabApp.news_url=None "
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"
    )
    return [
        *start,
        *options.split(),
        f"--ServerApp.root_dir={notebooks}",
    ], "api/status"


@contextmanager
def serve(
    notebooks: Path, home: Path, kind: str = "lab"
) -> Iterator[tuple[str, str]]:
    """Start JupyterLab, Notebook or Voila over a folder, with settings of its own in `home`.

    Yields its address and token.
    """
    port, token = free_port(), secrets.token_hex(16)
    command, path = _command(kind, port, token, notebooks)
    folders = (
        "JUPYTER_CONFIG_DIR JUPYTER_DATA_DIR JUPYTER_RUNTIME_DIR JUPYTERLAB_SETTINGS_DIR "
        "JUPYTERLAB_WORKSPACES_DIR IPYTHONDIR MPLCONFIGDIR"
    )
    environment = os.environ | {
        name: str(home / name) for name in folders.split()
    }
    environment["HOME"] = str(home)
    address = f"http://127.0.0.1:{port}"
    with running(
        command,
        f"{address}/{path}?token={token}",
        environment,
        home / "server.log",
    ):
        yield address, token


@contextmanager
def running(
    command: list, address: str, variables: dict[str, str], log: Path
) -> Iterator[None]:
    """Start a server, wait until it answers at an address, and end it afterwards."""
    with log.open("w") as said:
        server = subprocess.Popen(
            command, stdout=said, stderr=subprocess.STDOUT, env=variables
        )
    try:
        wait_until_up(server, address, log)
        yield
    finally:
        server.terminate()
        server.wait(120)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder of files from this process, and yield its address."""
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(server: subprocess.Popen, address: str, log: Path) -> None:
    def answers() -> bool:
        with urllib.request.urlopen(address, timeout=5):
            return True

    until(answers, server, log, 600)  # on a busy machine


def until(
    holds: Callable[[], object],
    process: subprocess.Popen,
    log: Path,
    seconds: float,
) -> None:
    """Wait until something holds of a process that runs."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if holds():
                return
        except OSError:  # it does not answer yet
            pass
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s:\n{log.read_text()}")
