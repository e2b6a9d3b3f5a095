"""The first page's picture: two hundred worlds, which worlds.js moves without Python."""

import json
from pathlib import Path
from string import Template
from typing import ClassVar

import numpy as np

from dpwidgets.calculators.attack import divide
from dpwidgets.plots import attack

#: Who is in half of the worlds.
WHO = "Ada"


class Worlds(attack.BothWorlds):
    """Two hundred worlds, with somebody and without her."""

    kinds: ClassVar = {True: f"with {WHO}", False: "without her"}


def figure() -> str:
    """Return the picture as it begins, at ε = 1 with the line halfway.

    A world is known by the noise that it has at ε = 1. Elsewhere it has that
    noise divided by ε.
    """
    start = divide(epsilon=1)
    noise, _ = start.rows_of(
        np.random.default_rng(start.seed), np.zeros(len(start.worlds))
    ).T
    words = {
        "says": Worlds.says(start),
        "inside": Worlds.kinds[True],
        "outside": Worlds.kinds[False],
    }
    return Template(
        Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    ).substitute(words, about=json.dumps({"noise": noise.tolist(), **words}))
