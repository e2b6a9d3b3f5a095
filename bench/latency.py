"""How long a reader waits for a picture after a key press or a drag, and what the kernel holds."""

import itertools
import shutil
import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil  # comes with ipykernel

import dpwidgets
import ways
from pages import KERNEL, Page

# After so many the next way has its turn: a busy moment of the machine meets
# all.
BLOCK = 10
PAUSE = 150  # milliseconds between a picture and the next key press
MOVES, DRAG = 100, 2.0  # of the mouse, and the seconds they take
WAYS = {  # what the notebook's only cell says
    # The first imports matplotlib, which then builds its font cache.
    "floor": "import ways\n\nways.floor({name!r}, {view!r})",
    "explorer": "import dpwidgets\n\ndpwidgets.{name}(view={view!r})",
    "interact": "import ways\n\nways.interact({name!r}, {view!r});",
    "ipympl": "import ways\n\nways.ipympl({name!r}, {view!r})",
}
PICTURE = ".jp-OutputArea-output :is(img, div.dpwidgets-picture, .jupyter-matplotlib canvas)"
# Ours with a label, an input, or the core widget's; the thumb of ours is 24
# pixels wide and stays inside it. In a picture it is as wide as the input is
# high.
HANDLE = (
    '.jp-OutputArea-output :is(input.{look}[aria-label^="{label}"]:not([disabled]), '
    ".noUi-target:not([disabled]) .noUi-handle)"
)
SLIDER, HELD = "dpwidgets-slider", "dpw-handle"
GRIP = """handle => {
    const box = handle.getBoundingClientRect();
    if (handle.tagName !== 'INPUT')
        return [box.x + box.width / 2, box.y + box.height / 2,
                handle.closest('.noUi-base').clientWidth];
    const thumb = handle.matches('.dpw-handle') ? box.height : 24, width = box.width - thumb;
    return [box.x + thumb / 2 + width * handle.value / handle.max, box.y + box.height / 2, width];
}"""
# A key press makes the promise of the milliseconds until the first frame after
# the next picture has loaded, its lines have changed, or it was painted on a
# canvas.
WATCH = """() => {
    window.bench = {pictures: 0, wait: null};
    let shown = () => {};
    document.addEventListener('keydown', event => {
        bench.wait = new Promise((resolve, reject) => {
            shown = () => resolve(performance.now() - event.timeStamp);
            setTimeout(() => reject(new Error('no new picture within 20 s')), 20000);
        });
    }, true);
    let waiting = false;  // for the frame: both layers of a picture may change before it
    const drawn = () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => { waiting = false; bench.pictures += 1; shown(); });
    };
    document.addEventListener('load', event => {
        if (event.target.tagName === 'IMG') drawn();
    }, true);
    for (const picture of document.querySelectorAll('div.dpwidgets-picture'))
        new MutationObserver(drawn).observe(picture, {childList: true, subtree: true});
    const paint = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...of) {
        paint.apply(this, of);
        if (this.canvas.isConnected) drawn();
    };
}"""
TAKE = "() => { const wait = bench.wait; bench.wait = null; return wait; }"


class Wait(NamedTuple):
    """Milliseconds from a key press to the picture."""

    median: float
    p95: float


class Drag(NamedTuple):
    """What a drag showed."""

    frames: int
    ends_on_last: bool


class Measured(NamedTuple):
    """One way to show an explorer's picture, measured; of several runs the median."""

    wait: Wait
    drag: Drag | None  # of the default view alone
    megabytes: float


