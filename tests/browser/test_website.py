"""The website: every link leads somewhere, every strip moves as its explorer does, no kernel.

With DPWIDGETS_WEBSITE=1 it is the whole site, as in `make site`. Else it has
one notebook and one explorer, and a slider stops at a few places.
"""

import base64
import gzip
import html
import io
import json
import os
import random
import re
import shutil
import sys
from dataclasses import replace
from functools import cache
from urllib.parse import unquote

import nbformat
import numpy as np
import pytest
from docutils.core import publish_doctree
from myst_parser.docutils_ import Parser
from playwright.sync_api import expect

import conf
import tools
from dpwidgets import (
    BreachExplorer,
    IntervalExplorer,
    Question,
    Task,
    WorldsExplorer,
)
from dpwidgets.calculators import attack
from dpwidgets.inputs import typed
from dpwidgets.inputs.notation import show
from dpwidgets.plots.attack import BothWorlds
from execute import EVERY
from here import answered, prose
from pages import broken_words, swipe, violations, visiting
from strips import KINDS, Strip, shown, stops

WHOLE = "DPWIDGETS_WEBSITE" in os.environ
WORDS = list(KINDS) if WHOLE else ["interval"]

PARTS = "notebooks/parts.html"
# What the theme of a dark page is while it is printed, and after it.
PAPER = """() => ["beforeprint", "afterprint"].map((event) => {
  if (event === "beforeprint") document.documentElement.dataset.theme = "dark";
  dispatchEvent(new Event(event));
  return document.documentElement.dataset.theme;
})"""
OPENS = "folds => folds.forEach((fold) => (fold.open = true))"
#: A room, a package's face with back rooms, and a floor's.
ROOMS = ("inputs.door", "calculators.loss", "calculators")
API = f"api/{ROOMS[0]}.html"
PAGES = ("index.html", "course/README.html", PARTS, API)
MOST = 400_000  # bytes, compressed, of a page
#: What the first page's picture shows as it begins.
ADA = replace(attack.divide(epsilon=1), who="Ada")


def parts():
    """Return a notebook with an explorer away from its start, and one of all that is asked."""
    held, two = IntervalExplorer(), ("one", "two")
    shown = (
        WorldsExplorer(answer=2.2013),
        Question(
            "Two and two?", 4, misconceptions={22: "that is side by side"}
        ),
        Question(
            "Which is smaller?",
            "one",
            choices=two,
            solution="<one>",
            then=held,
        ),
        Question(
            "A third of 0.702?",
            0.234,
            misconceptions={0.229: "a slip", 0.2: "no third"},
        ),
        Task(
            "Find a count at which ε is below 0.05.",
            IntervalExplorer(),
            reached=lambda one: one.epsilon < 0.05,
            solution={"count": 200},
            then="Because.",
        ),
        BreachExplorer(),
    )
    cells = [nbformat.v4.new_markdown_cell("# Parts\n\n$e^{-\\varepsilon}$")]
    cells += [answered("shown", one) for one in shown]
    return nbformat.v4.new_notebook(
        cells=cells, metadata={"language_info": {"name": "python"}}
    )


def build(folder, *more, rooms=ROOMS):
    """Build the site of these tests from files, in which few things take most of the time."""
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    nbformat.write(parts(), notebooks / "parts.ipynb")
    given = [folder / "built", "--notebooks", notebooks, *more]
    if WHOLE:
        shutil.copytree(
            tools.ROOT / "notebooks", notebooks, dirs_exist_ok=True
        )
    else:
        given += ["--explorers", *WORDS, "--api", *rooms]
    tools.run(sys.executable, "website", *given, cwd=tools.ROOT)
    return folder / "built"


@pytest.mark.others
def test_the_pages_of_all_rooms_are_written_without_a_warning(tmp_path):
    """Sphinx fails at any; the site of the other tests has few rooms."""
    built = build(tmp_path, rooms=())
    assert len([*(built / "api").glob("*.html")]) > 50


#: The share of a picture that is in the window and below the page's head.
IN_SIGHT = """(picture) => {
  const { top, bottom, height } = picture.getBoundingClientRect();
  const head = document.querySelector(".bd-header").getBoundingClientRect().bottom;
  return (Math.min(bottom, innerHeight) - Math.max(top, head)) / height;
}"""


