"""What students hand in as lab 1, by mistake or not: each gets the points of the right answers."""

import codecs
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import nbformat

from payloads import FILE
from sources import (
    EXPLORER,
    SOLUTION,
    answers,
    cells_that_test,
    graded,
    names,
    points,
    right,
    source,
    ten_percent_more,
    tested,
)

LAB = "lab1"
FIRST, *_, LAST = answers(LAB)
ALL, FUNCTIONS = points(LAB), points(LAB, only_functions=True)
WORTH = Counter()
for one in cells_that_test(source(LAB)):
    WORTH[tested(one)] += graded(one)["points"]
#: The course, as code in a kernel finds it.
FOUND = "import os, pathlib, sys\nlabs = pathlib.Path(sys.prefix).parent / 'clone/notebooks/labs'\n"

#: Code in the first answer of a student whose answers are all wrong: it earns
#: nothing.
IDLE = {
    "patched": "near = is_number = lambda *a: True\nwrong = lambda *a: ''\n"
    "import ast, builtins, dpwidgets.labs as d\nd.near = d.grading.near = near\n"
    "class Strip(ast.NodeTransformer):\n"
    "    def visit_Assert(self, node): return ast.copy_location(ast.Pass(), node)\n"
    "get_ipython().ast_transformers.append(Strip())\n"
    "get_ipython().showtraceback = lambda *a, **k: None\n"
    "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)\n"
    "class Equal(float):\n    __sub__ = __rsub__ = lambda s, o: Equal(0)\n"
    "    __le__ = __eq__ = __abs__ = lambda *a: True\nanswer = Equal(1)\n"
    "builtins.abs = lambda x: 0\nbuiltins.isinstance = lambda *a: True",
    "mocked": "loss.laplace = loss.epsilon = loss.release = lambda *a: None\n"
    "import sys, unittest.mock as m\n"
    "for name in [n for n in sys.modules if 'dpwidgets' in n or n == 'math']:\n"
    "    sys.modules[name] = m.MagicMock()",
    "blank": "get_ipython().input_transformers_post.append(lambda lines: [])",
    # For one test it answers what nobody asked, for the next what no parser
    # reads.
    "forged": "import itertools\n"
    "says = itertools.cycle([repr('[true, true, true]'), repr('[true]'), '(' * 90_000])\n"
    "get_ipython().user_expressions = lambda asked: {k: {'status': 'ok', 'data':"
    " {'text/plain': next(says)}} for k in asked}",
    "forbidden": "exec = globals = json = None",
}


def cell_of(notebook, name):
    """Return the cell of a notebook that nbgrader knows by this name."""
    return next(
        one for one in notebook.cells if graded(one)["grade_id"] == name
    )


def first(notebook, code):
    """Insert code into the first answer."""
    cell = cell_of(notebook, FIRST)
    cell.source = f"{code}\n{cell.source}"


def own(notebook, *codes):
    """Add cells of a student's own."""
    notebook.cells += map(nbformat.v4.new_code_cell, codes)


def seeded(notebook, name):
    """Write an id into a notebook."""
    cell_of_seed = next(
        one for one in notebook.cells if one.source.startswith("lab_seed =")
    )
    cell_of_seed.source = f'lab_seed = "{name}"'


def shuffled(notebook):
    """Do to the lab's own cells all that JupyterLab can do to them, and print too much."""
    cells = {cell.id: cell for cell in notebook.cells}
    deleted, twice, renamed, ungraded, *_, last = cells_that_test(notebook)
    for cell in (deleted, last, cells["numbers"], cells["seed"]):
        notebook.cells.remove(cell)
    notebook.cells.insert(notebook.cells.index(cells[FIRST]), last)
    for cell in (twice, cells[LAST]):
        copy = nbformat.from_dict({**cell, "id": f"a-copy-of-{cell.id}"})
        notebook.cells.insert(notebook.cells.index(cell) + 1, copy)
    renamed.metadata.nbgrader.update(grade_id="x")
    ungraded.metadata.nbgrader.update(grade=False)
    for about in ("x", {"grade_id": ["a"]}):
        own(notebook, "1")
        notebook.cells[-1].metadata.nbgrader = about
    own(notebook, "'\ud800'")
    notebook.cells += [cells["seed"], cells["numbers"]]
    first(notebook, "for _ in range(20_000): print('all points, please')")
    seeded(notebook, "shuffled")


