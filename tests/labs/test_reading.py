"""What is found in a lab that comes back, whatever a front end has made of it."""

import ast
import json

import cells
import nbformat
import pytest
import strangers

import sources

LAB = "lab1"
ALL = list(sources.answers(LAB))
FIRST, SECOND, *_ = ALL


def released(lab=LAB):
    """A lab as students get it, as far as it is read: its metadata, no solutions."""
    notebook = sources.source(lab)
    for cell in notebook.cells:
        cell.source = sources.SOLUTION.sub("# your answer here\n", cell.source)
    notebook.metadata["dpwidgets"] = {"lab": lab}
    return notebook


def done(answer):
    """A lab as a student hands it in, as JSON has it."""
    notebook = released()
    sources.hand_in(notebook, LAB, "s1", answer)
    return json.loads(nbformat.writes(notebook))


def read(notebook):
    """Return the lab's cells and the others of a notebook, as it is read before it is graded."""
    seen = strangers.notebook_of(json.dumps(notebook).encode())
    lab = {cell.id: cell for cell in sources.source(LAB).cells}
    blank = {cell.id: cell.source for cell in released().cells}
    restored = cells.restored(seen.cells, lab, blank)
    found = {cell.id: cell for cell in restored}
    own = [one for name, one in found.items() if name not in lab]
    others = [one.source for one in own if one.cell_type == "code"]
    return {name: found[name].source for name in found if name in lab}, others


def no_marks(notebook):
    """As in labs that were done in VS Code, and nothing that the notebook says of itself."""
    notebook["metadata"] = {}
    for cell in notebook["cells"]:
        cell["metadata"].pop("nbgrader", None)


def ids_moved(notebook):
    """As Colab saves them."""
    no_marks(notebook)
    for cell in notebook["cells"]:
        cell["metadata"]["id"] = cell.pop("id")


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
    cell = notebook["cells"][place]
    copies = [
        {**cell, "source": blank[FIRST], "id": f"copy-{at}"} for at in range(2)
    ]
    notebook["cells"][place : place + 1] = [copies[0], cell, copies[1]]


CHANGES = {
    "as it was released": lambda notebook: None,
    "ids in metadata": ids_moved,
    "nothing but ids": no_marks,
    "nothing but text": only_text,
    "one more newline": line_ends("\n"),
    "Windows": line_ends("\r\n"),
    "an old Mac": line_ends("\r"),
    "spaces at the ends": line_ends("\n", lambda line: f"{line}  "),
    "lines of their own": line_ends("\n\n"),
    "a blank copy": a_blank_copy,
}
each = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)


def same(code):
    """Return code as it is for Python, whatever white space an editor has left in it."""
    return ast.dump(ast.parse(code))


@each
@pytest.mark.parametrize("answer", [sources.right, None])
def test_answers_are_found_whatever_became_of_the_marks(change, answer):
    notebook, blank = done(answer), done(None)
    change(notebook)
    found, others = read(notebook)
    expected = sources.answers(LAB) if answer else answers_of(blank)
    if change is only_text:
        assert {*map(same, expected.values())} <= {*map(same, others)}
    else:
        theirs = {name: same(found[name]) for name in ALL}
        assert theirs == {name: same(expected[name]) for name in ALL}
        assert others == []
    # What the lab has locked is as it was.
    for cell in sources.source(LAB).cells:
        if sources.graded(cell).get("locked"):
            assert found[cell.id] == cell.source


def answers_of(notebook):
    texts = {one["id"]: "".join(one["source"]) for one in notebook["cells"]}
    return {name: texts[name] for name in ALL}


@pytest.mark.parametrize("change", [in_own_cells, without_blanks])
def test_an_answer_counts_where_it_stands(change):
    notebook = done(sources.right)
    change(notebook)
    _, others = read(notebook)
    assert others == [*sources.answers(LAB).values()]


@sources.each_lab
def test_no_cell_of_a_lab_sets_what_another_asks_for(lab):
    asked = sources.answers(lab)
    for cell in sources.source(lab).cells:
        if cell.cell_type == "code" and cell.id not in asked:
            names = {
                node.id
                for node in ast.walk(ast.parse(cell.source))
                if isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Store)
            }
            for code in asked.values():
                assert names.isdisjoint(sources.names(code)), cell.id
