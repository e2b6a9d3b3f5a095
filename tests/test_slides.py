"""A lecturer's pages and slides: they follow from the notebooks, and hold nothing of the labs."""

import re

import pytest
from playwright.sync_api import expect

import slides
from here import LESSONS, cells_of
from pages import visiting
from strips import Strip, shown

PAGES = sorted(slides.PAGES.glob("*.md"))


def test_each_lesson_has_a_page_that_the_overview_leads_to():
    assert [page.stem for page in PAGES] == [
        lesson.name[:2] for lesson in LESSONS
    ]
    overview = (slides.PAGES.parent / "teaching.md").read_text(
        encoding="utf-8"
    )
    assert [page.name for page in PAGES] == re.findall(
        r"\(teaching/(.*?)\)", overview
    )


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_is_not_old_and_its_eight_slides_take_ninety_minutes_and_ask_before_they_show(
    page,
):
    text = page.read_text(encoding="utf-8")
    assert text == slides.whole(page), "run `make slides`"
    made = list(slides.slides(text))
    assert len(made) == 8
    assert sum(slide.minutes for slide in made) == 90
    cells = cells_of(slides.notebook_of(page))
    title = cells[0].source.splitlines()[0]
    assert text.splitlines()[0] == f"# {page.stem} {title.removeprefix('# ')}"
    # A page sent its class to "*For home* below", long after that had gone.
    for part in re.findall(r"stands under \*(.+?)\*", text):
        assert any(cell.source.startswith(f"## {part}") for cell in cells)
    strips = [at for at, slide in enumerate(made) if slide.strip]
    asks = [
        at
        for at, slide in enumerate(made)
        if "?**" in slide.text.replace("\n", " ")
    ]
    assert min(asks) < min(strips)
    for slide in made:
        assert slide.notes, slide.title
        if slide.strip:  # it starts where its parameter moves
            _, link, name = slide.strip
            strip, view = Strip.of(link)
            explorer = strip.explorer(view)
            assert name in strip.moving(), slide.title
            assert name not in explorer.unused(explorer.state.values), (
                slide.title
            )
            assert not shown(explorer)[name]["hidden"], slide.title


def test_a_file_has_no_solution_and_keys_turn_its_slides_and_move_a_strip(
    browser, tmp_path
):
    document = tmp_path / "02.html"
    document.write_text(slides.built(slides.PAGES / "02.md"), encoding="utf-8")
    text = document.read_text(encoding="utf-8")
    assert not re.search(r"BEGIN SOLUTION|dpwidgets\.labs", text)
    assert len(text) < 3_000_000
    address, wide = document.as_uri(), []
    for scheme, width in (("light", 1280), ("dark", 400), ("light", 1920)):
        size = {"width": width, "height": max(720, width * 9 // 16)}
        with visiting(browser, address, **size, color_scheme=scheme) as page:
            page.goto(address)
            for title in (
                "A hospital counts",
                "Predict: ten times as many patients",
                "Move the count",
            ):
                page.keyboard.press("ArrowRight")
                expect(
                    page.get_by_role("heading", name=title)
                ).to_be_in_viewport()
            (count,) = page.get_by_role("slider", name="Count (c)").all()
            before = page.locator(".dpw-picture").first.inner_html()
            count.press("End")
            expect(page.locator(".dpw-sentence").first).to_contain_text(
                "a count of 100,000 "
            )
            assert page.locator(".dpw-picture").first.inner_html() != before
            page.locator("h1").click()
            page.keyboard.press("End")
            expect(
                page.get_by_role("heading", name="What to take away")
            ).to_be_in_viewport()
            page.keyboard.press("Home")
            expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
            assert (
                page.evaluate("document.documentElement.scrollWidth") <= width
            )
            picture = page.locator(".dpw-picture").first
            wide.append(picture.bounding_box()["width"])
            # What is folded in a picture stands where the picture puts it.
            margin = picture.evaluate(
                "picture => picture.appendChild(document.createElement('details'))"
                ".computedStyleMap().get('margin-top').value"
            )
            assert margin == 0
    # On a projector as much of the screen as on the desk.
    assert wide[2] == pytest.approx(1.5 * wide[0])
