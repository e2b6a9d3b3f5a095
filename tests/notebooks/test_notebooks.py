"""What a committed notebook must be, beside passing nbval: executed in order, and visible."""

import ast
import re

import comm
import nbformat
import pytest

from dpwidgets import Code, Question, Sketch, Task
from dpwidgets.page.explorer import Explorer
from dpwidgets.texts import TEXTS
from execute import NOTEBOOKS, WIDGET_VIEW, execute
from tools import ask, assert_sound, sweep

PATHS = [
    path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.name != "glossary.ipynb"
]  # words alone
ZEROMQ_KEEPS = 1000  # messages that wait; it drops those that follow
MOST_WIDGETS = 150  # of a notebook: its page asks for each of them whenever it is opened again
AUDITS = {text.audit for text in TEXTS}


def each(paths):
    """Run a test with each of these notebooks."""
    return pytest.mark.parametrize("notebook", paths, ids=lambda path: path.stem, indirect=True)


every = each(PATHS)
every_lesson = each([path for path in PATHS if path.name not in AUDITS])
every_audit = each([path for path in PATHS if path.name in AUDITS])


@pytest.fixture
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_is_a_notebook_for_every_text_and_a_first_page():
    assert {"00_start_here.ipynb"} | {text.notebook for text in TEXTS} <= {
        path.name for path in PATHS
    }


@every
def test_it_was_executed_from_top_to_bottom_and_says_so_without_a_kernel(notebook):
    nbformat.validate(notebook)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    assert "widgets" not in notebook.metadata
    assert not [cell for cell in notebook.cells if "execution" in cell.metadata]  # the time
    for output in (output for cell in code_cells(notebook) for output in cell.outputs):
        data = output.get("data", {})
        assert output.output_type != "error"
        assert output.get("name") != "stderr"
        assert WIDGET_VIEW not in data
        if "image/png" in data:  # every picture has its words
            assert len(data["text/plain"]) > 20
            assert not data["text/plain"].startswith("<")


def is_tabular(cell):
    """Tell whether a cell mostly holds words: lines of a ledger, or a question or a task."""
    first = cell.source.splitlines()[0]
    return "ledger" in first.lower() or first in ("Code(", "Question(", "Task(", "Sketch(")


@every_lesson
def test_its_cells_are_short_and_its_words_many(notebook):
    coded = 0
    for cell in code_cells(notebook):
        most = 20 if cell.source.startswith("Code(") else 15 if is_tabular(cell) else 8
        assert_short(cell, most, 120)
        coded += 0 if is_tabular(cell) else len(cell.source.split())
    words = sum(len(cell.source.split()) for cell in notebook.cells if cell.cell_type == "markdown")
    assert words > 2 * coded


@every_audit
def test_a_line_of_an_audit_is_soon_found_in_its_cell(notebook):
    for cell in code_cells(notebook):
        assert_short(cell, 15, 100)


@every
def test_no_line_of_a_sentence_begins_like_an_item_of_a_list(notebook):
    """A line that begins with “1. ” is one to Markdown, wherever an editor broke the sentence."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            assert not re.search(r"(?m)^(?![\s\d*+|>-]).+\n\d+[.)] ", cell.source), cell.source


def assert_short(cell, lines, columns):
    found = cell.source.splitlines()
    assert len(found) <= lines, cell.source
    assert max(map(len, found)) <= columns, cell.source


@every
def test_no_question_shows_its_answer(notebook):
    for cell in code_cells(notebook):
        if cell.source.startswith(("Code(", "Question(", "Task(")):
            assert cell.metadata["jupyter"]["source_hidden"]


def run(notebook):
    """Execute the code cells here, without a kernel, and yield the value that each cell shows."""
    names = {"__name__": "__main__", "display": lambda *shown: None}
    for cell in code_cells(notebook):
        body = ast.parse(cell.source).body
        shown = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if shown:
            yield eval(compile(ast.Expression(shown.value), "<cell>", "eval"), names)


def start_of_every_view(explorer):
    """Return the settings without the view: a sweep goes through all views from any."""
    return {name: value for name, value in explorer.settings().items() if name != "view"}


@pytest.fixture
def sound(monkeypatch):
    """Check each question, task and sketch as its cell makes it; return how many there are."""
    made = []
    for kind in (Code, Question, Sketch, Task):

        def checked(self, *given, init=kind.__init__, **named):
            init(self, *given, **named)
            assert_sound(self)
            made.append(self)

        monkeypatch.setattr(kind, "__init__", checked)
    return made


@every_lesson
def test_every_explorer_can_be_moved_from_where_it_is_shown_and_all_that_is_asked_is_sound(
    notebook, data_directory, monkeypatch, sound
):
    """In every view, one control at a time; tests/explorers sweeps what a bare name makes in full.

    And no cell sends so many messages that ZeroMQ drops some of them, nor do all of them together
    make many widgets.
    """
    messages, starts, widgets = [], [], 0
    monkeypatch.setattr(comm.DummyComm, "publish_msg", lambda _, kind, **__: messages.append(kind))
    for shown in run(notebook):
        if hasattr(shown, "_repr_mimebundle_"):
            shown._repr_mimebundle_()
        # Closed are those that this test has made, whenever Python finds the time for it.
        assert sum(kind != "comm_close" for kind in messages) < ZEROMQ_KEEPS
        widgets += messages.count("comm_open")
        if isinstance(shown, Explorer):
            start = type(shown), start_of_every_view(shown)
            if start not in starts and start[1] != start_of_every_view(start[0]()):
                assert sweep(shown, one_at_a_time=True) >= 3
            starts.append(start)
        messages.clear()
    assert starts
    asking = ("Code(", "Question(", "Sketch(", "Task(")
    assert len(sound) >= sum(cell.source.startswith(asking) for cell in code_cells(notebook)) > 0
    assert 0 < widgets <= MOST_WIDGETS


def test_notebooks_are_executed_without_anybodys_progress(data_directory, tmp_path):
    """Neither in the outputs nor on the disk: the kernel has a data directory of its own."""
    ask(Question("a", answer=1), "answer", text="1")
    before = {path: path.read_bytes() for path in data_directory.iterdir()}
    assert before
    source = (
        "from dpwidgets import Question\n"
        "q = Question('a', answer=1)\n"
        "q.set_state({'_asked': {'name': 'answer', 'text': '2', 'turn': '1'}})\n"
        "print(q.attempts, q.solved)"
    )
    path = tmp_path / "notebooks" / "a.ipynb"
    path.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)]), path)
    execute(path)
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == "1 False\n"
    assert {path: path.read_bytes() for path in data_directory.iterdir()} == before


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.word)
def test_progress_stands_below_the_last_question(text):
    notebook = nbformat.read(NOTEBOOKS / text.notebook, as_version=4)
    sources = [cell.source for cell in code_cells(notebook)]
    asking = ("Code(", "Question(", "Task(")
    asked = [at for at, source in enumerate(sources) if source.startswith(asking)]
    assert sources.index("Progress()") == asked[-1] + 1
