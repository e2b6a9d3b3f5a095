"""The wheel holds the whole package and nothing else, and runs where only it is installed."""

import zipfile
from email import message_from_string
from pathlib import Path

import pytest

import tools

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return tools.copy_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def package(repository):
    """The names of the package's files, as git has them."""
    paths = (repository / "dpwidgets").rglob("*")
    return {path.relative_to(repository).as_posix() for path in paths if path.is_file()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, repository, package):
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


def test_it_holds_every_file_of_the_package_and_no_tests_or_notebooks(files, package):
    assert "dpwidgets/py.typed" in files
    assert {name for name in files if ".dist-info/" not in name} == package


def test_it_holds_the_licence(files, repository):
    (licence,) = [
        content for name, content in files.items() if name.endswith(".dist-info/licenses/LICENSE")
    ]
    assert licence == (repository / "LICENSE").read_bytes()
    (metadata,) = [
        content for name, content in files.items() if name.endswith(".dist-info/METADATA")
    ]
    assert message_from_string(metadata.decode())["License-Expression"] == "BSD-3-Clause"


def test_what_is_imported_is_what_was_installed(environment):
    path = environment.run("python", "-c", "import dpwidgets; print(dpwidgets.__file__)")
    assert Path(path).is_relative_to(environment.folder)


@pytest.mark.parametrize(("block", "said"), tools.BLOCKS, ids=range(len(tools.BLOCKS)))
def test_the_code_of_the_readme_runs_there(environment, block, said):
    assert environment.run("python", "-c", block).splitlines() == said
