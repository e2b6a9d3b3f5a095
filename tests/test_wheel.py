"""The wheel holds the package and the notebooks for reading, and runs where it alone is."""

import re
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
import yaml

import dpwidgets
import tools

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return tools.copy_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, repository):
    return tools.build_wheel(repository, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def files(wheel):
    """The content of every file in the wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def environment(tmp_path_factory, wheel):
    environment = tools.Environment(tmp_path_factory.mktemp("environment"))
    environment.install(wheel)
    return environment


def carried(repository):
    """Return the names that git's files have in the wheel: of the notebooks all but the labs."""
    for path in (path for path in repository.rglob("*") if path.is_file()):
        name = path.relative_to(repository).as_posix()
        if name.startswith("dpwidgets/"):
            yield name
        elif name.startswith("notebooks/") and not name.startswith("notebooks/labs/"):
            yield f"dpwidgets/{name}"


def test_it_holds_the_package_and_the_notebooks_and_neither_labs_nor_tests(files, repository):
    assert {"dpwidgets/py.typed", "dpwidgets/notebooks/00_start_here.ipynb"} <= files.keys()
    assert {name for name in files if ".dist-info/" not in name} == {*carried(repository)}


def test_a_wheel_of_the_sdist_is_the_same_and_the_sdist_has_no_solutions(
    repository, files, tmp_path
):
    tools.run(tools.UV, "build", "--sdist", "--out-dir", tmp_path, repository)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert not [name for name in archive.getnames() if "/notebooks/labs/" in name]
        archive.extractall(tmp_path, filter="data")
    again = tools.build_wheel(tmp_path / sdist.name.removesuffix(".tar.gz"), tmp_path)
    with zipfile.ZipFile(again) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


def test_it_holds_the_licence(files, repository):
    (licence,) = [
        content for name, content in files.items() if name.endswith(".dist-info/licenses/LICENSE")
    ]
    assert licence == (repository / "LICENSE").read_bytes()
    (metadata,) = [
        content for name, content in files.items() if name.endswith(".dist-info/METADATA")
    ]
    assert message_from_string(metadata.decode())["License-Expression"] == "BSD-3-Clause"


def test_the_version_is_the_same_wherever_it_stands(wheel, repository):
    """The package's own is what all others are compared with."""
    version = dpwidgets.__version__
    assert wheel.name.split("-")[1] == version
    citation = yaml.safe_load((repository / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == version
    changes = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == version


def test_what_is_imported_is_what_was_installed(environment):
    path = environment.run("python", "-c", "import dpwidgets; print(dpwidgets.__file__)")
    assert Path(path).is_relative_to(environment.folder)


@pytest.mark.parametrize(("block", "said"), tools.BLOCKS, ids=range(len(tools.BLOCKS)))
def test_the_code_of_the_readme_runs_there(environment, block, said):
    assert environment.run("python", "-c", block).splitlines() == said
