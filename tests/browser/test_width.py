"""An explorer takes the width that its page has: narrow, usual and wide."""

import pytest

from pages import EXPLORERS, LAID_OUT

pytestmark = pytest.mark.parametrize("kind", ["lab", "notebook", "voila"], indirect=True)

# Of each explorer: how wide its place is, whether the picture stands beside the controls or below,
# and which of its elements are cut off, stand out, or have a scroll bar.
LOOK = """() => [...document.querySelectorAll('.dpw-explorer')].map(explorer => {
    const place = explorer.parentElement.getBoundingClientRect();
    const controls = explorer.querySelector('.dpw-controls').getBoundingClientRect();
    const picture = explorer.querySelector('.dpwidgets-picture').getBoundingClientRect();
    const seen = [...explorer.querySelectorAll(':not(svg *)')]
        .filter(one => one.getClientRects().length);
    const out = seen.filter(one => {
        const box = one.getBoundingClientRect();
        return box.left < place.left - 1 || box.right > place.right + 1
            || !one.closest('select, input, textarea') && one.scrollWidth > one.clientWidth + 1
            && getComputedStyle(one).display !== 'inline';
    });
    return {
        width: place.width,
        beside: picture.left >= controls.right && picture.top < controls.bottom,
        below: picture.top >= controls.bottom,
        picture: picture.width,
        out: out.map(one => one.outerHTML.slice(0, 150)),
    };
})"""


def a_finger_meets_the_first_slider_too(page):
    slider = page.slider("Epsilon (ε)")
    slider.scroll_into_view_if_needed()
    place = slider.bounding_box()
    assert place["height"] >= 44
    for height in (place["y"] + 1, place["y"] + place["height"] - 1):
        found = page.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).getAttribute('aria-label')",
            [place["x"] + place["width"] / 4, height],
        )
        assert found == "Epsilon (ε)"


def test_controls_stand_beside_the_picture_where_there_is_room_and_nothing_is_cut(page):
    page.show_explorers(*EXPLORERS)
    if page.kind == "lab":
        page.page.evaluate("window.jupyterapp.shell.collapseLeft()")
    page.page.locator(".dpw-explorer").nth(len(EXPLORERS) - 1).wait_for()
    a_finger_meets_the_first_slider_too(page)
    widths = []
    for window in (400, 800, 1400):
        page.page.set_viewport_size({"width": window, "height": 1000})
        page.page.wait_for_function(f"window.innerWidth === {window}")
        page.await_promise(LAID_OUT)
        explorers = page.page.evaluate(LOOK)
        assert len(explorers) == len(EXPLORERS)
        for one in explorers:
            assert one["out"] == []
            assert (one["beside"], one["below"]) == (one["width"] >= 900, one["width"] < 900)
            assert one["picture"] <= 640
        widths.append(explorers[0]["width"])
    assert widths[0] < 400 < widths[1] < 1000 < widths[2]
