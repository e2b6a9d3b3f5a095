"""The code of the README and of CONTRIBUTING runs, and the commands exist."""

import ast
import pkgutil
import re

from PIL import Image

from dpwidgets.teaching.base import folded
from here import shown_by
from numbers_in_words import typed_numbers
from readme import PICTURE, shown
from tools import BLOCKS, CONTRIBUTING, ROOT

#: What a reader reads of how to begin.
PAGES = [ROOT / "README.md", *ROOT.glob("*/README.md")]


def test_the_code_prints_what_its_comments_say(capsys):
    for block, said in BLOCKS:
        exec(block, {})
        assert capsys.readouterr().out.splitlines() == said


def test_the_picture_shows_controls_views_and_words_that_there_are():
    assert Image.open(PICTURE).text["shown"] == shown()


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text()
    pages = [path.read_text(encoding="utf-8") for path in PAGES]
    targets = re.findall(
        r"make (\w+)`|^make (\w+)\b", "\n".join(pages), re.MULTILINE
    )
    assert targets
    for target in targets:
        assert re.search(rf"^{''.join(target)}:", makefile, re.MULTILINE), (
            target
        )


def test_every_dotted_name_on_a_page_of_the_package_is_there():
    pages = [*(ROOT / "dpwidgets").rglob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    names = re.findall(r"`(dpwidgets(?:\.\w+)+)(?:\(\))?`", text)
    assert names
    for name in names:
        pkgutil.resolve_name(name)


def test_each_step_of_how_a_notebook_teaches_has_a_cell_that_runs(
    data_directory,
):
    page = CONTRIBUTING.partition("## How a notebook teaches")[2].partition(
        "\n## "
    )[0]
    steps = re.split(r"(?m)^\*\*(\w+)\.\*\* ", page)[1:]
    assert steps[::2] == [
        "Define",
        "Predict",
        "Move",
        "Explain",
        "Check",
        "Write",
        "Recall",
    ]
    names = {}
    for step in steps[1::2]:
        assert step.count("```") == 2
        for block in re.findall(r"```python\n(.*?)```", step, re.DOTALL):
            assert typed_numbers(block) == []
            assert "<p" in folded(shown_by(ast.parse(block).body, names))