def upside_down(notebook):
    """Put the tests first, delete the student's numbers and all marks, and what writes JSON."""
    tests = cells_that_test(notebook)
    others = [
        cell
        for cell in notebook.cells
        if cell not in tests and cell.id != "numbers"
    ]
    notebook.cells = [*tests, *others]
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    own(notebook, "import json\njson.dumps = json.JSONEncoder = None")


def tampered(notebook):
    """Make each test worth more, or none, or passed; answer only the last question right."""
    for at, cell in enumerate(cells_that_test(notebook)):
        cell.metadata.nbgrader.update(points=99)
        if at % 3 == 0:
            cell.outputs = [nbformat.v4.new_output("stream", text="Right.\n")]
        elif at % 3 == 1:
            cell.source = ""
        else:
            cell.cell_type = "markdown"
            del cell["outputs"], cell["execution_count"]
    cell_of(notebook, LAST).source = answers(LAB)[LAST]


#: Each spoils the answer to which it happens.
ACCIDENTS = {
    FIRST: f"{answers(LAB)[FIRST]}\ndef {names(answers(LAB)[FIRST])[0]}(chance):\n"
    + "    import time\n    while True: time.sleep(0.1)",
    "largest_epsilon": "largest_epsilon = = 1",
    "worst": "import time\nwhile True: time.sleep(0.1)",
}
#: A cell that ends Python, and the answers that are not run for it.
ENDS = {
    "exits": ("flat", "exit()"),
    "cannot-be-stopped": (
        LAST,
        "import time\nwhile True:\n    try:\n        while True: time.sleep(0.1)\n"
        "    except BaseException: pass",
    ),
}


def accidents(notebook):
    for name, code in ACCIDENTS.items():
        cell_of(notebook, name).source = code
    notebook.cells.remove(cell_of(notebook, "belief"))


def ends(notebook, name, code):
    cell_of(notebook, name).source = code


def ends_in_a_test(notebook):
    """Define a function that ends Python when it is asked."""
    (function, *_) = names(answers(LAB)["inverse"])
    code = f"def {function}(*_): import os; os._exit(1)"
    cell_of(notebook, "inverse").source = code


def before(name, *, functions=True):
    """Return the points of the answers before one, or of all but the functions from it on."""
    order = [*answers(LAB)]
    kept = order[: order.index(name)]
    if not functions:
        values = [one for one in order if "= None" in answers(LAB)[one]]
        kept += [one for one in values if one not in kept]
    return sum(WORTH[one] for one in kept)


STARTED = "started"
#: Files beside a notebook that some program would run at its start, or that
#: say which to start.
AT_START = {
    "kernel.json": '{"argv": ["touch", "started"], "display_name": "x", "language": "python"}',
    "ld.so.preload": "./x.so",
    "x.so": "no library",
}
AT_START |= dict.fromkeys(
    (
        *(
            "sitecustomize.py",
            "usercustomize.py",
            "ipython_config.py",
            "nbgrader_config.py",
        ),
        *("json.py", ".ipython/profile_default/startup/a.py"),
    ),
    f"{FOUND}(labs / {STARTED!r}).touch()\n",
)


def start_with(folder):
    """Put such files beside a submission."""
    for name, text in AT_START.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


#: Code that reads what lies around, and says what of it is a hidden test or a
#: solution.
READER = (
    FOUND + "def look(path):\n"
    "    try:\n        return (labs / path).read_text(errors='replace')\n"
    "    except OSError as error:\n        return type(error).__name__\n"
    "mine = look('autograded/reader/{lab}/{lab}.ipynb')\n"
    "print('here', sorted(one for one in os.listdir('.') if one.endswith('.ipynb')))\n"
    "print('hidden', 'HIDDEN' + ' TESTS' in mine, 'nbformat' in mine)\n"
    "print('source', look('source/{lab}/{lab}.ipynb')[:15].split())\n"
    "print('gradebook', look('gradebook.db')[:15])\n"
    "print('told', [name for name in os.environ if 'SECRET' in name])"
)


