"""An explorer's picture shown in three other ways, in the kernels that `make bench` measures.

All move the explorer's first free parameter over the same grid as the
explorer's own slider.
"""

from base64 import b64encode

from IPython.display import display
from ipywidgets import HTML, IntSlider, VBox, interact as interact_with

import dpwidgets
from dpwidgets.page.parameters import Number
from dpwidgets.plots.base import Plot


def first(explorer) -> Number:
    """Return the first number whose slider can be moved and matters."""
    now = explorer.state.values
    return next(
        trait
        # As they stand on the page.
        for name, trait in explorer.parameters().items()
        if isinstance(trait, Number)
        and name in explorer.arguments()
        and name not in explorer.hidden(now)
    )


class Twin:
    """What an explorer would show at each stop of its first slider that can be moved."""

    def __init__(self, name: str, view: str = "") -> None:
        kind = getattr(dpwidgets, name)
        self.explorer = kind(view=view) if view else kind()
        trait = first(self.explorer)
        self.parameter, self.grid = trait.name, trait.grid
        place = self.explorer._shown[trait.name]["place"]
        self.slider = IntSlider(
            value=place, max=trait.grid.size - 1, readout=False
        )
        self.plot = kind.view.plots[self.explorer.view]

    def build(self) -> Plot:
        """Return a new plot on a figure of pyplot's, with pyplot's own settings.

        Its 100 dots per inch are fewer than the explorer's, and it is not laid
        out again.
        """
        import matplotlib.pyplot as plt

        width, height = self.plot.size
        # Without the figure that it would make for itself.
        plot = object.__new__(self.plot)
        plot.figure = plt.figure(figsize=(width / 100, height / 100))
        plot.build(plot.figure)
        return plot

    def result(self, index: int) -> object:
        return self.explorer.result_at(
            **{self.parameter: float(self.grid[index])}
        )


def floor(name: str, view: str = "") -> None:
    """Show pictures that are ready before the slider moves: nothing that follows it is faster."""
    twin, picture = Twin(name, view), HTML()
    plot = twin.plot()
    pngs = [plot.png(twin.result(index)) for index in range(twin.grid.size)]
    # Each of its own: two neighbours may look the same, and both are to be
    # shown.
    ready = [
        f'<img class="dpwidgets-picture" alt="{name}, {stop}" width="{plot.size[0]}" '
        f'height="{plot.size[1]}" src="data:image/png;base64,{b64encode(png).decode()}">'
        for stop, png in enumerate(pngs)
    ]
    picture.value = ready[twin.slider.value]
    twin.slider.observe(
        lambda change: setattr(picture, "value", ready[change["new"]]), "value"
    )
    display(VBox([twin.slider, picture]))


def interact(name: str, view: str = "") -> IntSlider:
    """Show the picture as one does out of habit: `interact`, and a new pyplot figure on every call.

    The same calculator and the same artists.
    """
    import matplotlib.pyplot as plt

    twin = Twin(name, view)

    def draw(index: int) -> None:
        twin.build().update(twin.result(index))
        plt.show()

    interact_with(draw, index=twin.slider)
    return twin.slider


def ipympl(name: str, view: str = "") -> None:
    """Show the picture by `%matplotlib widget`: one figure, whose artists follow the slider."""
    import matplotlib.pyplot as plt

    plt.switch_backend("widget")
    twin = Twin(name, view)
    with plt.ioff():
        plot = twin.build()
    plot.update(twin.result(twin.slider.value))

    def move(change: dict[str, int]) -> None:
        plot.update(twin.result(change["new"]))
        plot.figure.canvas.draw_idle()

    twin.slider.observe(move, "value")
    display(VBox([twin.slider, plot.figure.canvas]))
