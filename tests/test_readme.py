"""The README's code runs, and its commands exist."""

import contextlib
import io
import re

import pytest

from tools import BLOCKS, README, ROOT


@pytest.mark.parametrize(("block", "said"), BLOCKS, ids=range(len(BLOCKS)))
def test_the_code_prints_what_its_comments_say(block, said):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(block, {})
    assert stream.getvalue().splitlines() == said


def test_there_is_code_to_run():
    assert BLOCKS


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make (\w+)`", README)) | set(
        re.findall(r"^make (\w+)$", README, re.MULTILINE)
    ):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_linked_file_exists():
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
