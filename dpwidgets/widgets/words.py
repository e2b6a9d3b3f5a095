"""The words around controls and pictures, as HTML that a screen reader announces."""

from __future__ import annotations

import html
from collections.abc import Sized

from ipywidgets import Layout

from dpwidgets.calculators.domain import ALMOST_ONE
from dpwidgets.notation import percent
from dpwidgets.widgets.boxes import HTML


def alert(message: str) -> str:
    """Return the HTML of a message about what is wrong."""
    look = (
        "font-size:12px;line-height:16px;font-weight:600;color:var(--jp-ui-font-color1);"
        "padding-left:6px;border-left:4px solid var(--jp-error-color1,#d32f2f)"
    )
    return f'<div role="alert" style="{look}">⚠ {html.escape(message)}</div>'


def status(sentence: str) -> str:
    """Return the HTML of a sentence that is announced politely when it changes."""
    look = "display:block;font-size:14px;line-height:20px"
    return (
        f'<output role="status" aria-live="polite" style="{look}">{html.escape(sentence)}</output>'
    )


def paragraph(text: str, look: str = "") -> str:
    """Return the HTML of a paragraph of its own look, which nobody is told of when it changes."""
    style = f"margin:2px 0;line-height:20px;font-size:14px;{look}"
    return f'<p style="{style}">{html.escape(text)}</p>'


def after_answers(asked: Sized) -> str:
    """Return how a sentence begins about several answers about the same people."""
    count = len(asked)
    return f"After {'one answer' if count == 1 else f'{count:,} answers'} about the same people"


def belief(probability: float) -> str:
    """Return a belief after noisy answers as a percentage: floats may be 0 or 1, it never is."""
    return percent(min(probability, ALMOST_ONE)) if probability > 0 else "nearly 0%"


def small(text: str) -> str:
    """Return the HTML of a remark in small letters."""
    return f'<div style="font-size:12px;line-height:16px">{html.escape(text)}</div>'


def listed(sentences: list[str]) -> str:
    """Return the HTML of sentences as a list, or nothing if there are none."""
    look = "margin:0;padding-left:20px;font-size:13px;line-height:19px"
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
    return f'<ul style="{look}">{items}</ul>' if items else ""


def place(height: int = 0) -> HTML:
    """Return a place for words, so many pixels high that longer ones do not move the page."""
    return HTML(
        layout=Layout(min_height=f"{height}px", width="100%", margin="4px 0 0 0", flex="0 0 auto")
    )
