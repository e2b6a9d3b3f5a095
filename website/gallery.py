"""The explorers' pages: the instrument first, and a gallery of all."""

import html
import inspect

from dpwidgets.texts import TEXTS
from markup import raw
from strips import KINDS, Strip

#: What each explorer answers. Those of the texts have their question.
QUESTIONS = {text.word: text.question for text in TEXTS} | {
    "attack": "Can you break it?",
    "choice": "Which ε can you defend?",
    "meanings": "What does an ε mean here?",
    "plan": "What may a whole dashboard tell?",
}


def page(word: str, strip: str, docs: str) -> str:
    """Return the page of an explorer: its question, the strip, and below what programs need."""
    name = KINDS[word].__name__
    return (
        f"# {QUESTIONS[word]}\n\n{strip}\n"
        + raw(f"<details><summary>{name} in Python</summary>")
        + f"\n{docs}\n"
        + raw("</details>")
    )


def card(word: str) -> str:
    """Return what leads to an explorer: its picture, its question, and what it is in a line."""
    kind = KINDS[word]
    explorer = Strip(f"#{word}").explorer(next(iter(kind.view.options)))
    explorer.asked("picture", {"place": 1})  # as on a narrow page
    line = (inspect.getdoc(kind) or "").partition("\n")[0]
    return (
        f'<a class="dpwidgets-card" href="{word}.html">'
        f'<div class="dpwidgets-picture dpw-picture" aria-hidden="true">'
        f"<div>{explorer._still}</div><div>{explorer._moving}</div></div>"
        f"<strong>{html.escape(QUESTIONS[word])}</strong>"
        f"<span>{html.escape(line)}</span><small>{kind.__name__}</small></a>\n"
    ).replace("\n\n", "\n")