@pytest.fixture
def address(site):
    """A site opens from its folder, too."""
    return site.as_uri()


def parts_of(path):
    """Return what a page leads to, what it loads, and what may be led to on it."""
    text, kinds = path.read_text(encoding="utf-8"), r"link|script|img|iframe"
    links = re.findall(r'<a\b[^>]*?\shref="([^"]+)"', text)
    loaded = re.findall(rf'<(?:{kinds})\b[^>]*?\s(?:href|src)="([^"]+)"', text)
    anchors = re.findall(r'\s(?:id|name)="([^"]+)"', text)
    return [
        [html.unescape(one) for one in found]
        for found in (links, loaded, ["", *anchors])
    ]


def test_every_link_leads_somewhere_and_no_page_loads_much_or_from_another_host(
    site,
):
    @cache
    def compressed(file):
        return len(gzip.compress(file.read_bytes()))

    pages = {path: parts_of(path) for path in site.rglob("*.html")}
    assert len(pages) > (80 if WHOLE else 30)
    lost = []
    for path, (links, loads, _) in pages.items():
        loaded = {path}
        for link in links + loads:
            address, _, anchor = unquote(link).partition("#")
            if re.match(r"(https?|mailto|data):", address):
                assert address.startswith("data:") or link not in loads, link
                continue
            if address:
                target = (path.parent / address.partition("?")[0]).resolve()
            else:
                target = path
            if target in pages:
                known = {*pages[target][2], *KINDS}
            else:
                known = {anchor}
            if not target.is_file() or {
                anchor,
                anchor.partition("?")[0],
            }.isdisjoint(known):
                lost.append(f"{path.relative_to(site)}: {link}")
            elif link in loads:
                loaded.add(target)
        assert sum(map(compressed, loaded)) <= MOST, path
    assert not lost
    frames = list(site.rglob("strips/**/*.js"))
    assert len(frames) > (200 if WHOLE else 10)
    assert max(map(compressed, frames)) <= MOST


def test_every_formula_can_be_written_without_a_script():
    for path in EVERY:
        for block, line in re.findall(
            r"\$\$(.+?)\$\$|\$([^$\n]+)\$", prose(path), flags=re.DOTALL
        ):
            assert "<math" in conf.mathml(block or line), path.name


def test_every_notebook_is_read_without_a_warning():
    """Sphinx stops at any; links and formulas have tests of their own."""
    options = {
        "myst_enable_extensions": conf.myst_enable_extensions,
        "myst_all_links_external": True,
    }
    written = [
        path
        for path in (tools.ROOT / "notebooks").rglob("*.ipynb")
        if "source" not in path.parts
    ]
    assert len(written) > 10
    for path in written:
        told = io.StringIO()
        publish_doctree(
            prose(path),
            parser=Parser(),
            settings_overrides=options | {"warning_stream": told},
        )
        assert not told.getvalue(), path.name


def frames(site, strip, view, name):
    """Return the frames of one file: two layers as texts, and what the parts show."""
    content = (
        site / "_static" / "strips" / strip.name / f"{view}-{name}.js"
    ).read_text("utf-8")
    packed = content.rpartition(",")[2].strip(')"\n')
    found = json.loads(gzip.decompress(base64.b64decode(packed)))
    for still, moving, moved in found["frames"] or [found["start"]]:
        layers = (
            "\n".join(found["lines"][line] for line in part)
            for part in (still, moving)
        )
        yield *layers, found["shown"] | moved


def nameless(lines):
    """Return a picture's lines without the names of its clip paths and markers."""
    return re.sub(r"\b[a-z]?[0-9a-f]{10}\b", "", lines)


