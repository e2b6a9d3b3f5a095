"""What a cell of a lab is, as any front end leaves it: which one, and whether it answers anything.

Where nbgrader's marks are gone, cells are known by their ids.
"""

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Cell: TypeAlias = Mapping[str, Any]
#: What stands in a lab as it is handed out in place of an answer in code, and of
#: an answer in words.
CODE_STUB = "# your answer here"
TEXT_STUB = "*Write here, in place of this line.*"
SEED = re.compile(r"^[ \t]*lab_seed[ \t]*=.*", re.MULTILINE)
#: Of code with more signs it is not looked up which names it sets.
_LONGEST = 20_000
#: What has names of its own.
_OF_THEIR_OWN = (
    *(ast.FunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


def about(cell: Cell) -> dict[str, Any]:
    """Return what a cell says of itself to nbgrader, whatever a student put there."""
    found = cell["metadata"].get("nbgrader")
    return found if isinstance(found, dict) else {}


def is_test(cell: Cell) -> bool:
    """Tell whether a cell tests an answer."""
    mark = about(cell)
    return bool(mark.get("grade")) and not mark.get("solution")


def is_setup(cell: Cell) -> bool:
    """Tell whether a cell is the lab's own code, and no test."""
    locked = bool(about(cell).get("locked"))
    return cell["cell_type"] == "code" and locked and not is_test(cell)


def marks_of(cell: Cell) -> list[str]:
    """Return by what a cell may be known: nbgrader's name, its id, and where Colab keeps that."""
    marks = (
        about(cell).get("grade_id"),
        cell.get("id"),
        cell["metadata"].get("id"),
    )
    return [mark for mark in marks if isinstance(mark, str) and mark]


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


def names_set(code: str) -> Iterator[str]:
    """Yield the names that code sets, apart from those that hold only within a part of it."""
    nodes: list[ast.AST] = [*(statements(code) or ())]
    while nodes:
        node = nodes.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name
        if not isinstance(node, _OF_THEIR_OWN):
            nodes += ast.iter_child_nodes(node)


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
