"""The texts this project walks through: one word each, and everything that follows from it.

A text's word names its calculator, its plots, its explorer and its tests. To
add a text, add its word here and one file per floor.
"""


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

    def __init__(self, word: str, question: str, notebook: str) -> None:
        self.word = word
        self.question = question
        self.notebook = notebook

    @property
    def audit(self) -> str:
        """The file of the notebook that checks every claim of it, beside the lessons."""
        return f"audits/{self.notebook}"

    @property
    def explorer(self) -> str:
        """The name of the explorer's class."""
        return f"{self.word.capitalize()}Explorer"


TEXTS = (
    Text(
        "interval",
        "How precisely may a count be known?",
        "02_interval_estimation.ipynb",
    ),
    Text("loss", "What does ε bound?", "03_privacy_loss.ipynb"),
    Text(
        "bayes",
        "What does one noisy count still tell?",
        "04_bayes_estimate.ipynb",
    ),
    Text(
        "worlds",
        "How likely is it that someone is identified?",
        "05_possible_worlds.ipynb",
    ),
    Text(
        "breach",
        "How far may an answer move a belief?",
        "06_privacy_breach.ipynb",
    ),
)
