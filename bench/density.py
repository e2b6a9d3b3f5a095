"""How dense the code is, room by room: `python bench/density.py [folder ...]`.

Counted are lines of code, without docstrings, comments and blank lines; of
them those of 80 characters and more, and, in a hundred of them, the
comprehensions and the conditional expressions. Nothing fails by it.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("dpwidgets", "course", "website", "bench", "tests")
LONG = 80
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that docstrings stand in."""
    lines = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, DOCUMENTED)
            and ast.get_docstring(node) is not None
        ):
            text = node.body[0]
            lines |= set(range(text.lineno, text.end_lineno + 1))
    return lines


def code_lines(text: str) -> set[int]:
    """Return the numbers of the lines that hold code."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return lines


def counts(text: str) -> Counter[str]:
    """Count in the text of a module what `row` sets in proportion."""
    tree = ast.parse(text)
    lines = text.splitlines()
    code = code_lines(text) - docstring_lines(tree)
    found = Counter(code=len(code))
    found["long"] = sum(len(lines[number - 1]) >= LONG for number in code)
    for node in ast.walk(tree):
        found["comprehensions"] += isinstance(node, COMPREHENSIONS)
        found["conditionals"] += isinstance(node, ast.IfExp)
    return found


def row(name: str, found: Counter[str]) -> str:
    """Return a line of the table."""
    share = 100 / max(found["code"], 1)
    kinds = ("long", "comprehensions", "conditionals")
    shares = "".join(f"{share * found[kind]:8.1f}" for kind in kinds)
    return f"{name:48}{found['code']:8,}{shares}"


def table(folder: Path) -> list[str]:
    """Return a line for a folder and below it one for each of its modules, the densest first."""
    modules = {
        str(path.relative_to(ROOT)): counts(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
    }
    total = sum(modules.values(), Counter())

    def density(name: str) -> float:
        found = modules[name]
        dense = found["comprehensions"] + found["conditionals"]
        return -dense / max(found["code"], 1)

    names = sorted(modules, key=density)
    return [row(str(folder.relative_to(ROOT)), total)] + [
        row(f"  {name}", modules[name]) for name in names
    ]


def main() -> None:
    print(f"{'':48}{'lines':>8}{'≥ 80, %':>8}{'compr.':>8}{'cond.':>8}")
    for name in sys.argv[1:] or FOLDERS:
        print(*table(ROOT / name), sep="\n")


if __name__ == "__main__":
    main()