@pytest.mark.parametrize("word", WORDS)
def test_a_strip_shows_what_the_explorer_shows_and_each_address_leads_back(
    site, page, word
):
    """Each slider is driven; of each file a frame at random is compared."""
    figure = page.locator("figure.dpwidgets-strip")
    strip = Strip(f"#{word}")
    driven = 0
    sentence, rng = figure.locator(".dpw-sentence"), random.Random(word)
    for path in sorted((site / "_static" / "strips" / strip.name).iterdir()):
        view, _, name = path.stem.partition("-")
        explorer = strip.kind(view=view)
        name, narrow, _ = name.partition("-narrow")
        if narrow:
            tools.ask(explorer, "picture", place=1)
        drawn = list(frames(site, strip, view, f"{name}{narrow}"))
        values = stops(explorer, name) if name != "view" else [view]
        assert len(drawn) == len(values)
        place = rng.randrange(len(values))
        still, moving, says = drawn[place]
        setattr(explorer, name, values[place])
        assert says == json.loads(json.dumps(shown(explorer)))
        assert nameless(still) == nameless(explorer._still)
        assert nameless(moving) == nameless(explorer._moving)
        page.open(f"explorers/{word}.html#{word}?view={view}")
        page.locator(".dpw-fold").evaluate_all(OPENS)
        control = figure.locator(
            f"[data-name={name}] .dpwidgets-slider:not([disabled])"
        )
        # It is no slider, or follows from the others.
        if narrow or not control.count():
            continue
        said = [says["sentence"]["text"] for *_, says in drawn]
        # A slider that stands at its end says nothing at End.
        control.press("ArrowLeft")
        for key, place in (("End", -1), ("Home", 0), ("ArrowRight", 1)):
            control.press(key)
            expect(sentence).to_have_text(said[place])
            expect(figure.get_by_role("img")).to_have_attribute(
                "aria-label", said[place]
            )
        page.wait_for_url(
            lambda url, words=said[1]: (
                strip.kind.from_link(url).sentence == words
            )
        )
        if not driven:
            page.reload()
            expect(sentence).to_have_text(said[1])
        driven += 1
    assert driven


def test_a_link_moves_a_strip_to_the_nearest_stop_and_on_paper_it_stands(page):
    path = "explorers/interval.html"
    folder = (
        "Python cannot come into this page, since it was opened from a folder."
    )
    page.open(path)
    expect(page.get_by_text(folder)).to_be_visible()
    expect(page.get_by_role("button", name="Compute here")).to_be_hidden()
    # Each has its start.
    for place, name in enumerate(IntervalExplorer.view.options):
        page.locator("[data-name=view] label").nth(place).click()
        picture = IntervalExplorer(view=name)
        expect(page.locator("figure .dpw-sentence")).to_have_text(
            picture.sentence
        )
    page.open(f"{path}#interval?half_width=10,4%25&count=500&oops=1")
    said = page.locator("figure .dpw-sentence")
    near = min(
        stops(IntervalExplorer(), "half_width"),
        key=lambda stop: abs(stop - 0.104),
    )
    expect(said).to_have_text(IntervalExplorer(half_width=near).sentence)
    expect(
        page.get_by_text(
            "Not shown here, from the link: count = 500, oops = 1."
        )
    ).to_be_visible()
    page.evaluate("location.hash = '#interval?count=<b>'")
    expect(said).to_have_text(IntervalExplorer().sentence)
    expect(page.get_by_text("from the link: count = <b>.")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("figure input").first).to_be_hidden()
    expect(page.locator("figure .dpwidgets-picture")).to_be_visible()
    expect(page.locator("pre").first).to_have_css("white-space", "pre-wrap")
    assert page.evaluate(PAPER) == ["light", "dark"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("explorers/interval.html", IntervalExplorer().sentence),
        ("index.html", BothWorlds.says(ADA)),
    ],
    ids=["a strip", "the first page"],
)
def test_without_scripts_a_page_has_its_picture_and_nothing_that_would_not_move(
    browser, address, path, said
):
    with visiting(browser, address, java_script_enabled=False) as page:
        page.open(path)
        figure = page.locator(".dpwidgets-picture, .dpwidgets-strip").first
        picture = figure.get_by_role("img", name=said, exact=True)
        expect(picture).to_be_in_viewport(ratio=1)
        assert picture.bounding_box()["height"] > 200
        expect(figure.locator(":is(input, button):visible")).to_have_count(0)


