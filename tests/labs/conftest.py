"""A course for each module of tests; all labs are released once in a process."""

import shutil

import pytest

from released import Course, released_course
from sources import LABS


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    """A course in which every lab is released."""
    return released_course(tmp_path_factory.mktemp("nbgrader"), LABS)


@pytest.fixture(scope="module")
def course(released, tmp_path_factory):
    """One in a folder of its own, with an exchange where students hand in."""
    course = Course(released.environment, tmp_path_factory.mktemp("course"))
    shutil.copytree(released.repository, course.repository)
    course.inbound.mkdir(parents=True)
    course.exchange.parent.chmod(0o1777)
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(f"c.Exchange.root = {str(course.exchange.parent)!r}\n")
    return course
