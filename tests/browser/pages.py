"""A notebook in the browser, in the words of the tests."""

import importlib.resources
import json
import warnings
from contextlib import contextmanager

import nbformat
from playwright.sync_api import Error as PlaywrightError, Locator, expect

import dpwidgets
from dpwidgets.plots import style

KERNEL = (
    "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
)
PATHS = {"lab": "doc/tree", "notebook": "notebooks", "voila": "voila/render"}
# anywidget gives a widget two seconds to load, and says so where a busy
# machine takes longer; a test that needs such a widget meets it by what the
# widget does not show.
LATE = "[anywidget] Failed to initialize model."
# What `make lite` brings into this environment expects JupyterLite.
LITE = "extensions/@jupyterlite/"
NOT_OURS = {
    "lab": [
        LATE,
        # At a notebook without a kernel.
        "Cannot read properties of null (reading 'kernel')",
        # Its splash is taken off twice where one theme follows another within
        # 0.2 s.
        "The node to be removed is not a child of this node",
        LITE,
    ],
    "notebook": [
        LATE,
        "reading 'schema'",  # on a fresh profile
        LITE,
    ],
    "voila": [
        LATE,
        # It asks a content network for MathJax; tests may be offline.
        "net::ERR_NAME_NOT_RESOLVED",
        # It loads the extensions of Notebook and nbgrader, which expect these.
        "@jupyter-notebook/lab-extension",
        "/labextensions/@jupyter/nbgrader/",
        LITE,
    ],
}
# Whether the page has asked the kernel for its widgets: it does so once, at
# the start, and a cell that makes some at the same moment may leave the page
# waiting for them for ever.
RESTORED = """async () => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    const view = "application/vnd.jupyter.widget-view+json";
    const manager = await notebook.rendermime.createRenderer(view)._manager.promise;
    return manager.restoredStatus;
}"""
RUN_ALL = "window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)"
# How many outputs each cell has, by its id.
OUTPUTS = """() => Object.fromEntries(
    [...window.jupyterapp.shell.currentWidget.content.model.cells]
        .filter(cell => cell.type === "code").map(cell => [cell.id, cell.outputs.length])
)"""
# Kept once nothing in any explorer has moved for thirty frames; a slow page
# has slow frames.
LAID_OUT = """new Promise(resolve => {
    let before = '', same = 0;
    const look = () => {
        const parts = [...document.querySelectorAll('.dpw, .dpw *')];
        const now = JSON.stringify(parts.map(part => part.getBoundingClientRect()));
        same = now === before ? same + 1 : 0;
        before = now;
        if (same < 30) requestAnimationFrame(look); else resolve(true);
    };
    look();
})"""
# What stands in more than one line, of words of this kind.
BROKEN = """(parts, kind) => parts.flatMap((part) => {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT), found = [];
  for (let node; (node = walker.nextNode()); )
    for (const { index, 0: word } of node.data.matchAll(new RegExp(kind, "gu"))) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map((one) => one.top);
      if (new Set(tops).size > 1) found.push(word);
    }
  return found;
})"""
# Draws a page without a kernel: `answer` then says what one would, and `sent`
# what it was told. If there is a function `kernel`, it answers.
ALONE = """async ([code, sheet, state]) => {
  const link = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const { default: { render } } = await import(link);
  const listeners = {};
  document.head.append(Object.assign(document.createElement("style"), { textContent: sheet }));
  window.sent = [];
  window.answer = (shown = {}) => {
    state._shown = { ...state._shown, ...shown, "": { turn: state._asked.turn } };
    listeners["change:_shown"]();
  };
  const host = { getWidget: async () => ({ render: ({ el }) => el.append("Its explorer.") }) };
  render({ el: document.querySelector("#place") ?? document.body, host, model: {
    get: (name) => state[name], set: (name, value) => (state[name] = value),
    save_changes: async () => {
      sent.push(state._asked);
      Object.assign(state, await window.kernel?.(state._asked));
      if (window.kernel) for (const callback of Object.values(listeners)) callback();
    },
    on: (event, callback) => (listeners[event] = callback), off: () => {},
  } });
}"""
# What a page looks wrong by: what leaves its column or is cut off, what is too
# small for a finger, and words and boxes that lie over each other.
WRONG = """() => {
  const found = [];
  const box = (node) => node.getBoundingClientRect();
  const say = (what, ...nodes) =>
    found.push([what, ...nodes.map((node) => node.outerHTML.slice(0, 90))].join("\\n  "));
  const visible = (selector) =>
    [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility());
  for (const node of visible(".dpw :not(svg, svg *)")) {
    const { left, right } = box(node);
    if (left < -0.5 || right > innerWidth + 0.5) say("leaves its column", node);
    const cut = node.scrollWidth > node.clientWidth + 1 && node.clientWidth;
    // Beyond a picture's side may be the empty end of the way of a handle.
    // What only a screen reader hears has no room of its own.
    const free = "input, select, textarea, .dpw-picture, .dpw-spoken, .dpw-head";
    if (cut && !node.matches(free)) say("is cut off", node);
  }
  for (const node of visible(".dpw :is(button, summary, select, textarea, a, input)")) {
    const { width, height } = box(node.matches("label > input") ? node.parentElement : node);
    if (Math.min(width, height) < 24) say("is too small", node);
  }
  const leaves = visible(".dpw *").filter((node) =>
    node.matches(".dpw-picture, .dpw-field") ||
    !node.closest(".dpw-picture") && [...node.childNodes].some((one) => one.nodeName === "#text"));
  leaves.forEach((one, at) => leaves.slice(at + 1).forEach((other) => {
    // A record at a hearing scrolls by itself.
    if (one.closest(".dpw-record") !== other.closest(".dpw-record")) return;
    const [a, b] = [box(one), box(other)];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1 && !one.contains(other)) say("overlap", one, other);
  }));
  return found;
}"""
#: axe's rules for the levels A and AA, and those that a theme's colors may break.
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLORS = ["color-contrast", "link-in-text-block"]
MORE = "dpwidgets.Question('Three and three?', answer=6, then='It is even.')"
TASK = (
    "dpwidgets.Task('Find Kelly.', WorldsExplorer, reached=lambda result: 'Kelly' in "
    "[result.names[guess] for guess in result.guesses], solution={'answer': 4.7}, hint='Near 5.')"
)
DRAWS = "dpwidgets.Draws(dpwidgets.LossExplorer(), seed=3)"
BY_HAND = """
from dpwidgets.teaching.by_hand import BayesTable
BayesTable(n=5, p=0.3, epsilon=1, answer=4)
"""
expect.set_options(timeout=15_000)  # a busy machine draws slowly


