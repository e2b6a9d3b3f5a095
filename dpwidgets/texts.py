"""The texts this project walks through: one word each, and everything that follows from it.

A text's word names its calculator, its plots, its explorer and its tests. To add a text, add its
word here and one file per floor.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would be most of the time that `import dpwidgets` takes
if TYPE_CHECKING:  # what `dpwidgets` imports when it is first used
    from dpwidgets.explorers.bayes import BayesExplorer as BayesExplorer
    from dpwidgets.explorers.breach import BreachExplorer as BreachExplorer
    from dpwidgets.explorers.interval import IntervalExplorer as IntervalExplorer
    from dpwidgets.explorers.loss import LossExplorer as LossExplorer
    from dpwidgets.explorers.worlds import WorldsExplorer as WorldsExplorer


class Text:
    """One text and the rooms that are named after it.

    Attributes
    ----------
    word : str
        The word that names its room on every floor.
    question : str
        The question that it answers, for the table of contents.
    notebook : str
        The file name of the notebook that teaches it, the lesson.
    """

    def __init__(self, *, word: str, question: str, notebook: str) -> None:
        self.word, self.question, self.notebook = word, question, notebook

    @property
    def audit(self) -> str:
        """The file name of the notebook that checks every claim of it: 01a beside lesson 01."""
        return self.notebook.replace("_", "a_", 1)

    @property
    def explorer(self) -> str:
        """The name of the explorer's class."""
        return f"{self.word.capitalize()}Explorer"


TEXTS = (
    Text(
        word="interval",
        question="How precisely may a count be known?",
        notebook="01_interval_estimation.ipynb",
    ),
    Text(
        word="loss",
        question="What does ε bound?",
        notebook="02_privacy_loss.ipynb",
    ),
    Text(
        word="bayes",
        question="What does one noisy count still tell?",
        notebook="03_bayes_estimate.ipynb",
    ),
    Text(
        word="worlds",
        question="How likely is it that someone is identified?",
        notebook="04_possible_worlds.ipynb",
    ),
    Text(
        word="breach",
        question="How far may an answer move a belief?",
        notebook="05_privacy_breach.ipynb",
    ),
)


def find(word: str) -> Text:
    """Return the text with this word.

    Parameters
    ----------
    word : str
        One of the words in `TEXTS`.

    Returns
    -------
    Text
        The text.

    Raises
    ------
    ValueError
        If no text has this word.

    Examples
    --------
    >>> find("interval").explorer
    'IntervalExplorer'
    """
    for text in TEXTS:
        if text.word == word:
            return text
    raise ValueError(f"text must be one of {', '.join(text.word for text in TEXTS)}; got {word!r}")
