"""The wheel holds the package and the notebooks for reading; tests/hosts runs it by itself."""

import re
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
import yaml

import dpwidgets
import tools

pytestmark = pytest.mark.slow


def content(wheel):
    """Return the content of every file in a wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def about(files, name):
    """Return what the wheel has of this name beside the package's files."""
    (found,) = [
        one
        for path, one in files.items()
        if path.endswith(f".dist-info/{name}")
    ]
    return found


def test_it_holds_the_package_the_notebooks_and_the_licence_and_neither_labs_nor_tests(
    wheel, repository
):
    files = content(wheel)
    paths = [
        path.relative_to(repository)
        for path in repository.rglob("*")
        if path.is_file()
    ]
    carried = {
        "dpwidgets" / path if path.parts[0] == "notebooks" else path
        for path in paths
        if path.parts[0] in ("dpwidgets", "notebooks")
        and path.parts[:2] != ("notebooks", "labs")
    }
    assert {
        Path("dpwidgets/py.typed"),
        Path("dpwidgets/notebooks/00_start_here.ipynb"),
    } <= carried
    assert {
        Path(name) for name in files if ".dist-info/" not in name
    } == carried
    assert (
        about(files, "licenses/LICENSE")
        == (repository / "LICENSE").read_bytes()
    )
    metadata = message_from_bytes(about(files, "METADATA"))
    assert metadata["License-Expression"] == "BSD-3-Clause"


def test_the_licence_of_others_data_goes_with_it(wheel):
    """MIT asks that its notice stands in all copies; the data card says which licence is whose.

    What the wheel has the sdist has, for a wheel of it is the same.
    """
    name, files = "LICENSE-published_epsilons.txt", content(wheel)
    text = " ".join(files[f"dpwidgets/data/{name}"].decode().split())
    for words in (
        "The above copyright notice and this permission notice shall be included",
        "Permission is hereby granted, free of charge, to any person obtaining a copy",
        "https://github.com/opendp/deployments-registry-data",
    ):
        assert words in text
    card = files["dpwidgets/data/README.md"].decode()
    tables = [one for one in files if one.endswith(".csv")]
    assert card.count("**Licence.**") == len(tables)
    assert name in card


def test_a_wheel_of_the_sdist_is_the_same_and_the_sdist_has_no_solutions(
    repository, wheel, tmp_path
):
    tools.run(tools.UV, "build", "--sdist", "--out-dir", tmp_path, repository)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert not [
            name for name in archive.getnames() if "/notebooks/labs/" in name
        ]
        archive.extractall(tmp_path, filter="data")
    again = tools.build_wheel(
        tmp_path / sdist.name.removesuffix(".tar.gz"), tmp_path
    )
    assert content(again) == content(wheel)


def test_the_version_is_the_same_wherever_it_stands(wheel, repository):
    citation = yaml.safe_load(
        (repository / "CITATION.cff").read_text(encoding="utf-8")
    )
    changes = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = re.search(r"^## (\S+)", changes, re.MULTILINE)[1]
    assert {wheel.name.split("-")[1], citation["version"], latest} == {
        dpwidgets.__version__
    }