def violations(
    page, where: object = ".dpw", **options
) -> list[tuple[str, list[str]]]:
    """Return what axe finds wrong in a part of a page, each with its elements.

    By itself axe leaves out how large targets are, which WCAG 2.2 asks for. An
    axe that has measured the contrast of few texts would find nothing too.
    """
    script = importlib.resources.files("axe_playwright_python") / "axe.min.js"
    options = options or {"rules": {"target-size": {"enabled": True}}}
    page.evaluate(script.read_text(encoding="utf-8") + "; 0")
    found = page.evaluate(
        f"axe.run({{include: {json.dumps(where)}}}, {json.dumps(options)})"
    )
    legible = next(
        one["nodes"]
        for one in found["passes"]
        if one["id"] == "color-contrast"
    )
    assert len(legible) > 5
    return [
        (one["id"], [node["html"] for node in one["nodes"]])
        for one in found["violations"]
    ]


def broken_words(page, parts: str, kind: str = r"[\p{L}\d]+") -> list[str]:
    """Return the words in these parts of a page that are broken within."""
    return page.locator(parts).evaluate_all(BROKEN, kind)


def rgb(color: str) -> str:
    """Return a color as the browser writes it."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return f"rgb({red}, {green}, {blue})"


def expect_ink(text: Locator, dark: bool) -> None:
    """A text of a picture comes to have the theme's color."""
    expect(text).to_have_css(
        "fill", rgb(style.DARK[style.INK][1] if dark else style.INK)
    )


