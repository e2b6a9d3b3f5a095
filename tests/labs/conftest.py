"""The environment in which nbgrader runs."""

import pytest

import tools


@pytest.fixture(scope="session")
def nbgrader(tmp_path_factory):
    """An environment with the `course` extra."""
    environment = tools.Environment(tmp_path_factory.mktemp("nbgrader"))
    repository = tools.copy_repository(tmp_path_factory.mktemp("repository"))
    environment.install(f"{repository}[course]")
    return environment
