"""The picture in the browser: what a PNG shows, in each theme and with any font."""

import io

import numpy as np
import pytest
from PIL import Image

import dpwidgets
from dpwidgets.plots import style
from tools import main

VIEWS = [
    (getattr(dpwidgets, name), view)
    for name in dpwidgets.__all__
    if name.endswith("Explorer")
    for view in getattr(dpwidgets, name).parameters()["view"].options
]
each_view = pytest.mark.parametrize(
    ("kind", "view"), VIEWS, ids=lambda one: one if isinstance(one, str) else one.__name__
)
BLOCK = 12  # pixels
# Of 255. Letters and lines that are drawn by another program differ by up to 25 in a block; without
# a digit, a block differs by 45 and more.
TOLERANCE = 32
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


@pytest.fixture(scope="module")
def sheet(browser):
    """An empty page, as dense as a PNG."""
    context = browser.new_context(viewport={"width": 700, "height": 700}, device_scale_factor=1.5)
    yield context.new_page()
    context.close()


def lay(sheet, explorer, theme="light", look=""):
    """Lay the two layers of an explorer on a page of a theme."""
    layers = "".join(
        f'<div style="grid-area:1/1">{layer}</div>' for layer in (explorer._still, explorer._moving)
    )
    light = str(theme == "light").lower()
    sheet.set_content(
        f'<meta charset="utf-8"><style>{style.SHEET}{look}</style>'
        f'<body data-jp-theme-light="{light}" style="margin:0">'
        '<div id="picture" class="dpwidgets-picture" '
        f'style="display:grid;width:640px;border-radius:0">{layers}</div>'
    )


def difference(sheet, png):
    """Return how much the page differs from a PNG, in the block where it does most."""
    shot = Image.open(io.BytesIO(sheet.locator("#picture").screenshot()))
    blocks = []
    for image in (shot, Image.open(io.BytesIO(png))):
        pixels = np.asarray(image.convert("RGB"), float)
        high, wide, _ = (size // BLOCK for size in pixels.shape)
        pixels = pixels[: high * BLOCK, : wide * BLOCK]
        blocks.append(pixels.reshape(high, BLOCK, wide, BLOCK, 3).mean((1, 3)))
    return np.abs(blocks[0] - blocks[1]).max()


@each_view
def test_the_layers_show_what_the_png_shows_and_no_font_makes_a_text_wider_or_cuts_it_off(
    sheet, kind, view
):
    explorer = kind(view=view)
    for font in ("monospace", "serif", "DejaVu Sans"):
        lay(sheet, explorer, look=f"text{{font-family:{font} !important}}")
        assert sheet.evaluate(CUT) == [], font
    for number in (getattr(explorer, main(kind)), 1.7):
        setattr(explorer, main(kind), number)
        lay(sheet, explorer, look=".dpwidgets-picture{border-radius:0 !important}")
        assert difference(sheet, explorer.still.png) < TOLERANCE


def test_a_missing_label_or_curve_would_be_seen(sheet):
    explorer = dpwidgets.IntervalExplorer(view="curves", half_width=0.4)
    lay(sheet, explorer, look=".dpwidgets-picture{border-radius:0 !important}")
    parts = sheet.locator("#picture text, #picture path[clip-path][style*='stroke-width: 1.8']")
    assert parts.count() > 20
    for part in parts.all():
        part.evaluate("part => { part.style.visibility = 'hidden'; }")
        assert difference(sheet, explorer.still.png) > TOLERANCE
        part.evaluate("part => { part.style.visibility = ''; }")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colors_are_those_of_the_theme(sheet, theme):
    lay(sheet, dpwidgets.IntervalExplorer(view="curves"), theme)
    seen = sheet.evaluate(
        "() => [...document.querySelectorAll('#picture path, #picture text')]"
        ".flatMap(one => [getComputedStyle(one).fill, getComputedStyle(one).stroke])"
    )
    palette = style.DARK if theme == "light" else [color for _, color in style.DARK.values()]
    known = {
        f"rgb({', '.join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5))})"
        for color in palette
    }
    assert len(set(seen) - {"none"}) > 6
    assert set(seen) - {"none"} <= known


def test_a_page_without_a_theme_takes_the_readers(browser):
    for scheme, color in (("light", style.PAPER), ("dark", style.DARK[style.PAPER][1])):
        context = browser.new_context(color_scheme=scheme)
        sheet = context.new_page()
        explorer = dpwidgets.IntervalExplorer()
        sheet.set_content(
            f"<style>{style.SHEET}</style>"
            f'<body><div class="dpwidgets-picture">{explorer._still}</div>'
        )
        card = sheet.locator("path").first.evaluate("path => getComputedStyle(path).fill")
        assert card == f"rgb({', '.join(str(int(color[at : at + 2], 16)) for at in (1, 3, 5))})"
        context.close()
