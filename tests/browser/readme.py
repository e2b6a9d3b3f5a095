"""The README's picture: `PYTHONPATH=tests:tests/browser python tests/browser/readme.py` draws it.

What can be read in it stands in the file, too: so a test sees when it is out of date.
"""

import io

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from dpwidgets import IntervalExplorer
from pages import blank, draw_alone
from server import find_browser, launch
from tools import ROOT

PICTURE = ROOT / "notebooks/images/interval.png"


def shown():
    """Return what the picture has: the controls, the views, the sentence and the line of Python."""
    explorer = IntervalExplorer()
    parameters = explorer.parameters()
    labels = [parameter.label for parameter in parameters.values()]
    views = parameters["view"].options.values()
    return "\n".join([*labels, *views, explorer.sentence, explorer.code])


def main():
    with (
        launch(find_browser()) as chromium,
        blank(chromium, 1200, 700) as page,
    ):
        draw_alone(page, IntervalExplorer())
        picture = Image.open(io.BytesIO(page.locator(".dpw").screenshot()))
    said = PngInfo()
    said.add_itxt("shown", shown())
    picture.save(PICTURE, pnginfo=said, optimize=True)


if __name__ == "__main__":
    main()
