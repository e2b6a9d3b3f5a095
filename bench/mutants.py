"""Which seeded faults of a room its tests miss: `python bench/mutants.py ROOM TEST...`, by hand.

ROOM is a file or folder of the package or of `course`, each TEST what pytest
takes: the room's own. Faults are made in a copy of the repository, one at a
time: a comparison, an operator, a number or a condition is another one, or a
call is left out. Each meets the room's tests first, up to one that fails; only
what lives there meets all that `make quick` runs. Some that live change nothing
that anybody could see; look at each.
"""

import argparse
import ast
import copy
import os
import random
import re
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import tools

OTHERS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}  # fmt: skip


def change(node: ast.AST) -> bool:
    """Make a node another one; return whether that was possible."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHERS:
        node.ops[0] = OTHERS[type(node.ops[0])]()
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in OTHERS:
        node.op = OTHERS[type(node.op)]()
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        node.value += 1
    elif isinstance(node, (ast.If, ast.IfExp)):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node.value = ast.Constant(...)
    else:
        return False
    return True


def places(path: Path) -> list[tuple[Path, int]]:
    """Return where a file can have a fault: the places of its nodes that can be another one."""
    nodes = enumerate(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return [(path, at) for at, node in nodes if change(copy.deepcopy(node))]


def fault(text: str, place: int) -> tuple[str, str]:
    """Return what the fault at a place says, and the whole text with it."""
    tree = ast.parse(text)
    wrong = [*ast.walk(tree)][place]
    change(wrong)
    shown = wrong.test if isinstance(wrong, ast.If) else wrong
    return f"line {wrong.lineno}: {ast.unparse(shown)}", ast.unparse(tree)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--many", type=int, default=25)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    (quick,) = re.findall(
        "^\t\t(tests/.*)",
        (tools.ROOT / "Makefile").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    with tempfile.TemporaryDirectory() as folder:
        root = tools.copy_repository(Path(folder))
        files = sorted((root / given.room).rglob("*.py"))
        files = files or [root / given.room]
        found = [place for file in files for place in places(file)]
        random.Random(given.seed).shuffle(found)
        for path, place in found[: given.many]:
            right = path.read_text(encoding="utf-8")
            says, wrong = fault(right, place)
            path.write_text(wrong, encoding="utf-8")
            lives = passes(root, given.tests) and passes(root, quick.split())
            path.write_text(right, encoding="utf-8")
            print(
                "LIVES" if lives else "dead",
                path.relative_to(root),
                says,
                flush=True,
            )


def passes(root: Path, tests: list[str]) -> bool:
    """Tell whether tests pass in a folder; whatever runs for ten minutes does not."""
    with suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-qx", "-m", "not slow", *tests],
            cwd=root,
            env={
                **os.environ,
                "PYTHONPATH": str(root),
                "DPWIDGETS_EXAMPLES": "10",
            },
            capture_output=True,
            timeout=600,
        )
        return done.returncode == 0
    return False


if __name__ == "__main__":
    main()
