"""How every picture looks: colours, sizes and the few things that all plots do alike.

The colours follow Okabe and Ito's, which colour-blind readers tell apart,
darkened until each can be read as words against the paper, since a line's
name has the line's colour. Each is paired with a line style, so that no curve
is known by its colour alone. On a page, a picture takes the page's theme: each colour has
another one for the dark. In a file it is a light card with its own background.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from matplotlib.axis import XAxis
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path
from matplotlib.ticker import Formatter

from dpwidgets.inputs.notation import show

#: Keyword arguments of an artist, by name.
Look: TypeAlias = dict[str, Any]
Extent: TypeAlias = tuple[float, float, float]

PAPER = "#fdfdfb"
INK = "#222222"
FAINT = "#d8d8d4"  # for what may be overlooked: grids
MUTED = "#737370"
MAIN = "#0072b2"
ACCENT = (
    "#d55e00"  # the hand's: what a reader can take hold of, and nothing else
)
BAD = "#b3246b"  # what is wrong, missed or forbidden
SHADES = ("#3f78b0", "#2a649c", "#194d80", "#0c3157")
#: The colours in a dark theme, with the same contrasts, and the words that
#: name them in CSS. Black and white are what matplotlib takes where a plot
#: says nothing.
DARK: dict[str, tuple[str, str]] = {
    PAPER: ("paper", "#1b1d1f"),
    INK: ("ink", "#e4e4e0"),
    FAINT: ("faint", "#404346"),
    MUTED: ("muted", "#8e8e8a"),
    MAIN: ("main", "#4ba3dc"),
    ACCENT: ("accent", "#f5883d"),
    BAD: ("bad", "#f285b5"),
    SHADES[0]: ("shade1", "#6b94bb"),
    SHADES[1]: ("shade2", "#8bb5dc"),
    SHADES[2]: ("shade3", "#b1d3f0"),
    SHADES[3]: ("shade4", "#dcecfb"),
    "#007f5c": ("green", "#21bd92"),
    "#7a5fb5": ("violet", "#b5a3ec"),
    "#54687a": ("slate", "#9fb4c6"),
    "#8a6d00": ("ochre", "#d3b23c"),
    "#000000": ("black", "#e4e4e0"),
    "#ffffff": ("white", "#1b1d1f"),
}
# What it is laid out in, then the nearest to it.
FONTS = "'DejaVu Sans','Bitstream Vera Sans',Verdana,sans-serif"
CURVES: tuple[Look, ...] = (
    {"color": "#007f5c", "linestyle": (0, (1, 1.2))},
    {"color": "#7a5fb5", "linestyle": (0, (5, 1.5))},
    {"color": "#54687a", "linestyle": (0, (5, 1.5, 1, 1.5))},
    {"color": "#8a6d00", "linestyle": (0, (8, 1.5, 1, 1.5, 1, 1.5))},
)
#: Lines that mark a value.
DOTTED: Look = {"color": INK, "linewidth": 1, "linestyle": ":"}
DASHED: Look = {"color": INK, "linewidth": 1, "linestyle": "--"}
#: The paper of words that lie over marks.
BEHIND: Look = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}
#: What is wrong, missed or forbidden, as a mark.
WRONG: Look = {"color": BAD, "marker": "x", "markeredgewidth": 1.6}
#: The same dashes for what is ordered: one hue, from light to dark.
ORDERED: tuple[Look, ...] = tuple(
    look | {"color": color} for look, color in zip(CURVES, SHADES, strict=True)
)
# Wide, solid and below: a curve that coincides stays visible.
PRESENT: Look = {"color": INK, "linewidth": 2.8, "zorder": 1.9}
# No word that stands between two tags: a `>` follows first.
_COLORS = re.compile(f"(?:{'|'.join(DARK)})(?=[^<>]*>)")
_BOTH = "".join(
    f"--dpw-{word}:light-dark({light},{dark});"
    for light, (word, dark) in DARK.items()
)
_DIGIT = re.compile(r"[1-9]")
# A word, or all of "ε = 0.2", "40 ± 2.32" and "1 in 5".
_TOGETHER = re.compile(r"\S+(?: (?:[=±]|(?<=\d )in(?= \d)) \S+)*")
_PICTURE = ".dpwidgets-picture"
_WIDGET = f":is(.dpw,{_PICTURE})"
# How a page says its theme: JupyterLab's, VS Code's, Colab's. marimo hands its
# own down to us.
_LIGHT_PAGE = (
    '[data-jp-theme-light="true"],html[theme="light"],.vscode-light,'
    ".vscode-high-contrast-light"
)
_DARK_PAGE = (
    '[data-jp-theme-light="false"],.vscode-dark,html[theme="dark"],'
    ".vscode-high-contrast:not(.vscode-high-contrast-light)"
)
#: The one style sheet of all pictures. Where a page does not say its theme,
#: the reader's is taken.
SHEET = (
    f"{_PICTURE}{{border-radius:4px;{_BOTH}}}"
    f"{_PICTURE}:is(.dpwidgets-stale,.dpw-late *){{opacity:0.4}}"
    f":is({_LIGHT_PAGE}) {_WIDGET}{{color-scheme:light}}"
    f":is({_DARK_PAGE}) {_WIDGET}{{color-scheme:dark}}"
    f"@media screen and (prefers-color-scheme:dark){{body {_PICTURE}{{color-scheme:dark}}}}"
)
#: What a vertical axis has on it: 0, ½ and 1.
HALVES: Look = {"yticks": (0, 0.5, 1), "yticklabels": ("0", "½", "1")}
TEXT, SMALL = 10.0, 9.0  # points: the heights of letters
#: How many points a CSS pixel is: a hundred pixels are an inch of a figure.
PIXEL = 0.72
_LONGEST = 100  # letters of anybody's words that are looked at


#: What is otherwise than matplotlib has it by itself while we build and draw,
#: whatever the session has set: a faint grid below, a box half open. Words are
#: never formulas, since people have typed some of them.
SETTINGS: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": TEXT,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": PAPER,
    "font.size": SMALL,
    "grid.color": FAINT,
    "grid.linewidth": 0.8,
    "svg.fonttype": "none",
    "svg.hashsalt": None,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "xtick.labelsize": SMALL,
    "ytick.color": INK,
    "ytick.labelsize": SMALL,
}


def look(**options: Any) -> Look:
    """Return options under their names: the look of an artist, or what `frame` takes."""
    return options


def themed(lines: str) -> str:
    """Return SVG whose colours are the page's: variables of CSS, which `SHEET` sets."""
    return _COLORS.sub(
        lambda found: f"var(--dpw-{DARK[found[0]][0]},{found[0]})", lines
    )


