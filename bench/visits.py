"""How long a reader of the website waits for a picture: the first time, and at every key press."""

import statistics
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dpwidgets

EVENTS, PAUSE = 60, 60  # key presses, and the milliseconds after each
# From the key press to the end of the work for the frame that shows the new
# picture.
WATCH = """() => {
    window.waits = [];
    let pressed = 0;
    addEventListener("keydown", (event) => (pressed = event.timeStamp), true);
    const seen = () => requestAnimationFrame(() => {
        const since = pressed, channel = new MessageChannel();
        channel.port1.onmessage = () => waits.push(performance.now() - since);
        channel.port2.postMessage(0);
    });
    const picture = document.querySelector(".dpwidgets-picture > div + div");
    new MutationObserver(seen).observe(picture, { childList: true, subtree: true });
}"""


class Waits(NamedTuple):
    """Milliseconds until the first move is seen, then at the median and the 95th percentile."""

    first: float
    median: float
    most: float


def measure(browser, site: Path, word: str) -> Waits:
    """Move the slider whose file is the largest of the first picture's."""
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    page.goto(f"{site.as_uri()}/explorers/{word}.html")
    view = next(
        iter(getattr(dpwidgets, f"{word.capitalize()}Explorer").view.options)
    )
    strip = page.locator("figure").get_attribute("data-strip")
    files = (site / "_static" / "strips" / strip).glob(f"{view}-*.js")
    for file in sorted(files, key=lambda file: -file.stat().st_size):
        slider = page.locator(
            f"[data-name={file.stem.partition('-')[2]}] input[type=range]"
        )
        if slider.count():
            break
    page.evaluate(WATCH)
    waits = []
    for at in range(EVENTS + 1):
        if at == 0:
            key = "Home"
        else:
            if at % 20 in range(1, 11):
                key = "ArrowRight"
            else:
                key = "ArrowLeft"
        slider.press(key)
        page.wait_for_function("waits.length", timeout=30_000)
        page.wait_for_timeout(PAUSE)
        waits.append(page.evaluate("waits.splice(0)[0]"))
    page.close()
    return Waits(
        waits[0],
        statistics.median(waits[1:]),
        float(np.percentile(waits[1:], 95)),
    )
