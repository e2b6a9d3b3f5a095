"""What a lab that comes back says of itself, whatever a front end or a formatter made of it."""

import json

import pytest

import sources
from dpwidgets.labs import reading
from dpwidgets.labs.handin import look
from test_handin import LAB, content, done, released

ALL = list(sources.answers(LAB))
FIRST, SECOND, *_ = ALL


def no_marks(notebook):
    """As in labs that were done in VS Code."""
    for cell in notebook["cells"]:
        cell["metadata"].pop("nbgrader", None)


def ids_moved(notebook):
    """As Colab saves them."""
    no_marks(notebook)
    for cell in notebook["cells"]:
        cell["metadata"]["id"] = cell.pop("id")


def nothing_said(notebook):
    no_marks(notebook)
    notebook["metadata"] = {}


def only_text(notebook):
    """Without the lab's own text, marks, ids: what remains where cells are copied one by one."""
    ids_moved(notebook)
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def line_ends(end, change=lambda line: line):
    def saved(notebook):
        for cell in notebook["cells"]:
            lines = "".join(cell["source"]).split("\n")
            cell["source"] = end.join(map(change, lines)) + end

    return saved


def in_own_cells(notebook):
    """Put each answer into a cell of its own, and leave the lab's as it was."""
    blank = {cell.id: cell.source for cell in released().cells}
    notebook["cells"] = [
        one
        for cell in notebook["cells"]
        for one in (
            {**cell, "source": blank[cell["id"]]},
            {**cell, "id": f"my-{cell['id']}", "metadata": {}},
        )[: 2 if cell["id"] in ALL else 1]
        if cell["id"] != "seed" or one["source"]
    ]
    for cell in notebook["cells"]:
        if cell["id"] == "seed":
            cell["source"] = 'lab_seed = "s1"'


def without_blanks(notebook):
    in_own_cells(notebook)
    notebook["cells"] = [
        cell for cell in notebook["cells"] if cell["id"] not in ALL
    ]


def a_blank_copy(notebook):
    blank = {cell.id: cell.source for cell in released().cells}
    (place,) = (
        at for at, one in enumerate(notebook["cells"]) if one["id"] == FIRST
    )
    for where in (place, place + 2):
        copy = json.loads(json.dumps(notebook["cells"][place]))
        copy |= {"source": blank[FIRST], "id": f"copy-{where}"}
        notebook["cells"].insert(where, copy)
        place += where == place


CHANGES = {
    "as it was released": lambda notebook: None,
    "without marks": no_marks,
    "ids in metadata": ids_moved,
    "nothing but ids": nothing_said,
    "nothing but text": only_text,
    "one more newline": line_ends("\n"),
    "Windows": line_ends("\r\n"),
    "an old Mac": line_ends("\r"),
    "spaces at the ends": line_ends("\n", lambda line: f"{line}  "),
    "lines of their own": line_ends("\n\n"),
    "a blank copy": a_blank_copy,
}
each = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)


def changed(change, answer):
    notebook = json.loads(content(done(change=answer)))
    change(notebook)
    return look(json.dumps(notebook).encode(), 1, "s1")[1]


@each
def test_right_answers_are_there_whatever_became_of_the_marks(change):
    seen = changed(change, sources.right)
    assert (seen.lab, seen.ids) == (LAB, {"s1"})
    assert seen.missing == seen.untouched == []


@pytest.mark.parametrize(
    "change", [one for one in CHANGES.values() if one is not only_text]
)
def test_nobody_is_told_that_an_empty_lab_is_answered(change):
    seen = changed(change, None)
    assert seen.untouched == ALL
    assert seen.missing == []


def test_of_cells_that_are_known_by_nothing_none_counts_as_answered():
    seen = changed(only_text, None)
    assert sorted(seen.untouched + seen.missing) == sorted(ALL)


@pytest.mark.parametrize("change", [in_own_cells, without_blanks])
def test_an_answer_counts_where_it_stands(change):
    seen = changed(change, sources.right)
    assert seen.missing == seen.untouched == []


def test_half_of_an_answer_in_another_cell_is_none():
    notebook = json.loads(content(done(change=None)))
    own = {"cell_type": "code", "metadata": {}, "id": "mine", "outputs": []}
    notebook["cells"].append(own | {"source": "highest = 0.5"})
    assert reading.read(notebook).untouched == ALL
    notebook["cells"].append(own | {"source": ["%pylab\n", "lowest = 0.1"]})
    assert reading.read(notebook).untouched == [
        name for name in ALL if name != SECOND
    ]
    assert SECOND == "belief"


@pytest.mark.parametrize(
    ("code", "untouched"),
    [
        ("", True),
        ("highest = None\nlowest = None\n# your answer here", True),
        ('def odds(chance):\n    """Turn."""\n# your answer here', True),
        ("def odds(chance):\n    # later\n    return None", True),
        ("def odds(chance):\n    return chance", False),
        ("highest = (None", False),
        ("highest = mine.limit", False),
        ("print(highest)", False),
        ("x" * 100_000, False),
        ("(" * 19_000, False),
        ("\0", False),
    ],
)
def test_a_cell_is_untouched_if_it_answers_nothing(code, untouched):
    cell = {"cell_type": "code", "metadata": {}, "source": code}
    assert reading.is_untouched(cell) is untouched


@sources.each_lab
def test_every_question_has_its_number_and_no_cell_of_the_labs_answers_it(lab):
    cells = released(lab).cells
    questions = reading.answers(cells)
    numbers = [question.number for question in questions.values()]
    assert numbers == sorted(set(numbers))
    assert all("." in number for number in numbers)
    others = [one for one in cells if one.id not in questions]
    for cell in others:
        if cell.cell_type == "code":
            names = reading.names_set(cell.source)
            for question in questions.values():
                assert not names.intersection(question.names), cell.id


@pytest.mark.parametrize(
    "about",
    [[], 7, {"lab": ["lab2"]}, {"questions": {"a": "b"}}, {"questions": 3}],
)
def test_what_a_notebook_says_of_itself_costs_at_most_a_sentence(about):
    notebook = json.loads(content(done()))
    notebook["metadata"]["dpwidgets"] = about
    with pytest.raises(
        ValueError, match=r"notebook that can be read|not lab 1"
    ):
        look(json.dumps(notebook).encode(), 1, "s1")
