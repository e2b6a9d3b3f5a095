"""What *Hand in* takes, and what it says."""

import base64
import json

import pytest

import sources
import tools
from dpwidgets.labs import handin
from dpwidgets.labs.handin import HandIn, look

LAB = "lab1"


def released(lab=LAB):
    """A lab as students get it, as far as *Hand in* looks at it: its metadata, no solutions."""
    notebook = sources.source(lab)
    for cell in notebook.cells:
        cell.source = sources.SOLUTION.sub("# your answer here\n", cell.source)
    questions = handin.answers(notebook.cells)
    notebook.metadata["dpwidgets"] = {
        "lab": lab,
        "questions": questions,
    }
    return notebook


def done(student="s1", change=sources.right):
    notebook = released()
    sources.hand_in(notebook, LAB, student, change)
    return notebook


def content(notebook):
    return json.dumps(notebook).encode()


def handed(notebook, seed="s1"):
    """Give a notebook to the page, and return what the page shows then."""
    page = HandIn(seed, lab=1)
    raw = notebook if isinstance(notebook, bytes) else content(notebook)
    tools.ask(page, "load", file=base64.b64encode(raw).decode())
    return page._shown


def text(shown, name):
    return shown.get(name, {}).get("text", "")


@pytest.mark.parametrize("lab", sources.LABS)
def test_every_lab_ends_with_the_page_that_makes_the_file(lab):
    last = sources.source(lab).cells[-1].source
    assert last.endswith(f"HandIn(lab_seed, lab={lab.removeprefix('lab')})")


def test_a_finished_lab_comes_back_whole_and_without_outputs():
    notebook = done()
    notebook.cells[3].outputs = [
        {"output_type": "stream", "name": "stdout", "text": "x" * 9**6}
    ]
    shown = handed(notebook)
    ((name, _, back),) = shown["file"]["files"]
    assert name == "lab1-s1.ipynb"
    assert [cell["source"] for cell in json.loads(back)["cells"]] == [
        cell.source for cell in notebook.cells
    ]
    assert len(back) < 100_000
    assert text(shown, "found").startswith("Every question has an answer.")


def test_it_names_what_is_not_answered_and_what_is_deleted():
    notebook = done()
    first, second, *_ = sources.answers(LAB)
    blank = {
        sources.graded(cell)["grade_id"]: cell.source
        for cell in released().cells
    }
    for cell in notebook.cells:
        if sources.graded(cell)["grade_id"] == first:
            cell.source = blank[first]
    notebook.cells = [
        c for c in notebook.cells if sources.graded(c)["grade_id"] != second
    ]
    shown = handed(notebook)
    assert (first, second) == ("odds", "belief")
    said = text(shown, "found")
    assert said == "Deleted, so they earn nothing: 1.2. Not answered: 1.1."
    assert shown["file"]["files"]
    everything = text(handed(done(change=None)), "found")
    assert everything.startswith("Not answered: 1.1, 1.2, 1.3, 2.1, ")
    assert everything.count(", ") == len(sources.answers(LAB)) - 1


def test_nothing_stays_of_an_earlier_file():
    page = HandIn("s1", lab=1)
    for given, is_taken in ((content(done()), True), (b"{", False)):
        tools.ask(page, "load", file=base64.b64encode(given).decode())
        assert bool(text(page._shown, "found")) == is_taken
        assert bool(page._shown["file"]) == is_taken


def test_another_notebook_another_id_or_none_is_refused_with_the_reason():
    other = done()
    other.metadata.dpwidgets.lab = "lab2"
    odd = {"metadata": {"dpwidgets": []}, "cells": [3]}
    for given, says in (
        (
            done("s2"),
            "The id in this file is “s2”, and the one in this notebook “s1”",
        ),
        (released(), "Write your student id"),
        (other, "not lab 1"),
        (b"{", "no notebook that can be read"),
        (b"[]", "no notebook that can be read"),
        (b"[" * 10**6, "no notebook that can be read"),
        (content(odd), "no notebook that can be read"),
        (b"\xff\xfe", "no notebook that can be read"),
        (b'{"metadata": {}, "cells": 3}', "no notebook that can be read"),
        (b"", "no notebook that can be read"),
        (b" " * (handin.SENT + 1), "it is larger than 7 MB"),
    ):
        shown = handed(given)
        assert says in text(shown, "wrong")
        assert not shown["file"].get("files")


def test_an_id_is_the_same_in_capital_letters_and_with_spaces_as_it_is_for_the_numbers():
    assert look(content(done("S1 ")), 1, " s1")[1].untouched == []


def test_a_page_without_a_kernel_says_what_it_is_for():
    assert "while the notebook runs" in HandIn("s1", lab=1).still_page()
    with pytest.raises(ValueError, match="lab must be one of 1, 2, 3"):
        HandIn("s1", lab=4)
