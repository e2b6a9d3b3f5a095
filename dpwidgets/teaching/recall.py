"""The review that asks two questions from earlier notebooks, with fresh numbers."""

from collections.abc import Sequence

import numpy as np
from anywidget import WidgetTrait

from dpwidgets.inputs.domain import one_of
from dpwidgets.page.page import child, words
from dpwidgets.teaching import progress
from dpwidgets.teaching.asking import folded_page
from dpwidgets.teaching.base import Teaching, paragraph
from dpwidgets.teaching.progress import Kept, Tried
from dpwidgets.teaching.question import Question, placed
from dpwidgets.teaching.templates import TEMPLATES, Template
from dpwidgets.texts import TEXTS

#: Where each word is taught, in the order of reading.
NOTEBOOKS = {
    "meanings": "00_start_here.ipynb",
    "attack": "01_attack_first.ipynb",
    **{text.word: text.notebook for text in TEXTS},
    "choice": "07_choosing_epsilon.ipynb",
    "plan": "08_a_plan.ipynb",
    "others": "09_other_peoples_epsilon.ipynb",
    "counts": "10_published_counts.ipynb",
}
_HEADING = "Do you remember? Two questions from earlier notebooks, with fresh numbers."


def earlier(before: str = "") -> list[Template]:
    """Return the templates that were taught before a word; without one, all.

    Parameters
    ----------
    before : str
        The word of a notebook: one of `NOTEBOOKS`, but the first, before which
        nothing was taught.

    Raises
    ------
    ValueError
        If there is no such word, or nothing was taught before it.

    Examples
    --------
    >>> sorted({template.word for template in earlier("loss")})
    ['attack', 'interval', 'meanings']
    """
    taught = list(NOTEBOOKS)
    if before:
        one_of("before", before, taught[1:])
        taught = taught[: taught.index(before)]
    return [template for template in TEMPLATES if template.word in taught]


def due(
    templates: Sequence[Template], kept: Kept, rng: np.random.Generator
) -> list[Template]:
    """Return two templates that are to be asked now, of two notebooks where that is possible.

    Those whose last answer was wrong come first, then those never asked, then
    the others; the longest ago first, and by chance where nothing else
    decides.
    """
    shuffled = [templates[place] for place in rng.permutation(len(templates))]

    def tried(template: Template) -> Tried:
        return kept.get(template.key, Tried())

    def rank(template: Template) -> tuple[int, str]:
        before = tried(template)
        if before.missed:
            return 0, before.day
        return 2 if before.attempts else 1, before.day

    first, *others = sorted(shuffled, key=rank)
    for second in others:
        if second.word != first.word or tried(second).missed:
            return [first, second]
    return [first, others[0]]


class Recalled(Question):
    """A question from a template. Its first answer counts for when it comes back, and no other.

    The help opens anew each time, and the notebook's own count of questions
    leaves it out.

    Parameters
    ----------
    template : Template
        What draws it.
    rng : numpy.random.Generator
        Where its numbers come from.
    """

    def __init__(self, template: Template, rng: np.random.Generator) -> None:
        self.template = template
        super().__init__(**template.draw(rng))

    def _store(self) -> progress.Store:
        return progress.Store()  # of its own: what is kept is the template's

    def _mark(self) -> str:
        return f"from notebook {NOTEBOOKS[self.template.word][:2]}"

    def _judge(self, right: bool, message: str) -> None:
        if not self.attempts:
            progress.store().count_answer(self.template.key, right)
        super()._judge(right, message)


class Review(Teaching):
    """Two questions from earlier notebooks, with fresh numbers: for the head of a notebook.

    What was missed comes back first, then what was never asked.

    Parameters
    ----------
    before : str
        The word of the notebook at whose head it stands: one of `NOTEBOOKS`,
        but the first. Without one, all templates count.
    seed : int, optional
        Where the numbers come from; without one, they are others each time.

    Raises
    ------
    ValueError
        If there is no such word, or nothing was taught before it.

    Notes
    -----
    What it prints never depends on the reader: a page without a kernel shows
    the same two questions to everybody, with their help folded.

    Examples
    --------
    >>> Review("interval")
    Review: two questions from earlier notebooks
    """

    _first = WidgetTrait().tag(sync=True)
    _second = WidgetTrait().tag(sync=True)

    def __init__(self, before: str = "", *, seed: int | None = None) -> None:
        self._templates = earlier(before)
        rng = np.random.default_rng(seed)
        store = progress.store()
        store.refresh()
        chosen = due(self._templates, store.kept, rng)
        self.questions = [Recalled(template, rng) for template in chosen]
        self._first, self._second = self.questions
        parts = [
            words("heading", text=_HEADING),
            child("_first"),
            child("_second"),
        ]
        super().__init__("review", parts)

    def __repr__(self) -> str:
        return "Review: two questions from earlier notebooks"

    def still_page(self) -> str:
        """Return the HTML of a page without a kernel: two questions, the same for everybody."""
        rng = np.random.default_rng(0)
        page = paragraph(_HEADING)
        for template in due(self._templates, {}, rng):
            question = template.draw(rng)
            page += folded_page(
                question["prompt"],
                question["hint"],
                question["solution"],
                placed(question["prompt"], question.get("choices", ())),
            )
        return page
