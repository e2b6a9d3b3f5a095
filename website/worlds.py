"""The first page's picture: two hundred worlds, which worlds.js moves without Python."""

import json
from dataclasses import replace
from pathlib import Path
from string import Template

import numpy as np

from dpwidgets.calculators.attack import divide
from dpwidgets.plots.attack import BothWorlds


def figure() -> str:
    """Return the picture as it begins, at ε = 1 with the line halfway.

    A world is known by the noise that it has at ε = 1. Elsewhere it has that
    noise divided by ε.
    """
    start = replace(divide(epsilon=1), who="Ada")
    noise, _ = start.rows_of(
        np.random.default_rng(start.seed), np.zeros(len(start.worlds))
    ).T
    words = {
        "says": BothWorlds.says(start),
        "who": start.who,
        "inside": start.kinds[True],
        "outside": start.kinds[False],
    }
    return Template(
        Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
    ).substitute(words, about=json.dumps({"noise": noise.tolist(), **words}))
