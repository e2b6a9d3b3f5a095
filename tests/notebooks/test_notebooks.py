"""What a committed notebook must be, beside passing nbval: executed in order, and visible."""

import re

import comm
import nbformat
import pytest

from dpwidgets.page.explorer import Explorer
from dpwidgets.page.state import Declared
from dpwidgets.teaching.ledger import VERDICTS, Verdicts
from dpwidgets.texts import TEXTS
from execute import NOTEBOOKS, WIDGET_VIEW
from here import (
    AUDITS,
    LESSONS,
    WITH_QUESTIONS,
    code_cells,
    execute,
    executed,
    prose,
)
from tools import ASKS, assert_sound, sweep

#: Of a lesson. ZeroMQ drops messages while 1,000 wait, and a page asks for each widget whenever
#: it is opened again.
MOST_MESSAGES = 150
#: Code that cuts prose at a stop, and a line that was cut.
CUTS = re.compile(r"""\br?(?:partition|split)\(["']\.["']""")
UNFINISHED = re.compile(
    r"^(?!.*#).*\b(?:from \d+|from|to|than|and|or|of|with|the)$"
)


@pytest.mark.parametrize(
    "path",
    [*WITH_QUESTIONS, *AUDITS],
    ids=lambda path: path.relative_to(NOTEBOOKS).as_posix(),
)
def test_it_was_executed_from_top_to_bottom_and_its_cells_are_short_and_its_words_many(
    path,
):
    notebook = nbformat.read(path, as_version=4)
    coded = 0
    audit = path in AUDITS
    nbformat.validate(notebook)
    counts = [cell.execution_count for cell in code_cells(path)]
    assert counts == list(range(1, len(counts) + 1))
    assert "widgets" not in notebook.metadata
    for cell in notebook.cells:
        assert "execution" not in cell.metadata  # the time
        if cell.cell_type == "markdown":
            # A line that begins with “1. ” is an item of a list, wherever an
            # editor broke a line.
            assert not re.search(
                r"(?m)^(?![\s\d*+|>-]).+\n\d+[.)] ", cell.source
            ), cell.source
        elif cell.source.startswith(ASKS):  # its answer stands there
            assert cell.metadata["jupyter"]["source_hidden"]
    for cell in code_cells(path):
        lines = cell.source.splitlines()
        # Words, mostly.
        tabular = "ledger" in lines[0].lower() or lines[0].startswith(ASKS)
        most = 20 if lines[0] == "Code(" else 15 if tabular or audit else 8
        assert len(lines) <= most, cell.source
        assert max(map(len, lines)) <= (100 if audit else 120), cell.source
        coded += 0 if tabular else len(cell.source.split())
        for output in cell.outputs:
            data = output.get("data", {})
            assert output.output_type != "error"
            assert output.get("name") != "stderr"
            assert WIDGET_VIEW not in data
            if "image/png" in data:  # every picture has its words
                assert len(data["text/plain"]) > 20
                assert not data["text/plain"].startswith("<")
    # The audits are about code.
    assert path.parent.name == "audits" or len(prose(path).split()) > 2 * coded


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_explorer_can_be_moved_from_where_it_is_shown_and_all_that_is_asked_is_sound(
    path, data_directory, monkeypatch
):
    """In every view, one control at a time; tests/explorers sweeps what a bare name makes in full.

    To show what was made computes no result, and sends few messages.
    """
    messages, starts = [], []
    monkeypatch.setattr(
        comm.DummyComm,
        "publish_msg",
        lambda _, kind, **__: messages.append(kind),
    )
    lesson = execute(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(Declared, "_computed")
        for shown in lesson.shown:
            if hasattr(shown, "_repr_mimebundle_"):
                shown._repr_mimebundle_()
    # Closed is what this test has made, whenever Python finds the time.
    assert 0 < sum(kind != "comm_close" for kind in messages) <= MOST_MESSAGES
    for asked in lesson.asked:
        assert_sound(asked)
    asking = [
        cell for cell in code_cells(path) if cell.source.startswith(ASKS)
    ]
    assert len(lesson.asked) >= len(asking) > 0
    for shown in lesson.shown:
        if isinstance(shown, Explorer):
            # A sweep sees all.
            kind, start = type(shown), {**shown.settings(), "view": "any"}
            if (kind, start) not in starts and start != {
                **kind().settings(),
                "view": "any",
            }:
                assert sweep(shown, one_at_a_time=True) >= 3
            starts.append((kind, start))
    assert starts
    # So it says the same when it runs again.
    assert not data_directory.exists()


def test_where_a_lesson_says_that_one_field_of_its_record_is_open_one_is():
    (path,) = (
        path
        for path in LESSONS
        if "One field of this record is open" in path.read_text("utf-8")
    )
    page = executed(path).names["recorded"].markdown()
    said = re.findall(r"\| nobody has said yet \| (.*) \|", page)
    assert said == ["looked at again"]


def test_what_a_lesson_prints_is_whole_and_no_lesson_cuts_prose_at_a_stop():
    """Whoever cuts a sentence at “.” cuts it within 0.822, too."""
    for path in [*WITH_QUESTIONS, *AUDITS]:
        for cell in code_cells(path):
            assert not CUTS.search(cell.source), cell.source
            for output in cell.outputs:
                for line in output.get("text", "").splitlines():
                    assert not UNFINISHED.search(line), line


def test_what_is_cut_is_found():
    for line, there in (
        ("Factors of the noise from 0", True),
        ("a scale of", True),
        ("Factors of the noise from 0 to 1", False),
        ("off by 12 on average:", False),
    ):
        assert bool(UNFINISHED.search(line)) is there
    assert CUTS.search("plan.sentence.partition('.')[0]")
    assert not CUTS.search("plan.sentence.partition('. ')[0]")


def test_progress_stands_below_the_last_question():
    for text in TEXTS:
        cells = code_cells(NOTEBOOKS / text.notebook)
        sources = [cell.source for cell in cells]
        asked = [at for at, one in enumerate(sources) if one.startswith(ASKS)]
        assert sources.index("Progress()") == asked[-1] + 1, text.word


@pytest.mark.parametrize("path", AUDITS, ids=lambda path: path.stem)
def test_an_audit_says_at_its_head_what_the_verdicts_mean_and_nowhere_else(
    path,
):
    (output,) = code_cells(path)[0].outputs
    assert output.data["text/html"] == Verdicts()._repr_html_()
    words = prose(path).lower()
    assert not [verdict for verdict in VERDICTS if f"*{verdict}*:" in words]
