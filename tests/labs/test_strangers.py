"""What is read of a stranger's notebook: what is graded, and nothing that takes long to check."""

import copy
import json
import os
import tracemalloc

import nbformat
import pytest
import strangers

import sources
from sources import graded

MANY = 20_000
EMPTY = nbformat.v4.new_notebook()
#: What nbformat takes 10 seconds or more, or a gigabyte, to find fault with.
HEAVY = {
    "odd outputs": {"outputs": [{}] * MANY},
    "outputs that are no list": {"outputs": "x"},
    "tags that cannot be sorted": {
        "metadata": {"tags": [*range(MANY // 5), *map(str, range(MANY // 5))]}
    },
    "attachments that are no attachments": {"attachments": [7] * MANY},
    "metadata of many parts": {"metadata": {"x": [{}] * MANY}},
    "marks of many parts": {"metadata": {"nbgrader": {"points": [[]] * MANY}}},
    "a text of many lines": {"source": ["answer = 42", *[""] * MANY]},
    "an id that is none": {"id": "<b>" * MANY},
}


def read(data):
    """Read a notebook as our doors and nbgrader do."""
    notebook = strangers.notebook_of(json.dumps(data).encode())
    nbformat.validate(notebook)
    return notebook


def at(path):
    """Read a notebook that lies where it is graded."""
    return strangers.notebook_of(strangers.bytes_at(path))


@pytest.mark.parametrize("name", HEAVY)
def test_what_nobody_grades_is_not_read(name):
    """However odd it is, and however long it would take to say so."""
    cell = {"cell_type": "code", "id": "own", "source": "answer = 42"}
    cell |= {"execution_count": None, "metadata": {}, "outputs": []}
    cell |= copy.deepcopy(HEAVY[name])
    marks = cell["metadata"].setdefault("nbgrader", {})
    marks["grade_id"] = "mine"
    about = {"dpwidgets": {"lab": "lab1", "version": [{}] * MANY}}
    data = {"nbformat": 4, "nbformat_minor": 5}
    data |= {"cells": [cell], "metadata": about | {"x": [{}] * MANY}}
    seen = read(data)
    assert len(strangers.sound(seen)) < 1000
    assert seen.metadata == {"dpwidgets": {"lab": "lab1"}}
    (cell,) = seen.cells
    assert cell.source == "answer = 42"
    assert cell.metadata == {"nbgrader": {"grade_id": "mine"}}
    assert cell.outputs == []


@pytest.mark.parametrize("part", ["{}", "[]"])
def test_parts_are_counted_before_they_are_read(part):
    """Each of them takes fifty times as much memory as in the file."""
    parts = ",".join([part] * strangers.PARTS)
    text = f'{{"nbformat": 4, "cells": [], "metadata": {{"x": [{parts}]}}}}'
    assert len(text) < strangers.LARGEST
    tracemalloc.start()
    with pytest.raises(ValueError, match="more than 1,000,000 parts"):
        strangers.notebook_of(text.encode())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * len(text)


def test_a_lab_is_read_with_all_its_cells_and_marks():
    for lab in sources.LABS:
        lab = sources.source(lab)
        seen = read(lab)
        for one, theirs in zip(lab.cells, seen.cells, strict=True):
            assert (one.id, one.source) == (theirs.id, theirs.source)
            mark = theirs.metadata.nbgrader.get("grade_id", "")
            assert mark == graded(one)["grade_id"]


NO_NOTEBOOK = "it is no notebook"
#: What is no notebook, and what it is called.
ODD = {
    b"PK\3\4": "it is a zip archive or an office document, and no notebook",
    b"%PDF-1.7": "it is a PDF, and no notebook",
    b"\x89PNG\r\n": "it is a picture, and no notebook",
    b"\xff\xd8\xff\xe0": "it is a picture, and no notebook",
    b"<p>My answer</p>": "it is a page of HTML, and no notebook",
    b"": f"{NO_NOTEBOOK}: it is empty",
    b"\x80 text": f"{NO_NOTEBOOK}, and no text",
    **dict.fromkeys(
        [
            *("null", "[]", "7", "{}", '{"cells": 7}', '{"cells": [null]}'),
            *("\ufeff\ufeff{}", '{"cells": {"a": {}}}', "[" * 10**6),
            '{"nbformat": 3, "worksheets": [7, null]}',
            '{"metadata": ' + "9" * 5000 + "}",
            '{"cells": [{"cell_type": ["code"], "metadata": []}], "nbformat": 4}',
            '{"cells": [], "metadata": null, "nbformat": "4"}',
        ],
        NO_NOTEBOOK,
    ),
}


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_what_is_no_notebook_is_called_what_it_is_and_ends_no_program(odd):
    content = odd if isinstance(odd, bytes) else odd.encode()
    with pytest.raises(ValueError, match=ODD[odd]):
        strangers.notebook_of(content)


def test_a_link_is_no_submission_wherever_it_was_put(tmp_path):
    """By hand into `submitted`, too: no notebook, lab's folder or student's; and no pipe."""
    there = tmp_path / "real" / "lab1"
    there.mkdir(parents=True)
    notebook = there / "lab1.ipynb"
    notebook.write_bytes(nbformat.writes(EMPTY).encode())
    assert at(notebook).cells == []
    (tmp_path / "student").symlink_to(there.parent)
    (tmp_path / "real" / "lab").symlink_to(there)
    (there / "link.ipynb").symlink_to(notebook)
    for way in ("student/lab1/lab1", "real/lab/lab1", "real/lab1/link"):
        with pytest.raises(ValueError, match="a link is no submission"):
            at(tmp_path / f"{way}.ipynb")
    os.mkfifo(there / "pipe.ipynb")
    with pytest.raises(ValueError, match="no file but a pipe"):
        at(there / "pipe.ipynb")


def test_no_more_is_read_than_a_notebook_may_have(tmp_path):
    with (tmp_path / "lab1.ipynb").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(ValueError, match="more than 20,000,000 bytes"):
        at(tmp_path / "lab1.ipynb")
