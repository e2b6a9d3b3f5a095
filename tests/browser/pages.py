"""A notebook in the browser, in the words of the tests."""

import re

from playwright.sync_api import Locator, expect

KERNEL = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
PIXELS = """async image => {
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const drawing = canvas.getContext('2d');
    drawing.drawImage(image, 0, 0);
    const bytes = drawing.getImageData(0, 0, canvas.width, canvas.height).data;
    return bytes.reduce((hash, byte) => (hash * 31 + byte) | 0, 0);
}"""


class Page:
    """One notebook in JupyterLab, and its first explorer."""

    def __init__(self, page, address, token):
        self.page, self.address, self.token = page, address, token
        self.errors = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.set_default_timeout(30_000)

    def open(self, notebook):
        """Open a notebook and wait for its kernel."""
        self.page.goto(f"{self.address}/doc/tree/{notebook}?token={self.token}&reset")
        self.page.wait_for_function(f"{KERNEL}?.status === 'idle'", timeout=60_000)

    def open_without_kernel(self, notebook):
        """Open a notebook as one reads it, without starting anything."""
        self.page.goto(f"{self.address}/lab?token={self.token}&reset")
        self.page.wait_for_function("window.jupyterapp?.commands.hasCommand('docmanager:open')")
        options = {"path": notebook, "kernelPreference": {"shouldStart": False}}
        self.page.evaluate("options => window.jupyterapp.commands.execute('docmanager:open', options)", options)

    def run_all(self):
        """Run every cell to the end."""
        self.page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)")

    def to_explorer(self):
        self.explorer.scroll_into_view_if_needed()
        self.picture.wait_for()

    @property
    def explorer(self) -> Locator:
        """The first explorer: the innermost box that holds both a picture and the first number box."""
        return self.page.locator(
            ".jp-OutputArea-output .widget-vbox", has=self.page.locator("img.dpwidgets-picture")
        ).first

    @property
    def picture(self) -> Locator:
        return self.explorer.locator("img.dpwidgets-picture")

    @property
    def sentence(self) -> Locator:
        return self.explorer.locator("output[role=status]")

    @property
    def alert(self) -> Locator:
        return self.explorer.get_by_role("alert")

    def box(self, label) -> Locator:
        return self.explorer.get_by_label(label, exact=True)

    def slider(self, label) -> Locator:
        """The handle beside the box with this label: core sliders have no name of their own."""
        row = self.explorer.locator(".widget-box", has=self.page.get_by_label(label, exact=True)).last
        return row.locator(".noUi-handle")

    def pixels(self) -> int:
        return self.picture.evaluate(PIXELS)

    def expect_sentence(self, *parts):
        for part in parts:
            expect(self.sentence).to_contain_text(re.compile(re.escape(part)))

    def expect_agreement(self):
        """The picture's words are the sentence."""
        expect(self.picture).to_have_attribute("alt", self.sentence.inner_text())
