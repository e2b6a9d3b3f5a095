"""An explorer's picture shown in two other ways, in the kernels that `make bench` measures.

Both ways move the explorer's first free parameter over the same grid as the explorer's own slider.
"""

from base64 import b64encode

from IPython.display import display
from ipywidgets import HTML, IntSlider, VBox
from ipywidgets import interact as interact_with

import dpwidgets
from dpwidgets.widgets.controls import NumberControl


def first(explorer) -> NumberControl:
    """Return the control of the first number that can be moved and matters."""
    return next(
        control
        for name, control in explorer.controls.items()  # as they stand on the page
        if isinstance(control, NumberControl)
        and name in explorer.arguments()
        and name not in explorer.hidden()
        and not control.slider.disabled
    )


class Twin:
    """What an explorer would show at each stop of its first slider that can be moved."""

    def __init__(self, name: str, view: str = "") -> None:
        kind = getattr(dpwidgets, name)
        self.explorer = kind(view=view) if view else kind()
        self.explorer.unobserve_all()  # from now on it computes and draws nothing
        control = first(self.explorer)
        self.parameter = control.trait.name
        self.grid = control.trait.grid
        self.slider = IntSlider(value=control.slider.value, max=control.slider.max, readout=False)
        self.plot = self.explorer.controls["view"].trait.plots[self.explorer.view]

    def result(self, index: int) -> object:
        setattr(self.explorer, self.parameter, float(self.grid[index]))
        return self.explorer.compute()


def floor(name: str, view: str = "") -> None:
    """Show pictures that are ready before the slider moves: nothing that follows it is faster."""
    twin, picture = Twin(name, view), HTML()
    plot = twin.plot()
    pngs = [plot.png(twin.result(index)) for index in range(twin.grid.size)]
    ready = [  # each of its own: two neighbours may look the same, and both are to be shown
        f'<img class="dpwidgets-picture" alt="{name}, {stop}" width="{plot.size[0]}" '
        f'height="{plot.size[1]}" src="data:image/png;base64,{b64encode(png).decode()}">'
        for stop, png in enumerate(pngs)
    ]
    picture.value = ready[twin.slider.value]
    twin.slider.observe(lambda change: setattr(picture, "value", ready[change["new"]]), "value")
    display(VBox([twin.slider, picture]))


def interact(name: str, view: str = "") -> IntSlider:
    """Show the picture as one does out of habit: `interact`, and a new pyplot figure on every call.

    The same calculator and the same artists. The figure has pyplot's own settings: its 100 dots per
    inch are fewer than the explorer's, and it is not laid out again, both in favour of this way.
    """
    import matplotlib.pyplot as plt

    twin = Twin(name, view)
    width, height = twin.plot.size

    def draw(index: int) -> None:
        plot = object.__new__(twin.plot)  # without the figure that it would make for itself
        plot.figure = plt.figure(figsize=(width / 100, height / 100))
        plot.build(plot.figure)
        plot.update(twin.result(index))
        plt.show()

    interact_with(draw, index=twin.slider)
    return twin.slider