class Slider:
    """A notebook's slider with this label, or its only one, and the picture that follows it."""

    def __init__(
        self, page: Page, presses: int, label: str, look: str = SLIDER
    ) -> None:
        self.page = page.page
        # A hand stops anywhere, and the parameter at its next stop: a few of
        # them lie on the way.
        self.rough = look == HELD
        self.handle, self.picture = (
            self.page.locator(HANDLE.format(label=label, look=look))
            .locator("visible=true")
            .first,
            self.page.locator(PICTURE).first,
        )
        self.picture.wait_for()
        self.page.evaluate(WATCH)
        self.last = self._number("max")
        if self.value <= self.last / 2:
            there, back = ("ArrowRight", "ArrowLeft")
        else:
            there, back = ("ArrowLeft", "ArrowRight")
        room = 10 if self.rough else max(self.value, self.last - self.value)
        steps = min(presses // 2, room)
        self.walk = itertools.cycle([there] * steps + [back] * steps)

    @property
    def value(self) -> int:
        return self._number("value")

    def _number(self, name: str) -> int:
        """Return the value or the max of the handle, whichever kind it is."""
        there = {"value": "aria-valuenow", "max": "aria-valuemax"}[name]
        number = f"handle => handle.{name} ?? handle.getAttribute('{there}')"
        return int(float(self.handle.evaluate(number)))

    def press(self, keys: Iterable[str]) -> list[float]:
        """Press the keys one after the other and return the milliseconds that each picture took."""
        self.page.bring_to_front()
        self.handle.focus()
        waits = []
        for key in keys:
            self.page.keyboard.press(key)
            try:
                waits.append(self.page.evaluate(TAKE))
            except Exception as error:
                error.add_note(
                    f"at {self.page.url}, press {len(waits) + 1}, {key}"
                )
                raise
            self.page.wait_for_timeout(PAUSE)
        if None in waits:
            raise RuntimeError("a key press did not reach the page")
        return waits

    def drag(self) -> Drag:
        """Drag the handle to and fro; slider and picture must end where it is let go."""
        self.page.bring_to_front()
        before = self._pictures()
        start = self.value
        target = round(0.7 * self.last)
        stops = np.interp(
            range(1, MOVES + 1),
            [0, 30, 70, MOVES],
            [start, 0.1 * self.last, 0.9 * self.last, target],
        )
        x, y, width = self.handle.evaluate(GRIP)
        step = width / self.last
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        begin = time.monotonic()
        for move, stop in enumerate(stops, 1):
            self.page.mouse.move(x + (stop - start) * step, y)
            time.sleep(
                max(0.0, begin + move * DRAG / MOVES - time.monotonic())
            )
        self.page.mouse.up()
        frames = self._pictures_at_rest() - before
        there = abs(self.value - target) <= (
            self.last / 20 if self.rough else 0
        )
        return Drag(frames, there and self._shows_its_value())

    def _pictures(self) -> int:
        return self.page.evaluate("bench.pictures")

    def _pictures_at_rest(self) -> int:
        count = -1
        while count != (count := self._pictures()):
            self.page.wait_for_timeout(1500)
        return count

    def _shows_its_value(self) -> bool:
        """Tell whether one step away and back, without haste, leads to the present picture."""
        now = self._drawing()
        self.press(["ArrowRight"])
        other = self._drawing()
        self.press(["ArrowLeft"])
        return other != now == self._drawing()

    def _drawing(self) -> str:
        return self.picture.evaluate(
            "picture => picture.toDataURL?.() ?? picture.src"
            " ?? picture.querySelector('[role=img]').innerHTML"
        )


class Bench:
    """JupyterLab over a folder of notebooks, in a browser."""

    def __init__(
        self, browser, address: str, token: str, folder: Path
    ) -> None:
        self.browser, self.address, self.token, self.folder = (
            browser,
            address,
            token,
            folder,
        )
        shutil.copy(Path(__file__).with_name("ways.py"), folder)

    @contextmanager
    def page(self) -> Iterator[Page]:
        """Return a page for a notebook, whose kernel ends with it."""
        context = self.browser.new_context(
            viewport={"width": 1200, "height": 1000}
        )
        page = Page(
            context.new_page(), "lab", self.folder, self.address, self.token
        )
        yield page
        page.page.evaluate(
            "window.jupyterapp.commands.execute('kernelmenu:shutdown').then(() => true)"
        )
        context.close()

    @contextmanager
    def notebook(self, name: str, *cells: str) -> Iterator[Page]:
        """Open a notebook of these cells and run it."""
        with self.page() as page:
            page.write(f"{name}.ipynb", *cells)
            page.open(f"{name}.ipynb")
            page.run_all()
            yield page

    def bare_kernel(self) -> float:
        """Return the megabytes of a kernel that has run nothing."""
        with self.notebook("bare") as page:
            return megabytes(page)

    def view(
        self, name: str, view: str, runs: int, presses: int, drag: bool
    ) -> dict[str, Measured]:
        """Measure a view of an explorer and the other ways to show its picture, in turns."""
        with ExitStack() as stack:
            pages = {
                way: stack.enter_context(
                    self.notebook(
                        f"{name}_{view}_{way}",
                        code.format(name=name, view=view),
                    )
                )
                for way, code in WAYS.items()
            }
            label = ways.first(getattr(dpwidgets, name)(view=view)).label
            sliders = {
                way: Slider(page, presses, label)
                for way, page in pages.items()
            }
            # What the first pictures load, the later ones find.
            for slider in sliders.values():
                slider.press(itertools.islice(slider.walk, 4))
            presses = [press_in_turns(sliders, presses) for _ in range(runs)]
            return {
                way: Measured(
                    wait=_middle(presses, way),
                    drag=_median([slider.drag() for _ in range(runs)])
                    if drag
                    else None,
                    megabytes=megabytes(pages[way]),
                )
                for way, slider in sliders.items()
            }

    def in_the_picture(
        self, name: str, runs: int, presses: int
    ) -> tuple[str, dict[str, Measured]]:
        """Measure a parameter that is moved in an explorer's picture, there and by its slider."""
        explorer = getattr(dpwidgets, name)()
        free = (
            one.name
            for one in explorer._layers.handles
            if one.name != explorer.state.solved
        )
        label = explorer.parameters()[next(free)].label
        with ExitStack() as stack:
            sliders = {}
            for look in (SLIDER, HELD):
                code = WAYS["explorer"].format(name=name, view=explorer.view)
                page = stack.enter_context(
                    self.notebook(f"{name}_{look}", code)
                )
                sliders[look] = Slider(page, presses, label, look)
                sliders[look].press(itertools.islice(sliders[look].walk, 4))
            waits = [press_in_turns(sliders, presses) for _ in range(runs)]
            return label, {
                look: Measured(
                    _middle(waits, look),
                    _median([slider.drag() for _ in range(runs)]),
                    0,
                )
                for look, slider in sliders.items()
            }


def _middle(runs: list[dict[str, list[float]]], way: str) -> Wait:
    parts = (
        statistics.median(np.percentile(run[way], part) for run in runs)
        for part in (50, 95)
    )
    return Wait(*parts)


def _median(drags: list[Drag]) -> Drag:
    frames = statistics.median_low(drag.frames for drag in drags)
    return Drag(frames, all(drag.ends_on_last for drag in drags))


def press_in_turns(
    sliders: dict[str, Slider], presses: int
) -> dict[str, list[float]]:
    """Return the milliseconds of one run of so many key presses, for each way."""
    waits = {way: [] for way in sliders}
    for _ in range(presses // BLOCK):
        for way, slider in sliders.items():
            waits[way] += slider.press(itertools.islice(slider.walk, BLOCK))
    return waits


def megabytes(page: Page) -> float:
    """Return the resident memory of the page's kernel."""
    kernel = page.page.evaluate(f"{KERNEL}.id")
    children = psutil.Process().children(recursive=True)
    process = next(
        child
        for child in children
        if any(kernel in word for word in child.cmdline())
    )
    return process.memory_info().rss / 1e6
