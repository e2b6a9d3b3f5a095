"""A text's word opens a room on every floor."""

import importlib
from pathlib import Path

import pytest

import dpwidgets
from dpwidgets import texts
from dpwidgets.page.explorer import Explorer

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("text", texts.TEXTS, ids=lambda text: text.word)
def test_every_text_has_its_rooms(text):
    for floor in ("calculators", "plots", "explorers"):
        importlib.import_module(f"dpwidgets.{floor}.{text.word}")
    assert issubclass(getattr(dpwidgets, text.explorer), Explorer)
    assert (ROOT / "notebooks" / text.notebook).is_file()


@pytest.mark.parametrize("text", texts.TEXTS, ids=lambda text: text.word)
def test_every_text_is_in_the_tables_of_contents(text):
    first_page = (ROOT / "notebooks/00_start_here.ipynb").read_text(encoding="utf-8")
    assert f"| {text.question} | [" in first_page
    assert f"({text.notebook}) |" in first_page
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"(notebooks/{text.notebook}) |" in readme
    assert f"`{text.explorer}` |" in readme


@pytest.mark.parametrize("text", texts.TEXTS, ids=lambda text: text.word)
def test_an_audit_stands_beside_its_lesson(text):
    assert text.audit == f"{text.notebook[:2]}a{text.notebook[2:]}"


def test_an_unknown_word_or_name_is_refused():
    with pytest.raises(ValueError, match="text must be one of interval, loss"):
        texts.find("nonsense")
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = dpwidgets.Nonsense
    assert "IntervalExplorer" in dir(dpwidgets)
