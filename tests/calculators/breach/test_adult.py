"""The counts of Adult against figures of all 48,842 records that were computed apart from them."""

import csv
from pathlib import Path

import numpy as np
import pytest

import dpwidgets
from dpwidgets.calculators import breach

DATA = Path(dpwidgets.__file__).parent / "data"

# Smallest, largest, how many values occur, sum, sum of squares, median.
FIGURES = {
    "age": (17, 90, 74, 1887430, 82118100, 37),
    "education-num": (1, 16, 16, 492234, 5283612, 10),
    "hours-per-week": (1, 99, 96, 1974310, 87305746, 40),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_comes_out(name):
    low, high, distinct, total, squares, median = FIGURES[name]
    marginal = breach.attribute(name)
    records = np.repeat(marginal.values, marginal.counts.astype(int))
    assert (marginal.n, records.size) == (48842, 48842)
    assert (marginal.min, marginal.max, marginal.range) == (low, high, high - low)
    assert (records.sum(), (records**2).sum(), np.median(records)) == (total, squares, median)
    assert marginal.sensitivity == pytest.approx((high - low) / 48842, rel=1e-15)
    assert (np.diff(marginal.values) > 0).all()
    assert (marginal.counts > 0).all()
    assert marginal.values.size == distinct
    assert marginal.universe.tolist() == list(range(low, high + 1))


def test_the_table_holds_counts_and_no_records():
    with (DATA / "adult_marginals.csv").open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    assert header == ["attribute", "value", "count"]
    card = (DATA / "README.md").read_text(encoding="utf-8")
    said = ("adult_marginals.csv", "10.24432/C5XW20", "CC BY 4.0", "48,842")
    assert all(words in card for words in (*said, *(f"`{column}`" for column in header)))
    assert len({(attribute, value) for attribute, value, _ in rows}) == len(rows) == 186
    assert tuple(dict.fromkeys(attribute for attribute, _, _ in rows)) == breach.ATTRIBUTES


def test_another_attribute_is_refused_and_nobody_changes_the_counts():
    for name in ("fnlwgt", None, ["age"]):
        with pytest.raises(ValueError, match="name must be one of 'age', 'education-num', 'hours"):
            breach.attribute(name)
    with pytest.raises(ValueError, match="read-only"):
        breach.attribute("age").counts[0] = 1
