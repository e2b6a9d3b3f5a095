"""How the pages are laid out: nothing overlaps, ends are at their tracks, letters can be read."""

import pytest

import dpwidgets
from dpwidgets import (
    ChoiceExplorer,
    Code,
    Draws,
    Hearing,
    Question,
    Review,
    Task,
)
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import BeliefGoal
from dpwidgets.decisions.record import of_case
from dpwidgets.page.explorer import Explorer
from dpwidgets.teaching.by_hand import BayesTable, ByHand, FiftyIntervals
from pages import WRONG, broken_words, draw_alone
from tools import EXPLORERS, ask

LEAST = 11  # CSS pixels, of a letter's size
# The words at the ends of a track that are nearer to another control than to
# it.
FAR = """() => [...document.querySelectorAll(".dpw-ends")].filter((ends) => {
  const own = ends.closest(".dpw-control"), at = ends.getBoundingClientRect();
  const away = (node) => {
    const box = node.getBoundingClientRect();
    const over = box.left < at.right && box.right > at.left && box.height;
    const middle = (box.top + box.bottom) / 2;
    return over ? Math.min(Math.abs(middle - at.top), Math.abs(middle - at.bottom)) : Infinity;
  };
  const others = [...document.querySelectorAll(".dpw-control input, .dpw-control label, legend")];
  const near = Math.min(...others.filter((one) => !own.contains(one)).map(away));
  return at.height && near <= away(own.querySelector("[type=range]"));
}).map((ends) => ends.innerText)"""
# The smallest letters of a picture as they are shown, and whether it is in
# sight before what moves it: beside its controls, or above them.
PICTURE = """() => {
  const svg = document.querySelector(".dpw-picture svg");
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const sizes = [...document.querySelectorAll(".dpw-picture text")].map((text) =>
    scale * parseFloat(text.style.fontSize));
  const [picture, controls] = [".dpw-picture", ".dpw-controls"].map((one) =>
    document.querySelector(one)?.getBoundingClientRect());
  const seen = !controls || picture.left >= controls.right || picture.bottom <= controls.top;
  return [Math.min(...sizes), seen];
}"""


# What words of controls stand in, and those at the ends of their tracks.
WORDS = (
    ".dpw-control :is(label, legend, .dpw-ends span, .dpw-hint), .dpw-button"
)
# The sign before a number between what is next to it, or of "1 in 5" the word.
VALUES = r"\S\s[=±]\s\S|\d\sin\s\d"
# How large the words are: the sheet has one scale of type.
SIZES = """() => [...document.querySelectorAll(".dpw :not(svg, svg *)")]
  .filter((node) => node.getClientRects().length && node.innerText)
  .map((node) => parseFloat(getComputedStyle(node).fontSize))"""


#: How wide the dots before choices are.
DOTS = "[...document.querySelectorAll('[type=radio]')].map((one) => one.offsetWidth)"


def views():
    for kind in EXPLORERS:
        for view in kind.view.options:
            yield f"{kind.__name__}, {view}", kind(view=view)
    yield "all rows", dpwidgets.MeaningsExplorer(rows="all")
    goals = [
        name for name in ChoiceExplorer.parameters() if name.startswith("use_")
    ]
    explorer = ChoiceExplorer(**dict.fromkeys(goals, True))
    ask(explorer, "epsilon", text="abc")
    yield "all goals, one of which is refused", explorer


def questions():
    help_ = {
        "hint": "Look at it once more, and count again.",
        "solution": "It is one half of it.",
    }
    choices = (
        "it doubles, since twice as many are counted, each of them once",
        "it halves",
    )
    yield Question(
        "What happens to ε?", answer="it halves", choices=choices, **help_
    )
    yield Question(
        "A number?",
        answer=0.5,
        misconceptions={2: "that is one over it"},
        **help_,
    )
    yield Task(
        "Find it.",
        dpwidgets.IntervalExplorer(),
        reached=lambda result: result.epsilon <= 0.05,
        solution={"half_width": 0.4},
        hint="Look.",
    )
    yield Code(
        "Write it.", lambda: abs, like=lambda x: -x, at=[(1,), (2,)], **help_
    )
    yield BayesTable(n=5, p=0.3, epsilon=1, answer=4)
    yield Draws(dpwidgets.IntervalExplorer())
    yield Review("bayes")
    case = Case(published="count", releases=4, prior=0.2)
    yield Hearing(of_case(case, [BeliefGoal(0.5)], 0.1))
    yield FiftyIntervals(
        lambda answer, *_: (answer - 20, answer + 20), 0.1, 0.8
    )
    choices = ("it doubles", "it stays", "it halves")
    wrong = Question(
        "What happens to ε?", answer="it halves", choices=choices, hint="Look."
    )
    ask(wrong, "answer", place=wrong.choices.index("it doubles"))
    ask(wrong, "check", pressed=True)
    ask(wrong, "hint", pressed=True)
    yield wrong


def shown(page, widget, width):
    """Show a widget at a width, laid out for it as its kernel would."""
    if isinstance(widget, Explorer | ByHand):
        ask(widget, "picture", place=int(width < 560))
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelector('#place').replaceChildren()")
    draw_alone(page, widget)
    page.evaluate(
        "document.querySelectorAll('.dpw-fold, .dpw-code details').forEach(OPEN)".replace(
            "OPEN", "(one) => (one.open = true)"
        )
    )
    assert set(page.evaluate(SIZES)) <= {12, 13, 14, 16}


@pytest.fixture
def page(bare):
    bare.set_content('<div id="place"></div>')
    return bare


# At 1,000 the picture is the smallest that a wide one gets, and its column of
# controls the narrowest beside one; below 900 they stand one above the other,
# and no phone is narrower than 320.
@pytest.mark.parametrize(
    ("width", "least"), [(1000, 10), (900, LEAST), (320, LEAST)]
)
def test_each_view_is_laid_out_for_its_width_and_its_picture_can_be_read(
    page, width, least
):
    for name, explorer in views():
        shown(page, explorer, width)
        assert page.evaluate(WRONG) == [], name
        assert page.evaluate(FAR) + broken_words(page, WORDS) == [], name
        said = ".dpw-sentence, .dpw-presses > *, .dpw-list, .dpw-rows p"
        assert broken_words(page, said, VALUES) == [], name
        smallest, seen = page.evaluate(PICTURE)
        assert smallest >= least, (name, smallest)
        assert seen, name
        rows = page.locator(".dpw-rows summary")
        if rows.count():  # a sentence opens inside its column
            rows.last.click()
            assert (
                page.evaluate("document.documentElement.scrollWidth") <= width
            ), name


@pytest.mark.parametrize("width", [900, 320])
def test_each_kind_of_question_is_laid_out_for_its_width(page, width):
    for question in questions():
        shown(page, question, width)
        assert page.evaluate(WRONG) == [], question
        assert len({*page.evaluate(DOTS)}) <= 1, question
        if isinstance(question, ByHand):
            assert page.evaluate(PICTURE)[0] >= LEAST