def test_a_handle_goes_to_the_nearest_stop_and_a_reader_back_without_a_kernel(
    figure,
):
    said = figure.locator(".dpw-sentence")
    undo, over = (
        figure.get_by_role("button", name=name)
        for name in ("Undo", "Start over")
    )
    expect(undo).to_be_disabled()
    handle = figure.locator("[data-name=half_width] > .dpw-handle")
    handle.evaluate("""(node) => {
        node.value = 8100;  // as by hand: it lies between stops
        node.dispatchEvent(new Event("input"));
    }""")
    stops_at = np.array(stops(IntervalExplorer(), "half_width"))
    place = np.abs((1.5 + stops_at) / 3 - 0.81).argmin()
    there = IntervalExplorer(half_width=stops_at[place])
    expect(said).to_have_text(there.sentence)
    handle.evaluate("node => node.dispatchEvent(new Event('change'))")
    assert float(handle.input_value()) == pytest.approx(
        1e4 * (1.5 + stops_at[place]) / 3, abs=1
    )
    handle.press("ArrowLeft")
    expect(said).to_have_text(
        IntervalExplorer(half_width=stops_at[place - 1]).sentence
    )
    handle.press("Control+z")
    expect(said).to_have_text(there.sentence)
    over.click()
    expect(said).to_have_text(IntervalExplorer().sentence)
    expect(over).to_be_disabled()
    undo.click()
    expect(said).to_have_text(there.sentence)


def test_a_handle_goes_the_way_of_the_hand_where_frames_have_other_limits(
    page,
):
    """Lower priors have wider axes, in which they stand to the right of the start."""
    page.open(PARTS)
    figure = page.locator("figure").last
    prior = figure.get_by_role("textbox", name="Prior (ρ1)")
    expect(prior).to_have_value("1/74")
    figure.locator("[data-name=prior] > .dpw-handle").evaluate("""(node) => {
        node.value = Number(node.value) + 300;
        node.dispatchEvent(new Event("input"));
    }""")
    explorer = BreachExplorer()
    above = min(x for x in stops(explorer, "prior") if x > explorer.prior)
    expect(prior).to_have_value(show(above))


def test_a_control_stays_where_it_was_put_though_frames_show_one_alone(figure):
    said = figure.locator(".dpw-sentence")
    half_width = figure.get_by_role("textbox", name="Half-width")
    count = figure.get_by_role("textbox", name="Count")
    waits = figure.get_by_text("Not in the picture: this takes Python")
    stale = figure.locator(".dpwidgets-stale")
    figure.locator("[data-name=half_width] .dpwidgets-slider").press("End")
    expect(half_width).not_to_have_value("0.2")
    moved, shown = half_width.input_value(), said.text_content()
    expect(waits).to_have_count(0)
    figure.locator("[data-name=count] .dpwidgets-slider").press("End")
    expect(waits).to_be_visible()
    expect(stale).to_be_visible()
    for box, value in ((half_width, moved), (count, "100000")):
        expect(box).to_have_value(value)
    expect(said).to_have_text(shown)
    figure.get_by_label("Equal ε").check()
    for box, value in ((half_width, moved), (count, "100000")):
        expect(box).to_have_value(value)
    for _ in range(2):
        figure.get_by_role("button", name="Undo").click()
    expect(waits).to_have_count(0)
    expect(stale).to_have_count(0)
    expect(count).to_have_value("100")
    expect(half_width).to_have_value(moved)
    half_width.fill("0.2345")  # between two stops
    half_width.press("Enter")
    expect(waits).to_be_visible()
    expect(half_width).to_have_value("0.2345")
    figure.get_by_role("button", name="Start over").click()
    expect(waits).to_have_count(0)
    expect(said).to_have_text(IntervalExplorer().sentence)


