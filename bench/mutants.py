"""Which seeded faults of a room its tests miss: `python bench/mutants.py ROOM TEST...`, by hand.

ROOM is a file or folder of the package or of `course`, each TEST what pytest
takes. Faults are made in a copy of the repository, one at a time: a comparison,
an operator, a number or a condition is another one. Some that live change
nothing that anybody could see; look at each.
"""

import argparse
import ast
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
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
    else:
        return False
    return True


def faults(path: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield each fault of a file: where it is, what it says, and the whole text with it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for place, node in enumerate(ast.walk(tree)):
        if not change(copy.deepcopy(node)):
            continue
        faulty = copy.deepcopy(tree)
        wrong = [*ast.walk(faulty)][place]
        change(wrong)
        shown = wrong.test if isinstance(wrong, ast.If) else wrong
        says = f"line {node.lineno}: {ast.unparse(shown)}"
        yield path, says, ast.unparse(faulty)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--many", type=int, default=25)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = tools.copy_repository(Path(folder))
        files = sorted((root / given.room).rglob("*.py"))
        files = files or [root / given.room]
        found = [fault for file in files for fault in faults(file)]
        random.Random(given.seed).shuffle(found)
        for path, says, text in found[: given.many]:
            right = path.read_text(encoding="utf-8")
            path.write_text(text, encoding="utf-8")
            lives = passes(root, given.tests)
            path.write_text(right, encoding="utf-8")
            where = path.relative_to(root)
            print("LIVES" if lives else "dead", where, says, flush=True)


def passes(root: Path, tests: list[str]) -> bool:
    """Tell whether tests pass in a folder; whatever runs for ten minutes does not."""
    command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider"]
    variables = os.environ | {
        "PYTHONPATH": str(root),
        "DPWIDGETS_EXAMPLES": "10",
    }
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=root,
            env=variables,
            capture_output=True,
            timeout=600,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    main()
