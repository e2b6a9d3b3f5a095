"""What all that ask share serves a kind that nobody here has thought of."""

import pytest

from dpwidgets import LossExplorer
from dpwidgets.teaching.asking import Answered, not_yet
from tools import ask, press, said

pytestmark = pytest.mark.usefixtures("data_directory")


class Word(Answered):
    """A word to type: a kind of question as small as one can be."""

    def __init__(self, prompt, answer, **helps):
        self.answer = answer
        self.explorer = LossExplorer()
        self.state = {"epsilon": 2}
        field = {"kind": "text", "name": "answer", "label": "Your word"}
        super().__init__(prompt, answer, field=field, **helps)

    def judge(self, given):
        if not given.isalpha():
            raise ValueError("type a word")
        right = given == self.answer
        return right, "Right." if right else not_yet("is it longer?")


def test_a_new_kind_says_what_is_right_and_has_all_else_from_the_base():
    asked = Word("What does δ bound?", "loss", hint="Lost.", then="And ε?")
    ask(asked, "answer", text="4")
    assert "type a word" in said(asked)
    ask(asked, "answer", text="gain")
    assert "✗ Not yet: is it longer?" in said(asked)
    press(asked, "hint")
    assert "Hint: Lost." in said(asked)
    press(asked, "set")
    assert asked.explorer.epsilon == 2
    ask(asked, "answer", text="loss")
    assert (asked.solved, asked.attempts, asked.revealed) == (True, 2, True)
    assert repr(asked) == "Word: What does δ bound?"
    assert asked.about() == {}
    assert "What does δ bound?" in asked.still_page()
