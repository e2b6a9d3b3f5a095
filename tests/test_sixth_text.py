"""A sixth text costs an entry, a file a floor, a notebook and three rows in lists, no more.

The test adds one to a copy of the repository and lets every generic test meet
it there.
"""

import os
import sys

import tools

CALCULATOR = '''"""How often a coin shows the truth (a text that nobody wrote)."""
import math
from dataclasses import dataclass
from dpwidgets.inputs.domain import EPSILON
from dpwidgets.inputs.door import takes
@dataclass(frozen=True)
class Coin:
    epsilon: float
    truth: float
@takes(epsilon=EPSILON)
def toss(epsilon: float) -> Coin:
    return Coin(epsilon, 1 / (1 + math.exp(-epsilon)))
'''
PLOT = '''"""A picture of a coin."""
from dpwidgets.plots import style
from dpwidgets.plots.base import Plot
class Bar(Plot):
    frame = style.look(x="the coin", y="how often", xticks=(), xlim=(-1, 1), ylim=(0, 1.05))
    @classmethod
    def says(cls, result):
        return "The coin tells the truth more often than not."
    def draw(self, axes, result):
        axes.bar(0, result.truth, color=style.MAIN, edgecolor=style.MAIN)
'''
EXPLORER = '''"""The explorer of a coin."""
from dpwidgets.calculators import coin
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.parameters import Epsilon, Number, Views
from dpwidgets.plots import coin as plots
class CoinExplorer(Explorer):
    """A coin, and how often it shows the truth."""
    epsilon: Number = Epsilon(0.5)
    """The privacy parameter ε; in every explorer the same, so that two can be linked."""
    calculator = coin.toss
    view: Views = Views(bar=("The coin", plots.Bar))
    """Which picture is shown."""
    def say(self, result, now):
        return f"At ε = {result.epsilon:g} it shows the truth in {result.truth:.1%}."
'''
FILES = {"calculators": CALCULATOR, "plots": PLOT, "explorers": EXPLORER}
CHANGES = {  # file: what stands there, and what instead
    "texts.py": (
        "\n)\n",
        '\n    Text("coin", "How often does it lie?", "12_coin.ipynb"),\n)\n',
    ),
    "__init__.pyi": (
        "\n\n",
        "\n\nfrom dpwidgets.explorers.coin import CoinExplorer as CoinExplorer\n",
    ),
}
ROWS = {
    "README.md": "| [12](notebooks/12_coin.ipynb) | often | `CoinExplorer` |",
    "notebooks/00_start_here.ipynb": "| How often does it lie? | [12](12_coin.ipynb) |",
    "notebooks/12_coin.ipynb": "{}",
    "tests/plots/must_draw.txt": "\nCoinExplorer-bar\nRectangle main\nbold words ink\n",
}


def test_every_generic_test_meets_it(tmp_path):
    """But those of type checkers, which have the package's own files to look at."""
    copy = tools.copy_repository(tmp_path / "dpwidgets")
    for floor, text in FILES.items():
        (copy / "dpwidgets" / floor / "coin.py").write_text(
            text, encoding="utf-8"
        )
    for name, (before, after) in CHANGES.items():
        path = copy / "dpwidgets" / name
        text = path.read_text(encoding="utf-8")
        assert before in text, before
        path.write_text(text.replace(before, after, 1), encoding="utf-8")
    for name, row in ROWS.items():
        with (copy / name).open("a", encoding="utf-8") as page:
            page.write(row)
    variables = os.environ | {"PYTHONPATH": str(copy)}
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
    )
    # How large a part may be is not asked of one that is larger.
    met = "(coin or test_house.py or test_texts.py) and not statements"
    tests = (
        "tests/test_house.py",
        "tests/test_texts.py",
        "tests/explorers",
        "tests/plots",
    )
    said = tools.run(
        *command, "-k", met, *tests, "dpwidgets", cwd=copy, variables=variables
    )
    assert "passed" in said
