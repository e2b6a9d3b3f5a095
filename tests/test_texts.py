"""A text's word opens a room on every floor."""

import importlib

import pytest

import dpwidgets
import tools
from dpwidgets import Ledger
from dpwidgets.page.explorer import Explorer
from dpwidgets.texts import TEXTS


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.word)
def test_every_text_has_its_rooms_and_is_in_the_tables_of_contents(text):
    for floor in ("calculators", "plots", "explorers"):
        importlib.import_module(f"dpwidgets.{floor}.{text.word}")
    assert issubclass(getattr(dpwidgets, text.explorer), Explorer)
    assert (tools.ROOT / "notebooks" / text.notebook).is_file()
    assert text.audit == f"audits/{text.notebook}"
    first_page = (tools.ROOT / "notebooks/00_start_here.ipynb").read_text(
        encoding="utf-8"
    )
    assert f"| {text.question} | [" in first_page
    assert f"({text.notebook}) |" in first_page
    assert f"(notebooks/{text.notebook}) |" in tools.README
    assert f"`{text.explorer}` |" in tools.README


def test_an_unknown_word_or_name_is_refused():
    with pytest.raises(
        ValueError, match="text must be one of 'interval', 'loss'"
    ):
        Ledger("nonsense")
    with pytest.raises(AttributeError, match="has no attribute 'Nonsense'"):
        _ = dpwidgets.Nonsense
    assert "IntervalExplorer" in dir(dpwidgets)
