"""How dense the code is, room by room: `python bench/density.py [folder ...]`.

In a hundred statements, of which a docstring is none, so many comprehensions
and conditional expressions. Nothing fails by it.
"""

import ast
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("dpwidgets", "course", "website", "bench", "tests")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def counts(text: str) -> Counter[str]:
    """Count in the text of a module what `row` sets in proportion."""
    found: Counter[str] = Counter()
    for node in ast.walk(ast.parse(text)):
        words = isinstance(node, ast.Expr) and isinstance(
            node.value, ast.Constant
        )
        found["statements"] += isinstance(node, ast.stmt) and not words
        found["comprehensions"] += isinstance(node, COMPREHENSIONS)
        found["conditionals"] += isinstance(node, ast.IfExp)
    return found


def row(name: str, found: Counter[str]) -> str:
    """Return a line of the table."""
    share = 100 / max(found["statements"], 1)
    shares = [
        f"{share * found[kind]:8.1f}"
        for kind in ("comprehensions", "conditionals")
    ]
    return f"{name:48}{found['statements']:8,}{''.join(shares)}"


def main() -> None:
    print(f"{'':48}{'statem.':>8}{'compr.':>8}{'cond.':>8}")
    for name in sys.argv[1:] or FOLDERS:
        modules = {
            path: counts(path.read_text(encoding="utf-8"))
            for path in sorted((ROOT / name).rglob("*.py"))
        }
        print(row(name, sum(modules.values(), Counter())))
        for path, found in modules.items():
            print(row(f"  {path.relative_to(ROOT)}", found))


if __name__ == "__main__":
    main()