def draw_alone(page, widget):
    """Draw a widget on an empty page, in the element `place` if there is one; return the page."""
    # Where the page has a child.
    state = {"explorer": "anywidget:of another widget"}
    state |= {
        name: one for name, one in widget.get_state().items() if name[0] == "_"
    }
    page.evaluate(ALONE, [widget._esm, widget._css, state])
    return page


@contextmanager
def blank(browser, width=1200, height=1000, not_ours=(), **options):
    """Yield an empty page in a context of its own; an error in the browser fails the test."""
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, **options)
    page = context.new_page()
    page.errors = []

    def note(error):
        if not any(known in error for known in not_ours):
            page.errors.append(error)

    page.on("pageerror", lambda error: note(f"{error}\n{error.stack}"))
    page.on("console", lambda told: told.type == "error" and note(told.text))
    yield page
    context.close()
    assert page.errors == [], page.errors


@contextmanager
def visiting(browser, address, **options):
    """Yield a page that opens paths of a site, and fails the test where it asks for more.

    What it asks another address for never gets there.
    """

    def is_elsewhere(url):
        return not url.startswith((address, "blob:", "data:"))

    # Axe asks in vain for sheets; that files of the site are there, links tell.
    not_ours = ["Failed to load resource"]
    with blank(browser, not_ours=not_ours, **options) as page:
        page.asked = []
        page.context.on(
            "request", lambda request: page.asked.append(request.url)
        )
        page.context.route(is_elsewhere, lambda route: route.abort())
        page.open = lambda path: page.goto(f"{address}/{path}")
        yield page
        elsewhere = [*filter(is_elsewhere, page.asked)]
        assert elsewhere == [], elsewhere


def draw_living(page, widget):
    """Draw a widget on an empty page that it answers, as from a kernel that is quick."""

    def answer(asked):
        widget.set_state({"_asked": asked})
        told = {"_still", "_moving", "_shown"} & {*widget.traits()}
        return {name: getattr(widget, name) for name in told}

    page.expose_function("kernel", answer)
    return draw_alone(page, widget)


def middle(handle):
    """Return where the middle of a handle's thumb is on the page."""
    return handle.evaluate("""(node) => {
        const box = node.getBoundingClientRect(), share = node.value / node.max;
        const upright = node.ariaOrientation === "vertical";
        const thumb = upright ? box.width : box.height;
        return upright
            ? [box.x + thumb / 2, box.bottom - thumb / 2 - share * (box.height - thumb)]
            : [box.x + thumb / 2 + share * (box.width - thumb), box.y + thumb / 2];
    }""")


def part(page, label) -> Locator:
    """The outermost widget with a control of this label."""
    return page.locator(".dpw", has=page.get_by_label(label, exact=True)).first


def asking(page, prompt) -> Locator:
    """The widget that asks this."""
    return page.locator(".dpw", has=page.get_by_text(prompt, exact=True)).first


def lines(widget) -> list[str]:
    """What the two layers of the picture in a widget or page hold, without its words."""
    layers = widget.locator(".dpwidgets-picture :not(.dpw-trace) > svg")
    return layers.evaluate_all("all => all.map(one => one.outerHTML)")


def drag(page, handle, across=0, up=0):
    """Take a handle in its middle and move it; return where the pointer let it go."""
    x, y = middle(handle)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y - up, steps=5)
    page.mouse.up()
    return x + across, y - up


def swipe(page, start, across=0, up=0, ends="touchEnd"):
    """Put a finger on a place of the window and move it; it goes away, or the system takes it."""
    client, (x, y) = page.context.new_cdp_session(page), start
    for part in range(7):
        place = {"x": x + part / 5 * across, "y": y - part / 5 * up}
        client.send(
            "Input.dispatchTouchEvent",
            {
                "type": ["touchStart", *["touchMove"] * 5, ends][part],
                "touchPoints": [place] if part < 6 else [],
            },
        )


