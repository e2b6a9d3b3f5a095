"""Binder: repo2docker reads `binder/` as it is meant; its build, replayed here, runs a notebook."""

import os
import re
import shutil
from pathlib import Path

import pytest

import tools

PYTHON = (
    (tools.ROOT / "binder" / "runtime.txt")
    .read_text()
    .strip()
    .removeprefix("python-")
)
# Of what Binder's base brings, the packages that the explorers and the
# notebooks meet, in conda.
BASE = (
    "comm ipykernel ipython ipywidgets jupyter_client jupyter_server jupyterlab jupyterlab_widgets "
    "nbconvert-core nbformat notebook pip traitlets widgetsnbextension"
)


@pytest.mark.slow
@pytest.mark.others
def test_its_build_takes_what_binder_says_and_a_notebook_prints_there_what_it_printed_here(
    repository, tmp_path, tmp_path_factory, capsys
):
    binder = repository / "binder"
    # repo2docker writes whole paths into names of files, and cuts long ones
    # off.
    repo2docker = tools.Environment(tmp_path_factory.mktemp("r2d"))
    repo2docker.install("jupyter-repo2docker>=2026.4")
    user = ("--user-id", "1000", "--user-name", "jovyan")
    told = ("repo2docker", "--no-build", "--debug", *user, ".")
    # What Docker would be given.
    dockerfile = repo2docker.run(*told, cwd=repository)

    # It takes the Python of runtime.txt, installs the package, and then runs
    # postBuild.
    platform = re.search(
        r"^ENV CONDA_PLATFORM=(\S+)", dockerfile, re.MULTILINE
    )[1]
    # What fixes the base for this Python.
    name = f"environment.py-{PYTHON}-{platform}.lock"
    (lock,) = repo2docker.folder.glob(f"lib/*/site-packages/**/conda/{name}")
    escaped = re.sub(r"[^\w]", lambda letter: f"-{ord(letter[0]):x}", name)
    assert re.search(
        rf"^COPY .*{escaped}\S* /tmp/env/environment.lock$",
        dockerfile,
        re.MULTILINE,
    )
    copy = dockerfile.index(" src/ ${REPO_DIR}/\n")
    install = dockerfile.index(
        '/bin/pip install --no-cache-dir -r "binder/requirements.txt"\n'
    )
    assert copy < install < dockerfile.index("RUN ./binder/postBuild\n")
    assert os.access(binder / "postBuild", os.X_OK)

    # The requirements are the package, and bounded versions of what the base
    # lacks.
    base = dict(
        re.findall(r"/([^/\s]+)-([^-/\s]+)-[^-/\s]+\.conda", lock.read_text())
    )
    lines = (binder / "requirements.txt").read_text().splitlines()
    package, *others = [
        line for line in lines if line and not line.startswith("#")
    ]
    assert package == "."
    for requirement in others:
        assert re.search("==|<", requirement), requirement
        assert re.match(r"[\w-]+", requirement)[0] not in base

    # The build leaves the base as it was, and the fonts known.
    home = tmp_path / "jovyan"
    shutil.copytree(repository, home)
    environment = tools.Environment(
        tmp_path / "binder", tools.python_of(PYTHON)
    )
    environment.install(
        *(
            f"{name.removesuffix('-core')}=={base[name]}"
            for name in BASE.split()
        )
    )
    before = environment.installed()
    environment.variables["KERNEL_PYTHON_PREFIX"] = str(environment.folder)
    # From the repository's first file on.
    _, _, begun = dockerfile.partition(" src/")
    for command in re.findall(r"^RUN (.+)", begun, re.MULTILINE):
        environment.run("bash", "-c", command, cwd=home)
    version = "import sys; print('%d.%d' % sys.version_info[:2])"
    if (here := environment.run("python", "-c", version).strip()) != PYTHON:
        with capsys.disabled():
            print(
                f"\nBinder has Python {PYTHON}; its build was replayed on Python {here}."
            )
    environment.run("python", "-m", "pip", "check")
    after = environment.installed()
    assert "dpwidgets" in after
    assert {name: after.get(name) for name in before} == before
    assert list(
        Path(environment.variables["MPLCONFIGDIR"]).glob("fontlist*.json")
    )

    environment.install("nbval>=0.11")
    # Not as in pyproject.toml.
    alone = f"-c {os.devnull} --rootdir={home} -p no:cacheprovider"
    strict = (
        f"{alone} --nbval --nbval-current-env --nbval-cell-timeout=120".split()
    )
    notebook = "notebooks/00_start_here.ipynb"
    environment.run("python", "-m", "pytest", *strict, notebook, cwd=home)
