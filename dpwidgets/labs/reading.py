"""What stands in a lab that comes back: which lab, whose, and what became of each question's cell.

*Hand in*, collecting, checking and grading all ask `read`. It takes a notebook
as any front end leaves it. Where nbgrader's marks are gone, cells are known by
their ids; and an answer counts where it stands, in the lab's cell or in one of
the student's own.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

Cell: TypeAlias = Mapping[str, Any]
#: What stands in a lab as it is handed out in place of the student's id, of an
#: answer in code, and of an answer in words.
NOBODY = "your student id"
CODE_STUB = "# your answer here"
TEXT_STUB = "*Write here, in place of this line.*"
SEED = re.compile(
    r"""^[ \t]*lab_seed[ \t]*=[ \t]*(?:(["'])(.*?)\1|(.*))""", re.MULTILINE
)
_NUMBER = re.compile(r"\*\*(\d+\.\d+)\*\*")
_LAB = re.compile(r"\(\s*lab_seed,\s*lab\s*=\s*(\d+)")
#: Of code with more signs it is not looked up which names it sets.
_LONGEST = 20_000


class Question(NamedTuple):
    """A question of a lab.

    Attributes
    ----------
    number : str
        As the lab numbers it, such as 1.2; its name where it has none.
    names : tuple of str
        What its answer sets; none where the answer is words.
    """

    number: str
    names: tuple[str, ...]


class Reading(NamedTuple):
    """What a notebook is, and what of each question was found in it.

    Attributes
    ----------
    lab : str
        Which lab it says it is, such as lab1, or nothing.
    ids : set of str
        The student ids that its code names.
    questions : dict of str to Question
        The lab's questions by name; the lists below have names.
    untouched, missing : list of str
        Those whose cell is as it was handed out, and those that have none. Of
        neither is there an answer in another cell.
    """

    lab: str
    ids: set[str]
    questions: dict[str, Question]
    untouched: list[str]
    missing: list[str]

    def numbered(self, names: Iterable[str]) -> str:
        """Return questions as the lab numbers them, in a row."""
        return ", ".join(self.questions[name].number for name in names)


def read(
    notebook: Mapping[str, Any],
    questions: Mapping[str, Question] | None = None,
) -> Reading:
    """Read a lab that comes back.

    Parameters
    ----------
    notebook : dict
        The notebook, as JSON has it or nbformat.
    questions : dict of str to Question, optional
        Those of the lab as it was handed out, from `answers`; else they
        are taken from the notebook, which may have lost some.
    """
    cells = notebook["cells"]
    asked = dict(questions or handed_out(notebook) or answers(cells))
    copies = copies_of(cells, asked)
    theirs = [cell for cell in cells if cell["cell_type"] == "code"]
    code = "\n".join(map(text_of, theirs))
    set_anywhere: set[str] = set()
    for cell in theirs:
        if not is_untouched(cell):
            set_anywhere |= names_set(text_of(cell))
    found = Reading(lab_of(notebook, code), ids(code), asked, [], [])
    for name, question in asked.items():
        if not all(map(is_untouched, copies[name])):
            continue
        if question.names and set_anywhere.issuperset(question.names):
            continue
        if copies[name]:
            found.untouched.append(name)
        else:
            found.missing.append(name)
    return found


def lab_of(notebook: Mapping[str, Any], code: str) -> str:
    """Return which lab a notebook says it is: by its own metadata, else by its code."""
    about = notebook["metadata"].get("dpwidgets", {})
    said = _LAB.search(code)
    return str(about.get("lab") or (f"lab{said[1]}" if said else ""))


def ids(code: str) -> set[str]:
    """Return the student ids that a notebook's code names.

    Examples
    --------
    >>> ids('lab_seed = "s123"  # mine')
    {'s123'}
    """
    found = SEED.findall(code)
    return {(text or other).strip() for _, text, other in found}


def handed_out(notebook: Mapping[str, Any]) -> dict[str, Question]:
    """Return a lab's questions as its metadata has them since it was released."""
    about = notebook["metadata"].get("dpwidgets", {})
    questions = dict(about.get("questions", {}))
    return {
        name: Question(number, tuple(names))
        for name, (number, names) in questions.items()
    }


def answers(cells: Iterable[Cell]) -> dict[str, Question]:
    """Return the questions of a lab by the cells for their answers.

    Where marks are gone it is the one that a test is named after, or whose
    question has a name.
    """
    cells = list(cells)
    there = {mark for cell in cells for mark in marks_of(cell)}
    found: dict[str, Question] = {}
    number = ""
    for cell in cells:
        if cell["cell_type"] == "markdown":
            number = (_NUMBER.findall(text_of(cell)) or [number])[-1]
        is_answer = about(cell).get("solution")
        for name in marks_of(cell)[:1]:
            if is_answer or {f"{name}-test", f"{name}-question"} & there:
                names: tuple[str, ...] = ()
                if cell["cell_type"] == "code":
                    names = tuple(sorted(names_set(text_of(cell))))
                found[name] = Question(number or name, names)
    return found


def about(cell: Cell) -> dict[str, Any]:
    """Return what a cell says of itself to nbgrader, whatever a student put there."""
    found = cell["metadata"].get("nbgrader")
    return found if isinstance(found, dict) else {}


def marks_of(cell: Cell) -> list[str]:
    """Return by what a cell may be known: nbgrader's name, its id, and where Colab keeps that."""
    marks = (
        about(cell).get("grade_id"),
        cell.get("id"),
        cell["metadata"].get("id"),
    )
    return [mark for mark in marks if isinstance(mark, str) and mark]


def copies_of(
    cells: Iterable[Any], names: Iterable[str]
) -> dict[str, list[Any]]:
    """Return by each name the cells of a lab that bear it: more than one where it was copied."""
    found: dict[str, list[Any]] = {name: [] for name in names}
    for cell in cells:
        name = next((mark for mark in marks_of(cell) if mark in found), None)
        if name is not None:
            found[name].append(cell)
    return found


def text_of(cell: Cell) -> str:
    """Return the text of a cell, which JSON has in one piece or line by line."""
    return "".join(cell["source"])


def is_untouched(cell: Cell) -> bool:
    r"""Tell whether a cell answers nothing, whatever a formatter made of its lines.

    Code answers nothing if it only sets names to None, and its functions do
    nothing; words, if only the line stands there that they were to replace.

    Examples
    --------
    >>> is_untouched({"cell_type": "code", "source": "highest = None\r\n\n# later\n"})
    True
    >>> is_untouched({"cell_type": "code", "source": "highest = 0.5"})
    False
    """
    text = text_of(cell).strip()
    if text in ("", CODE_STUB, TEXT_STUB):
        return True
    body = statements(text) if cell["cell_type"] == "code" else None
    return body is not None and all(map(_does_nothing, body))


def _does_nothing(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(body=body):
            return all(map(_does_nothing, body))
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return True
        case ast.Assign(value=ast.Constant(value=None)):
            return True
        case ast.Return(value=None | ast.Constant(value=None)):
            return True
    return False


def names_set(code: str) -> set[str]:
    """Return the names that code sets, apart from those within its functions."""
    found: set[str] = set()
    for node in statements(code) or ():
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                found.add(part.id)
    return found


def statements(code: str) -> list[ast.stmt] | None:
    """Return the statements of code without IPython's own lines, or None where it is no Python."""
    if len(code) > _LONGEST:
        return None
    code = re.sub(r"^[ \t]*[%!?].*$", "", code, flags=re.MULTILINE)
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
