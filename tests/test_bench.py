"""`make bench` measures what it says; no speed makes a test fail."""

import runpy
import sys
from types import SimpleNamespace

import pytest

from tools import ROOT, run


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    return SimpleNamespace(**runpy.run_path(str(ROOT / "bench/__main__.py")))


def test_a_class_of_one_sees_its_pictures(tmp_path):
    path = tmp_path / "bench.md"
    path.touch()
    asked = ("class", "--seconds", "1", "--students", "1", "--to", path)
    run(sys.executable, ROOT / "bench", *asked)
    rows = [
        line.split(" | ")
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    found = {row[1]: row for row in rows if row[0] == "| 1"}
    assert set(found) == {"explorer", "interact"}
    for row in found.values():
        # Of two steps; a busy machine may be too slow.
        pictures, without = row[3:5]
        assert int(pictures) + int(without) == 2


def test_a_section_takes_the_place_of_the_one_with_its_title(bench, tmp_path):
    page = tmp_path / "bench.md"
    page.write_text("# B\n\n## One\n\nold\n\n## Two\n\nkept\n")
    for title in ("One", "Three"):
        bench.write(page, f"## {title}\n\nnew")
    assert page.read_text() == (
        "# B\n\n## One\n\nnew\n\n## Two\n\nkept\n\n## Three\n\nnew\n"
    )
