"""What is printed: the numbers that texts say, and what people read on a page."""

import html
import re

NUMBER = r"([−-]?\d[\d,]*(?:\.\d+)?(?:e[−-]?\d+)?%?|∞|nearly (?:0|100)%)"
#: A belief or a promise, which may also be 1 in so many.
CHANCE = rf"((?:1 in )?{NUMBER[1:]}"


def read(text):
    """Return the number that a text says, a percentage as a share."""
    if text.startswith("1 in "):
        return 1 / read(text.removeprefix("1 in "))
    plain = (
        text.removeprefix("nearly ")
        .replace("−", "-")
        .replace(",", "")
        .replace("∞", "inf")
    )
    return float(plain.rstrip("%")) / (100 if plain.endswith("%") else 1)


def said(pattern, text):
    """Return the numbers that a text says where a pattern is, of which {n} and {c} are numbers."""
    written = pattern.replace("{n}", NUMBER).replace("{c}", CHANCE)
    found = re.search(written, text)
    assert found, (pattern, text)
    return [read(number) for number in found.groups()]


def picture(explorer):
    """Return all that stands in an explorer's picture, on one line."""
    svg = explorer.still.plot.svg(explorer.still.result, "")
    return " ".join(
        html.unescape(one)
        for one in re.findall(r"<text[^>]*>(.*?)</text>", svg)
    )


def plain(page):
    """Return what people read on a page of HTML or Markdown, on one line."""
    text = re.sub("<style>.*?</style>|<[^>]*>", " ", page, flags=re.S)
    return " ".join(html.unescape(text).split())


def lines(record):
    """Return the lines of a record's page under each heading, as people read them."""
    plain = html.unescape(re.sub(r"</?span>|[*]", "", record.markdown()))
    sections = [
        section.partition("\n")
        for section in re.split("^#+ ", plain, flags=re.M)
    ]
    return {
        title: [
            line.strip("> -|")
            for line in body.splitlines()
            if line.strip("> -|")
        ]
        for title, _, body in sections
    }
