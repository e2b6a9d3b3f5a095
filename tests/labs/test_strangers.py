"""What is read of a stranger's notebook: what is graded, and nothing that takes long to check."""

import json
import os

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
}


def read(data):
    """Read a notebook as `check` and nbgrader do."""
    text = data if isinstance(data, str) else json.dumps(data)
    notebook = nbformat.reads(
        strangers.notebook_of(text.encode()), as_version=4
    )
    nbformat.validate(notebook)
    return notebook


@pytest.mark.parametrize("name", HEAVY)
def test_what_nobody_grades_is_not_read(name):
    """However odd it is, and however long it would take to say so."""
    cell = {"cell_type": "code", "id": "own", "source": "answer = 42"}
    cell |= {"execution_count": None, "metadata": {}, "outputs": []}
    cell |= HEAVY[name]
    cell["metadata"]["nbgrader"] = {"grade_id": "mine"}
    data = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    data |= {"cells": [cell]}
    # So much nbformat is given to check.
    assert len(strangers.notebook_of(json.dumps(data).encode())) < 1000
    (seen,) = read(data).cells
    assert seen.source == "answer = 42"
    assert seen.metadata == {"nbgrader": {"grade_id": "mine"}}
    assert seen.outputs == []


def test_a_lab_is_read_with_all_its_cells_and_marks():
    for lab in sources.LABS:
        lab = sources.source(lab)
        seen = read(lab)
        assert [(one.id, one.source, graded(one)) for one in seen.cells] == [
            (one.id, one.source, graded(one)) for one in lab.cells
        ]


@pytest.mark.parametrize(
    "odd",
    [
        *("", "null", "[]", "7", "{}", "\ufeff\ufeff{}", '{"cells": 7}'),
        *('{"cells": [null]}', '{"cells": {"a": {}}}', "[" * 10**6),
        *(
            '{"nbformat": 3, "worksheets": [7, null]}',
            '{"metadata": ' + "9" * 5000 + "}",
        ),
        '{"cells": [{"cell_type": ["code"], "metadata": []}], "nbformat": 4}',
        '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": NaN}',
        '{"cells": [], "metadata": null, "nbformat": "4"}',
    ],
    ids=range(15),
)
def test_what_is_no_notebook_ends_in_an_error_and_not_in_the_program(odd):
    with pytest.raises(Exception) as told:  # noqa: PT011  (of whatever kind)
        read(odd)
    assert not isinstance(told.value, MemoryError)


def test_names_that_stand_twice_and_odd_numbers_leave_a_notebook():
    """Python reads NaN, and of two of one name the second: so does nbgrader."""
    head = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {"x": NaN}, '
    for number in ("NaN", "-Infinity", "1e999", "9" * 4000):
        text = (
            f'{head}"cells": [7], "cells": [], "metadata": {{"x": {number}}}}}'
        )
        assert read(text).cells == []


def test_a_link_is_no_submission_wherever_it_was_put(tmp_path):
    """By hand into `submitted`, too: no notebook, lab's folder or student's; and no pipe."""
    there = tmp_path / "real" / "lab1"
    there.mkdir(parents=True)
    notebook = there / "lab1.ipynb"
    notebook.write_bytes(nbformat.writes(EMPTY).encode())
    assert strangers.notebook_at(notebook) == EMPTY
    (tmp_path / "student").symlink_to(there.parent)
    (tmp_path / "real" / "lab").symlink_to(there)
    (there / "link.ipynb").symlink_to(notebook)
    for way in ("student/lab1/lab1", "real/lab/lab1", "real/lab1/link"):
        with pytest.raises(ValueError, match="a link is no submission"):
            strangers.notebook_at(tmp_path / f"{way}.ipynb")
    os.mkfifo(there / "pipe.ipynb")
    with pytest.raises(ValueError, match="no file but a pipe"):
        strangers.notebook_at(there / "pipe.ipynb")


def test_no_more_is_read_than_a_notebook_may_have(tmp_path):
    with (tmp_path / "lab1.ipynb").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(ValueError, match="more than 20,000,000 bytes"):
        strangers.notebook_at(tmp_path / "lab1.ipynb")
