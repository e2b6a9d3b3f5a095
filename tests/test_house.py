"""The house: imports point down, back rooms are their owner's, and no two words are alike."""

import ast
import importlib
import re
from collections import Counter
from graphlib import TopologicalSorter

import pytest

from dpwidgets.texts import TEXTS
from tools import CONTRIBUTING, ROOT

PACKAGE = ROOT / "dpwidgets"
#: From the ground up. A room may import from its own floor and from those
#: below.
FLOORS = "texts inputs calculators decisions plots page explorers teaching labs __main__"
WORDS = {text.word for text in TEXTS}
FACES = (
    *(
        f"calculators.{room}"
        for room in ("attack", "bayes", "breach", "loss", "worlds")
    ),
    *(f"decisions.{room}" for room in ("case", "choice", "meanings", "plan")),
)


def modules():
    """Yield the name and the tree of every module of the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def imported(tree):
    """Return the modules of the package that a module imports, also those for type checkers."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "dpwidgets"
        ):
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {
                name if name in MODULES else node.module for name in whole
            }
        elif isinstance(node, ast.Import):
            names |= {
                alias.name
                for alias in node.names
                if alias.name.startswith("dpwidgets")
            }
    return names


MODULES = dict(modules())
IMPORTS = {name: imported(tree) for name, tree in MODULES.items()}


def floor(name):
    """Return the floor on which a module lies; the package's own face lies at the bottom."""
    word = name.partition(".")[2].partition(".")[0]
    return FLOORS.split().index(word) if word else 0


def test_imports_point_down_and_nobody_enters_anothers_back_room():
    pairs = [
        (name, other) for name, others in IMPORTS.items() for other in others
    ]
    assert not [pair for pair in pairs if floor(pair[1]) > floor(pair[0])]
    entered = [pair for pair in pairs if "._" in pair[1]]
    assert not [
        pair
        for pair in entered
        if not pair[0].startswith(pair[1].partition("._")[0])
    ]


def test_no_import_leads_back():
    TopologicalSorter(IMPORTS).prepare()


def test_no_file_class_or_function_is_long():
    most = {ast.FunctionDef: 50, ast.ClassDef: 360}  # without its docstring
    for name, tree in MODULES.items():
        assert tree.body[-1].end_lineno <= 500, name
        for node in (one for one in ast.walk(tree) if type(one) in most):
            words = (ast.get_docstring(node, clean=False) or "").count("\n")
            assert node.end_lineno - node.lineno - words <= most[type(node)], (
                name,
                node.name,
            )


@pytest.mark.parametrize("folder", ["bench", "course", "website"])
def test_no_program_beside_the_package_is_long(folder):
    for path in (ROOT / folder).rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 560, path


def test_a_limit_is_written_by_up_or_down():
    """They are the one way to write which side is safe; a number is `rounded`."""
    for name in MODULES.keys() - {"dpwidgets.inputs.notation"}:
        calls = [
            node
            for node in ast.walk(MODULES[name])
            if isinstance(node, ast.Call)
        ]
        for call in (one for one in calls if isinstance(one.func, ast.Name)):
            sides = [one.value for one in call.keywords if one.arg == "up"]
            fixed = any(isinstance(side, ast.Constant) for side in sides)
            assert not fixed or call.func.id == "rounded", (name, call.lineno)


def test_no_two_words_differ_by_a_plural():
    # `explorer` is what every one of the `explorers` is.
    words = {name.rpartition(".")[2].lstrip("_") for name in MODULES} - {
        "texts",
        "explorers",
    }
    assert not [word for word in words if word + "s" in words]


#: What still stands for two things, on two floors. None is to come.
SHARED = {
    *("Choice", "Given", "Page", "Precision"),
    *("Promise", "Question"),
}


def test_one_name_is_one_class():
    names = Counter(
        node.name.lstrip("_")
        for tree in MODULES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, many in names.items() if many > 1} <= SHARED


@pytest.mark.parametrize("room", FACES)
def test_a_face_holds_what_readers_use_and_nothing_else(room):
    tree = MODULES[f"dpwidgets.{room}"]
    kinds = [type(node) for node in tree.body]
    assert kinds[0] is ast.Expr  # its docstring
    assert set(kinds[1:]) == {ast.ImportFrom}
    face = importlib.import_module(f"dpwidgets.{room}")
    for alias in (alias for node in tree.body[1:] for alias in node.names):
        assert alias.asname == alias.name  # checkers take it for public
        value = getattr(face, alias.name)
        if callable(value):
            assert value.__doc__, alias.name


#: How many statements each part may have: what it has, and a little more. Who needs
#: more writes it here, and says in the commit what for.
BUDGET = {
    "dpwidgets": 11_200,
    "tests": 13_620,
    "course": 1_500,
    "website": 915,
    "bench": 465,
}


@pytest.mark.parametrize("folder", BUDGET)
def test_a_part_has_no_more_statements_than_it_needs(folder):
    """Those that no formatter changes: documentation is none."""
    many = 0
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            words = isinstance(node, ast.Expr) and isinstance(
                node.value, ast.Constant
            )
            many += isinstance(node, ast.stmt) and not words
    assert many <= BUDGET[folder]


def test_the_plan_of_the_house_names_every_floor_and_room():
    house = CONTRIBUTING.partition("## The house")[2].partition("\n## ")[0]
    plan = {*re.findall(r"\w+", house.split("```")[1])}
    for name in MODULES:
        parts = name.split(".")[1:]
        word = parts[-1] if parts else ""
        if (
            word
            and not word.startswith("_")
            and parts[0] != "labs"
            and word not in WORDS
        ):
            assert word in plan, name
    assert len(house.splitlines()) <= 40  # a screen
    methods = {
        f"{kind.name}.{one.name}"
        for tree in MODULES.values()
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef)
        for one in kind.body
        if isinstance(one, ast.FunctionDef)
    }
    assert {*re.findall(r"`([A-Z]\w+\.[a-z_]\w+)`", house)} <= methods


def test_each_file_that_the_house_names_is_there():
    there = {
        path.name
        for folder in ("course", "dpwidgets", "notebooks", "tests", "website")
        for path in (ROOT / folder).rglob("*.*")
    }
    texts = [ast.get_docstring(tree) or "" for tree in MODULES.values()]
    named = re.findall(
        r"`[\w/]*?(\w+\.(?:py|pyi|txt|js))`", CONTRIBUTING + "\n".join(texts)
    )
    assert named
    assert {*named} <= there