@pytest.mark.parametrize("width", [1366, 900, 420])
@pytest.mark.parametrize("word", WORDS)
def test_whatever_control_is_moved_most_of_the_picture_is_in_sight(
    page, word, width
):
    page.set_viewport_size({"width": width, "height": 800})
    page.open(f"explorers/{word}.html")
    page.locator(".dpw-fold").evaluate_all(OPENS)
    picture = page.locator(".dpwidgets-strip .dpw-picture")
    controls = page.locator(
        ".dpwidgets-strip .dpw-controls :is(.dpw-control, .dpw-switch):visible"
    )
    assert controls.count() > 1
    for control in controls.all():
        control.evaluate("node => node.scrollIntoView({block: 'end'})")
        # All of it, or of a high one most.
        assert picture.evaluate(IN_SIGHT) >= (
            0.999 if word == "interval" else 0.6
        )
    if width > 1000:
        beside = controls.first.bounding_box()
        assert beside["x"] + beside["width"] <= picture.bounding_box()["x"]
    expect(page.locator(".bd-sidebar-secondary")).to_have_count(0)


def test_the_gallery_has_a_card_for_each_explorer_and_its_page_asks_the_same(
    page,
):
    page.open("explorers/index.html")
    cards = page.locator(".dpwidgets-card")
    expect(cards).to_have_count(len(WORDS))
    for place, word in enumerate(WORDS):
        card = cards.nth(place)
        expect(card.locator(".dpw-picture")).to_be_visible()
        expect(card.locator("small")).to_have_text(KINDS[word].__name__)
        question = card.locator("strong").text_content()
        card.click()
        expect(page.locator("h1")).to_contain_text(question)
        in_python = page.get_by_text(f"{KINDS[word].__name__} in Python")
        expect(page.locator("dl.class")).to_be_hidden()
        in_python.click()
        expect(page.locator("dl.class")).to_be_visible()
        page.go_back()


def test_on_a_notebooks_page_a_strip_starts_where_it_has_it_and_what_is_asked_is_answered(
    page,
):
    page.open(PARTS)
    said = page.locator("figure .dpw-sentence").first
    expect(said).to_have_text(WorldsExplorer(answer=2.2013).sentence)
    page.get_by_role("slider", name="Epsilon (ε)").first.press("End")
    expect(said).to_have_text(
        WorldsExplorer(answer=2.2013, epsilon=10).sentence
    )
    number, choice, third, *_ = page.locator(".dpwidgets-question").all()
    assert not choice.get_by_role("figure").is_visible()
    for question, answer, said in (
        (number, "abc", "Type a number, like 0.08, 1/3 or ln 3."),
        (number, "22", "✗ Not yet: that is side by side."),
        (number, "2^2", "✓ Right."),
        (
            third,
            "0.23",
            "✗ Not yet: that is rounded too far to tell; give more digits.",
        ),
        (
            third,
            "2.3e−1",
            "✗ Not yet: that is rounded too far to tell; give more digits.",
        ),
        (third, "0.230", "✗ Not yet: a slip."),
        (
            third,
            "±23.4",
            "✗ Not yet: that is in per cent; write it as a share, or with %.",
        ),
        (third, "0.2", "✗ Not yet: no third."),
        (third, "0.22", "✗ Not yet: it is too small."),
        (third, "0.232", "✓ Right."),
    ):
        question.get_by_label("Your answer").fill(answer)
        question.get_by_role("button", name="Check").click()
        told = ".dpw-message:not(:empty)"
        part = told if said.startswith("Type") else ".dpw-verdict"
        expect(question.locator(part)).to_have_text(said)
    choice.get_by_role("button", name="Check").click()
    expect(
        choice.locator(".dpw-answer .dpw-message:not(:empty)")
    ).to_have_text("Choose one.")
    wrong = ("two", "✗ Not yet.")
    for answer, said in (wrong, wrong, ("one", "✓ Right.")):
        choice.get_by_label(answer, exact=True).check()
        choice.get_by_role("button", name="Check").click()
        expect(choice.locator(".dpw-verdict")).to_contain_text(said)
        # What waits for a right answer, or for two tries.
        expect(choice.get_by_role("figure")).to_be_visible(
            visible=answer == "one"
        )
    choice.get_by_role("slider", name="Count").press("End")
    expect(choice.locator("figure .dpw-sentence")).to_have_text(
        IntervalExplorer(count=1e5).sentence
    )
    expect(
        page.get_by_text("This works where the notebook runs.")
    ).to_be_visible()
    texts = (
        *(
            "0.08",
            "0,08",
            "1e-3",
            "80%",
            "1/3",
            "ln 3",
            "2 ln 3",
            "e^-0.1",
            "sqrt(2)",
            "-1",
            "−2",
        ),
        *(
            "2(3+4)",
            "2^3^2",
            "-2^2",
            "1,000",
            "abc",
            "",
            "1/0",
            "1 2",
            "(1",
            "ln",
            "1,5",
            "e",
        ),
        *(
            "2020-01-31",
            "31/1/2020",
            "31.01.20",
            "1/2/3",
            "20–29",
            "1_000",
            ",5",
            "5,",
            "exp(1)",
        ),
        *(
            "Ln 3",
            "1E3",
            "1,5,5",
            "12:30",
            "true",
            "1,200,000",
            "0,125",
            "12,5 %",
        ),
    )
    for text in texts:  # they are read as Python reads them
        try:
            expected = pytest.approx(typed.parse(text), rel=1e-14)
        except ValueError:
            expected = None
        read = "text => { const n = dpwidgetsNumber(text); return isNaN(n) ? null : n }"
        assert page.evaluate(read, text) == expected, text


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_in_either_theme_and_a_page_is_no_wider_than_a_phone(
    page, path
):
    page.open(path)
    for theme, rules in (
        ("light", {}),
        ("dark", {"runOnly": ["color-contrast"]}),
    ):
        # A theme's colors come at once then, before axe measures them.
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page, "html", **rules) == [], theme
    # Axe itself asks for the sheets, which a folder does not allow.
    page.errors.clear()
    for width in (1366, 900, 320):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide == width
        assert broken_words(page, ".prev-next-area") == []


