"""A case in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpwidgets.calculators.case._data import ONE, Data
from dpwidgets.calculators.case._mechanisms import KINDS
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
        whom = "people" if self.n is None else f"{self.n:,} {'people' if self.n > 1 else 'person'}"
        if self.published == "count":
            what = f"how many {'' if self.n is None else 'of '}{whom} have a property"
            each = f"{self.releases:,} counts of" if self.releases > 1 else "A count of"
        else:
            each_of = "each person" if self.n is None else f"each of {whom}"
            low, high = map(show, self.ends)
            what = f"one value of {each_of}, clipped to {low} to {high} {self.unit}"
            one = f"A {self.published} of"
            each = f"{self.releases:,} {self.published}s of" if self.releases > 1 else one
        apiece = "each with its own" if self.releases > 1 else "with"
        return f"{each} {what}, {apiece} {self.mechanism} noise."

    @property
    def step(self) -> str:
        """What neighbours are, and how far the truth lies apart for them, in words."""
        step = {
            "add/remove": "one person is added or removed",
            "replace": "one person’s record is replaced",
        }[str(self.neighbours)]
        moved = self.measured(self.sensitivity)
        return f"If {step}, the truth changes by at most Δf = {moved}."

    @property
    def tested(self) -> str:
        """What the test of an advantage is about, in words: neighbours are told apart."""
        return {
            "add/remove": "whether a person is in the data",
            "replace": "which of two records belongs to a person",
        }[str(self.neighbours)]

    def slip(self, reach: str) -> str:
        """Return what a sentence about beliefs adds where it fails with some probability.

        With a δ of others that is twice as much more: see `log_odds`.
        """
        own = KINDS[self.mechanism].slip(self.counted(reach)[0], self.delta)
        return slip(own + 2 * self.others(reach)[1])

    def besides(self, reach: str) -> str:
        """Return what a sentence says of others, between commas, or nothing where none count."""
        if reach == ONE or not (self.used or self.used_delta):
            return ""
        delta = f" and δ = {show(self.used_delta)}" if self.used_delta else ""
        _, people = self.counted(reach)
        each = " for each of them" if people > 1 else ""
        return f" with ε = {show(self.used)}{delta} used up by others{each},"

    def at(self, reach: str) -> str:
        """Return at which δ the ε of everything holds, as a sentence adds it, or nothing."""
        delta = self.delta + self.others(reach)[1]
        return f" and δ = {show(delta, up=True)}" if delta else ""


def slip(chance: float) -> str:
    """Return what a sentence adds that fails with at most this probability."""
    return f", except with a probability of {show(min(chance, 1.0), up=True)}" if chance else ""
