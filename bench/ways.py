"""An explorer's picture by `interact` and pyplot, in a kernel of the class that is measured.

It moves the explorer's first free parameter over the same grid as the
explorer's own slider.
"""

import matplotlib.pyplot as plt
from ipywidgets import IntSlider, interact as interact_with

import dpwidgets
from dpwidgets.page.parameters import Number


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


def interact(name: str) -> IntSlider:
    """Show the picture as one does out of habit: `interact`, and a new pyplot figure on every call.

    The same calculator and the same artists, with pyplot's own settings: its
    100 dots per inch are fewer than the explorer's.
    """
    kind = getattr(dpwidgets, name)
    explorer = kind()
    trait = first(explorer)
    place = explorer._shown[trait.name]["place"]
    slider = IntSlider(value=place, max=trait.grid.size - 1, readout=False)
    picture = kind.view.plots[explorer.view]
    width, height = picture.size

    def draw(index: int) -> None:
        # Without the figure that it would make for itself.
        plot = object.__new__(picture)
        plot.figure = plt.figure(figsize=(width / 100, height / 100))
        plot.build(plot.figure)
        number = float(trait.grid[index])
        plot.update(explorer.result_at(**{trait.name: number}))
        plt.show()

    interact_with(draw, index=slider)
    return slider
