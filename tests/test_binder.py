"""Binder: repo2docker reads `binder/` as it is meant; its build, replayed here, runs a notebook."""

import os
import re
import shutil
from pathlib import Path

import pytest

import tools

pytestmark = pytest.mark.slow

PYTHON = (tools.ROOT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
# Of what Binder's base brings, the packages that the explorers and the notebooks meet; the name in
# conda, then on PyPI.
BASE = {"nbconvert-core": "nbconvert"} | {
    name: name
    for name in (
        *(
            "comm",
            "ipykernel",
            "ipython",
            "ipywidgets",
            "jupyter_client",
            "jupyter_server",
            "jupyterlab",
        ),
        *("jupyterlab_widgets", "nbformat", "notebook", "pip", "traitlets", "widgetsnbextension"),
    )
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return tools.copy_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def repo2docker(tmp_path_factory):
    environment = tools.Environment(tmp_path_factory.mktemp("repo2docker"))
    environment.install("jupyter-repo2docker>=2026.4")
    return environment


@pytest.fixture(scope="module")
def dockerfile(repo2docker, repository):
    """What repo2docker would give to Docker."""
    user = ("--user-id", "1000", "--user-name", "jovyan")
    return repo2docker.run("repo2docker", "--no-build", "--debug", *user, ".", cwd=repository)


@pytest.fixture(scope="module")
def lock(repo2docker, dockerfile):
    """The file that fixes what Binder's base brings for this Python."""
    platform = re.search(r"^ENV CONDA_PLATFORM=(\S+)", dockerfile, re.MULTILINE)[1]
    (path,) = repo2docker.folder.glob(
        f"lib/*/site-packages/**/conda/environment.py-{PYTHON}-{platform}.lock"
    )
    return path


@pytest.fixture(scope="module")
def base(lock):
    """The version of each package of Binder's base."""
    return dict(re.findall(r"/([^/\s]+)-([^-/\s]+)-[^-/\s]+\.conda", lock.read_text()))


@pytest.fixture(scope="module")
def binder(tmp_path_factory, repository, dockerfile, base):
    """The environment and the repository after Binder's build, and what was installed before."""
    environment = tools.Environment(tmp_path_factory.mktemp("binder"), tools.python_of(PYTHON))
    environment.install(*(f"{name}=={base[conda]}" for conda, name in BASE.items()))
    before = environment.installed()
    home = tmp_path_factory.mktemp("jovyan")
    replay(dockerfile, repository, environment, home)
    return environment, home, before


def replay(dockerfile, repository, environment, home):
    """Do what the Dockerfile does from the repository's first file on: copy and run commands."""
    environment.variables["KERNEL_PYTHON_PREFIX"] = str(environment.folder)
    start = re.search(r"^COPY \S+ src/", dockerfile, re.MULTILINE).start()
    for line in dockerfile[start:].splitlines():
        if copied := re.match(r"COPY \S+ src/(\S*) ", line):
            source, target = repository / copied[1], home / copied[1]
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                target.parent.mkdir(exist_ok=True)
                shutil.copy(source, target)
        elif command := re.match(r"RUN (.+)", line):
            environment.run("bash", "-c", command[1], cwd=home)


def test_repo2docker_takes_the_python_of_runtime_txt(dockerfile, lock):
    escaped = re.sub(r"[^\w]", lambda letter: f"-{ord(letter[0]):x}", lock.name)
    assert re.search(rf"^COPY .*{escaped}\S* /tmp/env/environment.lock$", dockerfile, re.MULTILINE)


def test_repo2docker_copies_the_package_installs_it_and_runs_post_build(dockerfile):
    copy = dockerfile.index(" src/ ${REPO_DIR}/\n")
    install = dockerfile.index('/bin/pip install --no-cache-dir -r "binder/requirements.txt"\n')
    post_build = dockerfile.index("RUN ./binder/postBuild\n")
    assert copy < install < post_build


def test_post_build_is_executable(repository):
    assert os.access(repository / "binder" / "postBuild", os.X_OK)


def test_the_requirements_are_the_package_and_bounded_versions_of_what_the_base_lacks(
    repository, base
):
    lines = (repository / "binder" / "requirements.txt").read_text().splitlines()
    package, *others = [line for line in lines if line and not line.startswith("#")]
    assert package == "."
    for requirement in others:
        assert re.search("==|<", requirement), requirement
        assert re.match(r"[\w-]+", requirement)[0] not in base


def test_the_build_adds_the_package_and_leaves_the_base_as_it_was(binder, capsys):
    environment, _, before = binder
    here = environment.run(
        "python", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"
    ).strip()
    if here != PYTHON:
        with capsys.disabled():
            print(f"\nBinder has Python {PYTHON}; its build was replayed on Python {here}.")
    environment.run("python", "-m", "pip", "check")
    after = environment.installed()
    assert "dpwidgets" in after
    assert {name: after.get(name) for name in before} == before


def test_post_build_leaves_the_list_of_fonts(binder):
    environment, _, _ = binder
    assert list(Path(environment.variables["MPLCONFIGDIR"]).glob("fontlist*.json"))


def test_a_notebook_prints_there_what_it_printed_here(binder):
    environment, home, _ = binder
    environment.install("nbval>=0.11")
    strict = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=120")
    alone = (
        "-c",
        os.devnull,
        f"--rootdir={home}",
        "-p",
        "no:cacheprovider",
    )  # without the settings in pyproject.toml
    environment.run(
        "python", "-m", "pytest", *alone, *strict, "notebooks/00_start_here.ipynb", cwd=home
    )