class Ticks(Formatter):
    """Numbers in as few digits as tell them apart, and as many of them as have room."""

    def __call__(self, value: float, pos: int | None = None) -> str:
        return show(value)

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        axis = self.axis
        most = 9 if isinstance(axis, XAxis) else 6
        words = _apart(show, values)
        if _longest(words) > most:
            words = min(words, _apart(power, values), key=_longest)
        if not isinstance(axis, XAxis) or not words:
            return words
        room = axis.axes.bbox.width / axis.axes.figure.dpi * 72 / SMALL
        every = math.ceil(len(words) * (max(map(width, words)) + 1) / room)
        # Of those that have room, 0 is one.
        first = words.index("0") % every if "0" in words else 0
        written = [""] * len(words)
        written[first::every] = words[first::every]
        return written


def _longest(words: Sequence[str]) -> int:
    """Return how many letters the longest word has."""
    return max(map(len, words), default=0)


def _apart(
    write: Callable[[float, int], str], values: Sequence[float]
) -> list[str]:
    """Write numbers in at least 3 digits, and in more where two of them would look alike."""
    for digits in range(3, 16):
        words = [write(value, digits) for value in values]
        if len(set(words)) == len(words):
            break
    return words


def power(value: float, digits: int = 3) -> str:
    """Write a number with an exponent: 50,000 as 5e4."""
    if value == 0 or not math.isfinite(value):
        return show(value)
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{show(float(mantissa), digits)}e{int(exponent)}"


@lru_cache(maxsize=1024)
def plain(words: str, room: float) -> str:
    """Return somebody's words as a picture can show them: in known letters, and cut to a width.

    A letter that the font lacks, or that has no shape, becomes a box. The
    width is in heights of the letters; it has room for the words in bold.
    """
    font = get_font(findfont(FontProperties()))
    known = ""
    for letter in words[:_LONGEST]:
        has_shape = font.get_char_index(ord(letter)) and letter.isprintable()
        known += letter if has_shape else "□"
    return cut(known, room, "bold")


def cut(words: str, room: float, weight: str = "normal") -> str:
    """Return words no wider than this, in heights of the letters; the last ones may be missing."""
    if width(words, weight) <= room:
        return words
    while words and width(f"{words}…", weight) > room:
        words = words[:-1].rstrip()
    return f"{words}…"


def lines(words: str, room: float) -> list[str]:
    """Return words in lines no wider than this, in heights of the letters, if a word has room.

    No line ends between a number and the sign before it, or within "1 in 5".
    """
    made: list[str] = []
    left = 0.0  # in the last line
    for word in _TOGETHER.findall(words):
        left -= width(f" {word}")
        if made and left >= 0:
            made[-1] += f" {word}"
        else:
            made.append(word)
            left = room - width(word)
    return made


def letters(pixels: float, size: float = SMALL) -> float:
    """Return how many heights of letters of this size, in points, so many pixels are."""
    return pixels * PIXEL / size


@lru_cache(maxsize=4096)
def width(words: str, weight: str = "normal") -> float:
    """Return how wide words are, in heights of the letters."""
    return measured(words, FontProperties(size=1, weight=weight), False)[0]


@lru_cache(maxsize=1024)
def measured(words: str, font: FontProperties, math: Any) -> Extent:
    """Return the width, height and descent of words; `math` tells whether they are a formula."""
    # Of a sentence that changes, most words were measured before; and all
    # digits are equally wide.
    parts = re.findall(" ?[^ ]*", _DIGIT.sub("0", words))
    each = [_one(part, font, math) for part in parts]
    widths, heights, descents = zip(*each, strict=True)
    descent = max(descents)
    above = max(
        high - low for high, low in zip(heights, descents, strict=True)
    )
    return sum(widths), above + descent, descent


# What matplotlib measures of a word, kept.
_one = lru_cache(maxsize=4096)(text_to_path.get_text_width_height_descent)


def area(color: str, alpha: float) -> Look:
    """Return the look of an area: light, so that curves are seen through it, in a dark outline."""
    return {
        "fill": True,
        "facecolor": (color, alpha),
        "edgecolor": color,
        "linewidth": 1,
    }


def ruler(value: float) -> float:
    """Return the smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that reaches a value above 0.

    A frame that must follow a value takes a ruler's length: it changes seldom,
    and to a round number.
    """
    decade = 10.0 ** math.floor(math.log10(value))
    lengths = (decade, 2 * decade, 5 * decade, 10 * decade)
    return next(length for length in lengths if length >= value * (1 - 1e-9))