def expect_each_move_is_answered(page, explorer: Locator) -> None:
    """Five keys and a drag each move the box, the sentence and the picture of an interval."""
    box = explorer.get_by_role("textbox", name="Half-width (w)")
    slider = explorer.locator("[data-name=half_width] .dpwidgets-slider")
    handle = explorer.locator("[data-name=half_width] > .dpw-handle")
    picture = explorer.locator(".dpw-picture").get_by_role("img")
    handle.scroll_into_view_if_needed()
    for move in [lambda: slider.press("ArrowRight")] * 5 + [
        lambda: drag(page, handle, across=60)
    ]:
        before = box.input_value()
        move()
        expect(box).not_to_have_value(before)
        expect(explorer).to_have_attribute("aria-busy", "false")
        now = dpwidgets.IntervalExplorer(half_width=float(box.input_value()))
        expect(explorer.locator(".dpw-sentence")).to_have_text(now.sentence)
        expect(picture).to_have_attribute("aria-label", now.sentence)


class Page:
    """One notebook in JupyterLab, Notebook or Voila."""

    def __init__(self, page, kind, notebooks, address, token):
        self.page, self.kind, self.notebooks = page, kind, notebooks
        self.address, self.token = address, token
        page.set_default_timeout(30_000)

    def open(self, notebook):
        """Open a notebook and wait for its kernel; Voila runs the notebook on its way."""
        reset = "&reset" if self.kind == "lab" else ""
        address = f"{self.address}/{PATHS[self.kind]}/{notebook}?token={self.token}{reset}"
        self.page.goto(address, timeout=60_000)
        if self.kind != "voila":
            self.await_kernel()

    def await_kernel(self):
        """Wait until a notebook that was opened can be run."""
        self.page.wait_for_function(
            f"{KERNEL}?.status === 'idle'", timeout=60_000
        )
        self.page.wait_for_function(RESTORED, timeout=60_000)

    def show(self, *cells):
        """Run these cells; once more where the page waits for a widget for ever.

        It does where a message was lost: while 1,000 wait for a busy server,
        ZeroMQ drops the next.
        """
        try:
            self._show("shown.ipynb", *cells)
        except PlaywrightError as late:  # seldom
            with warnings.catch_warnings():
                # Said in the summary of the run, and no failure.
                warnings.simplefilter("default")
                warnings.warn(
                    f"begun once more: {late.message}; {self.page.errors}",
                    stacklevel=1,
                )
            self.page.errors.clear()
            self._show("shown_again.ipynb", *cells)  # has another kernel

    def _show(self, name, *cells):
        """Open a notebook with these cells, after one that imports dpwidgets, and run it."""
        notebook = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_code_cell(cell)
                for cell in ("import dpwidgets", *cells)
            ],
            metadata={
                "kernelspec": {"name": "python3", "display_name": "Python 3"}
            },
        )
        nbformat.write(notebook, self.notebooks / name)
        self.open(name)
        self.run_all()

    def run_all(self):
        """Run every cell to the end."""
        if self.kind != "voila":
            self.page.wait_for_function(RUN_ALL, timeout=60_000)

    def expect_outputs(self, notebook):
        """Each cell has as many outputs as are stored with it, and none of them is an error."""
        cells = nbformat.read(self.notebooks / notebook, as_version=4).cells
        stored = {
            cell.id: len(cell.outputs)
            for cell in cells
            if cell.cell_type == "code"
        }
        assert self.page.evaluate(OUTPUTS) == stored
        expect(self.page.get_by_text("model not found")).to_have_count(0)
        error = "[data-mime-type='application/vnd.jupyter.error']"
        expect(self.page.locator(error)).to_have_count(0)


@contextmanager
def opened(browser, server, notebooks, kind):
    """Yield a page of notebooks; a message on the error console is a failure."""
    with blank(browser, not_ours=NOT_OURS[kind]) as page:
        yield Page(page, kind, notebooks, *server)
