"""`make bench` measures what it says; no speed makes a test fail."""

import sys

from tools import ROOT, run


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
