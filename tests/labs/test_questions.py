"""A lecturer's own questions: put into a lab, drawn, tried out, and kept from students."""

import re

import pytest
import questions
from sandbox import lacking

import sources
import tools

PAGE = (tools.ROOT / "course" / "own_questions.md").read_text(encoding="utf-8")
(OWN,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
LAB = "lab1"
RIGHT = '"2.01 * loss.laplace(mine.epsilon).mean()"'


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """A function that returns the lab with a question of the lecturer's in it."""
    text = (tools.ROOT / "course" / "class.toml").read_text(encoding="utf-8")
    text = text.replace('questions = ""', 'questions = "mine"')
    (tmp_path / "class.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("DPWIDGETS_CLASS", str(tmp_path / "class.toml"))

    def asked(place, question=OWN):
        file = tmp_path / "mine" / f"{place}.toml"
        file.parent.mkdir(parents=True)
        file.write_text(question, encoding="utf-8")
        lab = file.parent.name
        notebook = sources.source(lab)
        questions.try_out(notebook, lab)
        return notebook

    return asked


def test_the_question_of_the_page_stands_at_its_place_and_is_drawn_for_each(
    ask, capsys
):
    assert len(OWN.splitlines()) <= 11
    ids = [cell.id for cell in ask("lab1/2.5").cells]
    at = ids.index("both_losses-asked")
    assert ids[at - 1] == "expected_loss-test"
    ends = ("asked", "numbers", "", "test")
    names = ["-".join(filter(None, ("both_losses", end))) for end in ends]
    assert ids[at : at + 4] == names
    seen = set()
    for student in ("s1", "s2", "s3"):
        *_, (_, left) = sources.runs(LAB, student)
        seen.add(left["mine"].nurses)
    assert len(seen) > 1
    assert min(seen) >= 20
    assert "mine.nurses = " in capsys.readouterr().out


def test_in_place_of_ours_it_keeps_the_head_of_its_part(
    ask, monkeypatch, caplog
):
    """Without a sandbox too, and then it is said that the lab was not tried in one."""
    monkeypatch.setattr(questions, "lacking", lambda: "no bwrap")
    cells = ask("lab1/1.1").cells
    assert "lab1 is not tried as it will be graded, " in caplog.text
    assert "odds" not in {cell.id for cell in cells}
    (asks,) = (cell for cell in cells if "mine.nurses` nurses" in cell.source)
    assert asks.source.startswith("## 1 · ε as odds")
    assert asks.source.count("**1.1** (1 point)") == 1


@pytest.mark.parametrize(
    ("place", "old", "new", "says"),
    [
        ("lab1/2.5", '"2 * mine.epsilon"', RIGHT, "leads to what is right"),
        ("lab1/2.5", 'right = "', 'right = "str(1) or ', "what is right is no number, but '1'"),
        ("lab1/2.5", "points = 1", 'points = "1"', "points: '1' is not of type 'integer'"),
        ("lab1/2.5", 'hint = "', 'tip = "', "'hint' is a required property"),
        ("lab1/2.5", '"both_losses"', '"both losses"', "a name of Python's"),
        ("lab1/2.5", '"both_losses"', '"odds"', "'odds' stands in several cells: odds, odds-test"),
        ("lab1/2.5", '"both_losses"', '"worst_case"', "several cells: .*, worst, "),
        ("lab1/2.5", '"both_losses"', '"belief"', "several cells: belief, belief"),
        ("lab1/2.5", '"both_losses"', '"loss"', "several cells: numbers, .*"),
        ("lab1/2.5", '"both_losses"', '"max"', "'max' stands in several cells: "),
        ("lab1/2.5", "nurses =", "epsilon =", "has drawn mine.epsilon before"),
        ("lab1/2.5", "draw.whole(20, 60)", "draw.wole(20)", "lab1 stops with Attr"),
        ("lab1/2.5", "points = 1", f"points = 1\nwrong = [{RIGHT}]", "leads to what is right"),
        ("lab1/2.5", "points = 1", 'points = 1\nwrong = ["a"]', "'a' stops with NameError"),
        ("lab1/2.5", "points = 1", "points = ", "Invalid value"),
        ("lab1/2.5a", "points = 1", "points = 1", "called by its number, such as 2.5.toml"),
        ("lab1/frage", "points = 1", "points = 1", "called by its number, such as 2.5.toml"),
    ],
)  # fmt: skip
def test_a_question_that_cannot_be_fair_is_refused_with_its_name(
    place, old, new, says, ask
):
    assert old in OWN
    with pytest.raises(ValueError, match=says) as error:
        ask(place, OWN.replace(old, new))
    assert str(error.value).startswith(place[:4])


@pytest.mark.parametrize(
    ("place", "old", "new", "says"),
    [
        # Here it is installed, and where a lab runs it is not.
        ("lab1/2.5", '"draw.', "\"__import__('pytest') and draw.", "stops with Mod"),
        ("lab3/2.1", "mine.epsilon", "mine.offer", "NameError: .*total_epsilon"),
    ],
)  # fmt: skip
def test_a_question_that_could_not_be_graded_is_refused_too(
    place, old, new, says, ask
):
    if why := lacking():
        pytest.skip(why)
    with pytest.raises(ValueError, match=says):
        ask(place, OWN.replace(old, new))