SCOPE = (tools.ROOT / "SCOPE.md").read_text(encoding="utf-8")
TERMS = re.findall(r"^### (.+)$", SCOPE, re.MULTILINE)


#: Puts the sliders of the first page's picture; returns what it says, its numbers, its two
#: lengths, and how far its dots go and it does.
PUT = """(figure, [exponent, stands]) => {
  const [line, epsilon] = figure.querySelectorAll("[type=range]");
  for (const [slider, value] of [[epsilon, exponent], [line, stands]]) {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  }
  const [at, value] = [line, epsilon].map((slider) =>
    parseFloat(slider.ariaValueText.replace("−", "-")));
  const lengths = [...figure.querySelectorAll(".lengths rect")].map((one) =>
    one.width.baseVal.value);
  const parts = [".inside:not(.law)", ".outside:not(.law)", ".wrong", ".axis"].map((one) => {
    const { x, y, width, height } = figure.querySelector(`path${one}`).getBBox();
    return [x, y, x + width, y + height];
  });
  const says = figure.querySelector(".dpwidgets-says").textContent;
  return [says, epsilon.valueAsNumber, value, at, lengths, parts];
}"""


@pytest.mark.parametrize("width", [1366, 320])
def test_the_first_pages_worlds_are_the_explorers_at_each_epsilon_and_line(
    page, width
):
    page.set_viewport_size({"width": width, "height": 768})
    page.open("index.html")
    figure = page.locator(".dpwidgets-worlds")
    rng = random.Random(width)
    line = figure.get_by_role("slider", name="Line")
    most = int(line.get_attribute("max"))
    says = figure.locator(".dpwidgets-says")
    expect(says).to_have_text(BothWorlds.says(ADA))
    ends = [(e, at) for e in (-1, 1) for at in (-most, most)]
    draws = [
        (rng.uniform(-1, 1), rng.randint(-most, most) // rng.choice((1, 9)))
        for _ in range(46)
    ]
    for put in ends + draws:
        said, exponent, value, at, lengths, parts = figure.evaluate(PUT, put)
        assert value == pytest.approx(10**exponent, rel=0.005)
        # The picture reaches 5 scales and a half of the distance beyond.
        step = (5 + value / 2) / value / (most + 1)
        found = replace(ADA, epsilon=value, threshold=0.5 + put[1] * step)
        assert said == BothWorlds.says(found)
        assert at == pytest.approx(found.threshold, rel=0.005)
        one, noise = lengths  # ε is the one by the other
        assert one / noise == pytest.approx(value)
        *dots, (left, _, right, bottom) = parts
        for x, y, end, lower in dots:
            if end > x:  # there are some
                assert left <= x <= end <= right
                assert 0 <= y <= lower <= bottom


@pytest.fixture
def touched(browser, address):
    """A page of the site that a finger touches."""
    options = {"has_touch": True, "reduced_motion": "reduce"}
    with visiting(browser, address, width=1366, height=768, **options) as page:
        yield page


def test_the_first_page_moves_by_key_hand_and_touch_and_publishes_an_answer(
    touched,
):
    touched.open("index.html")
    figure = touched.locator(".dpwidgets-worlds")
    says = figure.locator(".dpwidgets-says")
    line, epsilon = figure.get_by_role("slider").all()
    button = figure.get_by_role("button", name="Publish one answer")
    for part in (figure.locator("svg"), epsilon, button):
        expect(part).to_be_in_viewport(ratio=1)
    box = figure.locator("svg").bounding_box()
    line.click(position={"x": 0.7 * box["width"], "y": 60})
    stands = figure.locator(".line circle").bounding_box()
    assert stands["x"] + stands["width"] / 2 == pytest.approx(
        box["x"] + 0.7 * box["width"], abs=30
    )
    place = (box["x"] + 0.4 * box["width"], box["y"] + 60)
    seen = [says.text_content()]
    for move in (
        lambda: line.press("ArrowLeft"),
        lambda: touched.touchscreen.tap(*place),
        lambda: epsilon.press("End"),
    ):
        move()
        seen.append(says.text_content())
    # Whoever scrolls moves nothing, wherever the finger touches the picture.
    swipe(touched, (box["x"] + 60, box["y"] + 200), up=150)
    touched.wait_for_function("scrollY > 0")
    assert says.text_content() == seen[-1]
    assert len({*seen}) == len(seen)
    heard, told = (
        figure.locator(".visually-hidden"),
        figure.locator(".dpwidgets-published"),
    )
    expect(heard).to_have_text(seen[-1])
    for many in (1, 2, 3):
        button.click()
        expect(told).to_contain_text(f"of {many}.")
    number, guess, truth, wins = re.fullmatch(
        r"Published: (\S+)\. The line says “(.+)”, and it was “(.+)”\. "
        r"Right so far: (\d) of 3\.",
        told.text_content(),
    ).groups()
    assert {guess, truth} <= {"with Ada", "without Ada"}
    assert (guess == truth) <= int(wins) <= 2 + (guess == truth)
    at = float(
        line.get_attribute("aria-valuetext").split()[0].replace("−", "-")
    )
    assert (float(number.replace("−", "-")) > at) == (guess == "with Ada")
    epsilon.press("Home")
    expect(told).to_be_empty()


def test_the_first_page_leads_to_answers_and_to_what_is_here(page):
    page.open("index.html")
    doors = page.locator(".dpwidgets-doors > li")
    expect(doors).to_have_count(3)
    for place, head in ((1, "Explorers"), (2, "The desk")):
        doors.nth(place).get_by_role("link").first.click()
        expect(page.locator("h1")).to_contain_text(head)
        page.go_back()
    page.get_by_role("link", name="A course", exact=True).click()
    expect(page.locator("h1")).to_contain_text("A course")
    # What people look for, by whatever name.
    for sought in ("DP-SGD", "Renyi", "k-anonymous"):
        page.keyboard.press("Control+k")
        page.keyboard.type(sought)
        page.keyboard.press("Enter")
        page.locator("#search-results li a[href*='SCOPE.html']").first.click()
        expect(page.locator("h1")).to_contain_text("What is here")
        if sought in TERMS:
            expect(page.get_by_role("heading", name=sought)).to_be_visible()
        page.wait_for_load_state()  # before that no script takes a key


def test_what_is_here_leads_to_a_notebook_and_what_is_not_to_another_place():
    here, _, elsewhere = SCOPE.partition("## Not here")
    for part, target in ((here, "](notebooks/"), (elsewhere, "](https://")):
        entries = part.split("\n### ")[1:]
        assert all(target in entry for entry in entries)
        assert entries == sorted(entries, key=str.lower)
    assert {"DP-SGD", "zCDP", "k-anonymity"} <= set(TERMS)
