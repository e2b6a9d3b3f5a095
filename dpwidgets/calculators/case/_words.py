"""A case in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpwidgets.calculators.case._data import Data
from dpwidgets.calculators.case._mechanisms import noise
from dpwidgets.inputs.notation import show

#: Plurals of which it is sure that they only lose their s; not so of series, buses, ms and km/s.
_PLURAL = re.compile(r".*[^\W\d_]{2}([^\W\d_aeiusxz]|[^\W\d_hiosvxz]e)s")


@dataclass(frozen=True, kw_only=True)
class Words(Data):
    """What sentences say of a case."""

    def measured(self, value: float, digits: int = 3, *, up: bool | None = None) -> str:
        """Write a number with the case's unit, such as 1 patient or 5 patients.

        Where the singular is not sure, the plural stays: 1 buses.
        """
        number, unit = show(value, digits, up=up), self.unit
        if number == "1" and (unit == "people" or _PLURAL.fullmatch(unit)):
            unit = "person" if unit == "people" else unit[:-1]
        return f"{number} {unit}"

    @property
    def sentence(self) -> str:
        """The case in words."""
        return f"{self.what} {self.step}"

    @property
    def what(self) -> str:
        """What is published, in words."""
        several = self.releases > 1
        one = f"{self.releases:,} {self.published}s" if several else f"A {self.published}"
        apiece = "each with its own" if several else "with"
        if self.published == "table":
            apiece = "each count with its own"
        return f"{one} of {self._of}, {apiece} {self.mechanism} noise."

    @property
    def _of(self) -> str:
        """Of what it is a count, a sum, a mean or a table."""
        some = self.contributions > 1
        thing = ("record" if self.counts else "value") if some else "person"
        plural = "people" if thing == "person" else f"{thing}s"
        whom = plural if self.n is None else f"{self.n:,} {plural if self.n > 1 else thing}"
        apiece = f", at most {self.contributions:,} of one person" if some else ""
        if self.published == "table":
            people = "people" if self.n is None else f"{self.n:,} people"
            return f"{self.cells:,} counts of {people} in disjoint cells, {self._appears}"
        if self.published == "count":
            return f"how many {'' if self.n is None else 'of '}{whom} have a property{apiece}"
        low, high = map(show, self.ends)
        each = "each person" if self.n is None else f"each of {whom}"
        values = f"{whom}{apiece}" if some else f"one value of {each}"
        return f"{values}, clipped to {low} to {high} {self.unit}"

    @property
    def _appears(self) -> str:
        """In how many cells of a table a person may be, and how often in one, in words."""
        often = f", and at most {self.per_cell:,} times in one" if self.per_cell > 1 else ""
        where = f"{self.contributions:,} of them" if self.contributions > 1 else "one of them"
        return f"each person in at most {where}{often}"

    @property
    def step(self) -> str:
        """What neighbours are, and how far the truth lies apart for them, in words."""
        several = self.contributions * self.per_cell > 1
        step = {
            "add/remove": "one person is added or removed",
            "replace": "one person’s records are replaced by as many others"
            if several
            else "one person’s record is replaced",
        }[str(self.neighbours)]
        change, cells = self.moved()
        moved = f"Δf = {self.measured(self.sensitivity)}"
        if cells == 1:
            return f"If {step}, the truth changes by at most {moved}."
        each = f"at most {cells:,} cells change, each by at most {self.measured(change)}"
        summed = "the root of the sum of their squares is at most"
        if self.mechanism != "Gaussian":
            summed = "together they change by at most"
        return f"If {step}, {each}: {summed} {moved}."

    def slip(self, reach: str) -> str:
        """Return what a sentence about beliefs adds where it fails with some probability.

        With a δ of others that is twice as much more: see `log_odds`.
        """
        moved, _ = self.moves(reach, fact=True)
        own = noise(self.mechanism, moved).slip(self.moves(reach)[1], self.delta_of(reach))
        return slip(own + 2 * self.others(reach)[1])


def slip(chance: float) -> str:
    """Return what a sentence adds that fails with at most this probability."""
    return f", except with a probability of {show(min(chance, 1.0), up=True)}" if chance else ""
