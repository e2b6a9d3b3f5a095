"""A sixth text costs an entry, a file a floor, a notebook and four lines of lists, no more.

The test adds one to a copy of the repository and lets every generic test meet it there.
"""

import os
import sys

import pytest

import tools

CALCULATOR = '''"""How often a coin shows the truth (a text that nobody wrote)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.door import Floats, door


@dataclass(frozen=True)
class Coin:
    """A coin that is turned over with a probability that ε sets."""

    epsilon: float

    @property
    def truth(self) -> float:
        """How often it shows the truth."""
        return truth(self.epsilon)


@door(epsilon=EPSILON)
def truth(epsilon: float) -> Floats:
    """Compute how often the coin shows the truth.

    Examples
    --------
    >>> round(truth(1), 4)
    0.7311
    """
    return 1 / (1 + np.exp(-epsilon))


def toss(epsilon: float) -> Coin:
    """Toss the coin of this ε.

    Examples
    --------
    >>> toss(1)
    Coin(epsilon=1.0)
    """
    return Coin(EPSILON.check_one("epsilon", epsilon))
'''
MEANINGS = '''"""What the noise of a case means to a coin."""

from __future__ import annotations

from dpwidgets.calculators import coin
from dpwidgets.calculators.case import Case
from dpwidgets.calculators.interpretation import ATTACKER, Meaning
from dpwidgets.inputs.notation import percent


def meanings(case: Case) -> tuple[Meaning, ...]:
    """Say what the noise means here.

    Examples
    --------
    >>> print(meanings(Case(published="count"))[0].sentence(1))
    The coin shows the truth in 73.1% of all cases.
    """
    return (
        Meaning(
            name="How often a coin shows the truth",
            shown=percent,
            says="The coin shows the truth in {value} of all cases.",
            computes=lambda scale: float(coin.truth(case.epsilon(scale))),
            gets=ATTACKER,
            first=False,
            even=True,
        ),
    )
'''
PLOT = '''"""A picture of a coin."""

from dpwidgets.calculators import coin
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
from dpwidgets.plots.panel import Panel


class Bar(Plot):
    """How often the coin shows the truth, as a bar."""

    frame = style.look(x="the coin", y="how often it shows the truth", xticks=())
    frame |= style.look(xlim=(-1, 1), ylim=(0, 1.05))

    def draw(self, axes: Panel, result: coin.Coin) -> None:
        axes.box(-0.4, 0, 0.8, result.truth, color=style.MAIN)
'''
EXPLORER = '''"""The explorer of a coin."""

from __future__ import annotations

from dpwidgets.calculators import coin
from dpwidgets.inputs.notation import percent, show
from dpwidgets.page.explorer import Explorer, Values
from dpwidgets.page.parameters import Epsilon, Number, Views
from dpwidgets.plots import coin as plots


class CoinExplorer(Explorer):
    """A coin, and how often it shows the truth.

    Examples
    --------
    >>> CoinExplorer(epsilon=1)
    At ε = 1 the coin shows the truth in 73.1% of all cases.
    """

    epsilon: Number = Epsilon(0.5)
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    calculator = coin.toss
    view: Views = Views(bar=("The coin", plots.Bar))
    """Which picture is shown."""

    def say(self, result: coin.Coin, now: Values) -> str:
        share = percent(result.truth)
        return f"At ε = {show(result.epsilon)} the coin shows the truth in {share} of all cases."
'''
ENTRY = """    Text("coin", "How often does a coin lie?", "07_coin.ipynb"),
)
"""
IMPORT = "from dpwidgets.explorers.coin import CoinExplorer as CoinExplorer\n"
GENERIC = [
    "tests/explorers/test_explorer.py",
    "tests/explorers/test_base.py",
    "tests/explorers/test_together.py",
    "tests/explorers/test_meanings.py",
    "tests/test_house.py",
    "tests/test_texts.py",
    "tests/test_style.py",
    "tests/plots/test_every_view.py",
    "tests/plots/test_meanings.py",
    "tests/calculators/meanings",
    "tests/calculators/choice/test_record.py",
    "tests/types",
    "dpwidgets",
]


def change(path, *replaced):
    """Replace each first text in a file by the second one; every one of them must be there."""
    text = path.read_text(encoding="utf-8")
    for before, after in replaced:
        assert before in text, before
        text = text.replace(before, after, 1)
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the repository with a sixth text."""
    copy = tools.copy_repository(tmp_path_factory.mktemp("sixth") / "dpwidgets")
    package = copy / "dpwidgets"
    for floor, text in (("calculators", CALCULATOR), ("plots", PLOT), ("explorers", EXPLORER)):
        (package / floor / "coin.py").write_text(text, encoding="utf-8")
    meanings = package / "calculators" / "meanings"
    (meanings / "_coin.py").write_text(MEANINGS, encoding="utf-8")
    collected = ("    _bayes.meanings,\n", "    _bayes.meanings,\n    _coin.meanings,\n")
    change(meanings / "_collection.py", ("import _bayes,", "import _bayes, _coin,"), collected)
    before, end = "from dpwidgets.explorers.interval", "\n)\n\n\ndef find"
    change(package / "texts.py", (end, f"\n{ENTRY}\n\ndef find"))
    change(package / "__init__.pyi", (before, IMPORT + before))
    for name, row in (
        ("README.md", "| [07](notebooks/07_coin.ipynb) | often | `CoinExplorer` |"),
        ("notebooks/00_start_here.ipynb", "| How often does a coin lie? | [07](07_coin.ipynb) |"),
    ):
        page = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(page + row, encoding="utf-8")
    (copy / "notebooks" / "07_coin.ipynb").write_text("{}", encoding="utf-8")
    return copy


def test_every_generic_test_meets_it(copy):
    """All of them, the counts in docstrings too; only the parts that name a text are left out."""
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2")
    files = " or ".join(f"test_{name}.py" for name in ("house", "texts", "record", "types"))
    met = f"coin or Coin or meanings or Meanings or {files}"  # not each test whose name has "texts"
    chosen = ("-k", f"({met}) and not (Meanings and (slider or sweep or corner))")
    variables = os.environ | {"PYTHONPATH": str(copy)}
    paths = [path for path in GENERIC if (copy / path).exists()]
    said = tools.run(*command, "-m", "not slow", *chosen, *paths, cwd=copy, variables=variables)
    assert " failed" not in said
    program = (
        "import dpwidgets; explorer = dpwidgets.MeaningsExplorer(rows='all'); "
        "print(explorer.result.sentences, dir(dpwidgets))"
    )
    seen = tools.run(sys.executable, "-c", program, cwd=copy, variables=variables)
    assert "The coin shows the truth in 55% of all cases." in seen
    assert "CoinExplorer" in seen
