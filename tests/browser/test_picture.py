"""The picture in the browser: what a PNG shows, in each theme and with any font."""

import io

import numpy as np
import pytest
from PIL import Image

import dpwidgets
from dpwidgets.plots import style
from pages import blank, rgb
from tools import every, main

BLOCK = 12  # pixels
# Of 255. Letters and lines that are drawn by another program differ by up to
# 35 in a block; without a digit, a block differs by 45 and more.
TOLERANCE = 36
# What lies beyond the picture, or takes more room than it was laid out for.
CUT = """() => {
    const whole = document.querySelector('#picture').getBoundingClientRect();
    return [...document.querySelectorAll('#picture text')].filter(text => {
        const box = text.getBoundingClientRect();
        const wide = text.getComputedTextLength() - text.textLength.baseVal.value;
        return Math.abs(wide) > 0.5 || box.left < whole.left - 0.5 || box.right > whole.right + 0.5
            || box.top < whole.top - 0.5 || box.bottom > whole.bottom + 0.5;
    }).map(text => text.textContent);
}"""
COLORS = """() => [...document.querySelectorAll('#picture path, #picture text')]
    .flatMap(one => [getComputedStyle(one).fill, getComputedStyle(one).stroke])"""


@pytest.fixture(scope="module")
def sheet(browser):
    """An empty page, as dense as a PNG."""
    with blank(browser, device_scale_factor=1.5) as page:
        yield page


def lay(sheet, explorer, body="data-jp-theme-light=true"):
    """Lay the two layers of an explorer on a page, whose body tells the theme."""
    layers = (explorer._still, explorer._moving)
    stacked = "".join(
        f'<div style="grid-area:1/1">{layer}</div>' for layer in layers
    )
    square = ".dpwidgets-picture{border-radius:0 !important}"
    sheet.set_content(
        f'<meta charset="utf-8"><style>{style.SHEET}{square}</style><body {body} '
        'style="margin:0"><div id="picture" class="dpwidgets-picture" '
        f'style="display:grid;width:640px">{stacked}</div>'
    )


def difference(sheet, png):
    """Return how much the page differs from a PNG, in the block where it does most."""
    shot = sheet.locator("#picture").screenshot()
    blocks = []
    for image in (shot, png):
        pixels = np.asarray(
            Image.open(io.BytesIO(image)).convert("RGB"), float
        )
        high, wide, _ = (size // BLOCK for size in pixels.shape)
        pixels = pixels[: high * BLOCK, : wide * BLOCK]
        blocks.append(pixels.reshape(high, BLOCK, wide, BLOCK, 3).mean((1, 3)))
    return np.abs(blocks[0] - blocks[1]).max()


@every
def test_the_layers_show_what_the_png_shows_and_no_font_makes_a_text_wider_or_cuts_it_off(
    sheet, kind
):
    explorer = kind()
    for view in explorer.parameters()["view"].options:
        explorer.view = view
        setattr(explorer, main(kind), 1.7)
        lay(sheet, explorer)
        assert difference(sheet, explorer.still.png) < TOLERANCE, view
        for font in ("monospace", "serif"):  # wider than ours, and narrower
            sheet.add_style_tag(
                content=f"text {{ font-family: {font} !important }}"
            )
            assert sheet.evaluate(CUT) == [], (view, font)


def test_the_colors_are_those_of_the_theme_or_where_a_page_has_none_the_readers(
    bare,
):
    light = {rgb(color) for color in style.DARK}
    dark = {rgb(c) for _, c in style.DARK.values()}
    for palette, readers, body in (
        (light, "dark", "data-jp-theme-light=true"),
        (dark, "light", "data-jp-theme-light=false"),
        (light, "light", ""),
        (dark, "dark", ""),
    ):
        bare.emulate_media(color_scheme=readers)
        lay(bare, dpwidgets.IntervalExplorer(view="curves"), body)
        seen = set(bare.evaluate(COLORS)) - {"none"}
        assert len(seen) > 6
        assert seen <= palette
