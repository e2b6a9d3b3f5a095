"""The texts this project walks through: one word each, and everything that follows from it.

A text's word names its calculator, its plots, its explorer and its tests. To add a text, add its
word here and one file per floor.
"""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """One text and the rooms that are named after it.

    Attributes
    ----------
    word : str
        The word that names its room on every floor.
    question : str
        The question that it answers, for the table of contents.
    notebook : str
        The notebook's file name.
    reference : str
        Authors, title, place and year.
    """

    word: str
    question: str
    notebook: str
    reference: str

    @property
    def explorer(self) -> str:
        """The name of the explorer's class."""
        return f"{self.word.capitalize()}Explorer"


TEXTS = (
    Text(
        word="loss",
        question="What does ε bound?",
        notebook="01_privacy_loss.ipynb",
        reference="G. Rothblum, Privacy Loss as a Random Variable, blog post, 2013",
    ),
    Text(
        word="interval",
        question="How precisely may a count be known?",
        notebook="02_interval_estimation.ipynb",
        reference=(
            "M. Naldi and G. D'Acquisto, Differential Privacy: An Estimation Theory-Based Method for Choosing Epsilon, "
            "arXiv:1510.00917, 2015"
        ),
    ),
    Text(
        word="bayes",
        question="What does one noisy count still tell?",
        notebook="03_bayes_estimate.ipynb",
        reference=(
            "M. Naldi and G. D'Acquisto, Differential Privacy for Counting Queries: Can Bayes Estimation Help Uncover "
            "the True Value?, arXiv:1407.0116, 2014"
        ),
    ),
    Text(
        word="worlds",
        question="How likely is it that someone is identified?",
        notebook="04_possible_worlds.ipynb",
        reference="J. Lee and C. Clifton, How Much Is Enough? Choosing ε for Differential Privacy, ISC 2011",
    ),
    Text(
        word="breach",
        question="How far may an answer move a belief?",
        notebook="05_privacy_breach.ipynb",
        reference=(
            "J. Ouyang, Z. Xiao, S. Liu, J. Yin and P. Lin, Heuristic Privacy Parameter Setting Strategies for "
            "Differential Privacy Models: Postprint, ChinaXiv (machine translation), 2018"
        ),
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