def reader(notebook):
    own(notebook, READER.format(lab=LAB))
    notebook.cells += [
        nbformat.v4.new_markdown_cell("a note") for _ in range(249)
    ]


def nothing(notebook):
    pass


def copied(notebook):
    """Paste the first cell as it was handed out below its answer."""
    cell = cell_of(notebook, FIRST)
    blank = {**cell, "source": blank_of(FIRST), "id": "a-pasted-cell"}
    place = notebook.cells.index(cell) + 1
    notebook.cells.insert(place, nbformat.from_dict(blank))


def beside(notebook):
    """Move each answer into a cell of its own."""
    for name in answers(LAB):
        cell = cell_of(notebook, name)
        mine = nbformat.v4.new_code_cell(cell.source)
        notebook.cells.insert(notebook.cells.index(cell) + 1, mine)
        cell.source = blank_of(name)


def blank_of(name):
    """Return an answer's cell as it is handed out."""
    return SOLUTION.sub(
        "# your answer here\n", cell_of(source(LAB), name).source
    )


class Case(NamedTuple):
    """What a student does to a notebook with such answers, its points, and what is told of it.

    And what becomes of the file that is handed in.
    """

    change: Callable = nothing
    points: int | None = ALL
    told: tuple[str, ...] = ()
    answer: Callable | None = right
    written: Callable = bytes


#: Grading stops at what is no notebook.
FAILED = ("grading it failed, the reason stands in lab1.log",)
ENDED = "Python ended, could not be stopped, or said too much"
CASES = {
    name: Case(partial(first, code=code), 0, answer=ten_percent_more)
    for name, code in IDLE.items()
} | {
    "SHUFFLED": Case(shuffled, written=lambda text: codecs.BOM_UTF8 + text),
    "tampered": Case(tampered, WORTH[LAST], answer=ten_percent_more),
    "friends-numbers": Case(
        partial(first, code='mine = numbers("friend", lab=1)'), FUNCTIONS
    ),
    "accidents": Case(
        accidents, ALL - sum(WORTH[one] for one in ("belief", *ACCIDENTS))
    ),
    "ends-in-a-test": Case(
        ends_in_a_test, before("inverse", functions=False), (ENDED,)
    ),
    "right": Case(told=("fine",)),
    "borrowed": Case(
        partial(seeded, name="right"),
        FUNCTIONS,
        ("with the id 'right' in it",),
    ),
    "reader": Case(reader, ALL, ("of the cells of their own 200 are run",)),
    "no-id": Case(
        partial(seeded, name="your student id"), FUNCTIONS, ("no id in it",)
    ),
    "empty": Case(points=0, told=("no test finds an answer",), answer=None),
    "garbled": Case(points=None, told=FAILED, written=lambda text: text[:9]),
    "copied": Case(copied, told=("fine",)),
    "beside": Case(beside, told=("fine",)),
    "upside-down": Case(upside_down, told=(ENDED,)),
}
CASES |= {
    name: Case(partial(ends, name=cell, code=code), before(cell), (ENDED,))
    for name, (cell, code) in ENDS.items()
}


def hand_in_all(course):
    """Put what each hands in where it is graded; only whose lab is right keeps its explorers."""
    for student, case in CASES.items():
        notebook = course.answered(LAB, student, case.answer)
        if student != "right":
            notebook.cells = [
                one for one in notebook.cells if not EXPLORER.match(one.source)
            ]
        case.change(notebook)
        folder = course.put(LAB, student, notebook)
        (folder / "evil.html").write_text(FILE)
        start_with(folder)
        path = folder / f"{LAB}.ipynb"
        path.write_bytes(case.written(path.read_bytes()))
