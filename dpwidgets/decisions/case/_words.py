"""A case in words: what is published, what is left out before, and what neighbours are."""

import re

from dpwidgets.decisions.case._data import Data
from dpwidgets.inputs.notation import down, several, show, up

#: Plurals of which it is sure that they only lose their s; not so of series,
#: buses, kbps and km/s.
_PLURAL = re.compile(
    r"(?=.*[aeiouyAEIOUY]).*[^\W\d_]{2}([^\W\d_aeiusxz]|[^\W\d_hiosvxz]e)s"
)
#: Plurals of which it is not, and that many count.
_OTHERS = {
    "people": "person",
    "women": "woman",
    "men": "man",
    "children": "child",
    "cases": "case",
    "doses": "dose",
    "houses": "house",
    "families": "family",
}
#: A noun, which has a number, and what is said of it: patients with diabetes.
_NOUN = re.compile(
    r"(.*?)(\S+)((?: (?:of|in|with|without|per|from|at|on|for) .*)?)"
)


class Words(Data):
    """The fields of a case, and what sentences say of it."""

    def measured(
        self, value: float, digits: int = 3, *, up: bool | None = None
    ) -> str:
        """Write a number with the case's unit, such as 1 patient or 5 patients.

        Where the singular is not sure, the plural stays: 1 buses.

        Parameters
        ----------
        value : float
            The number, in the case's unit.
        digits : int
            How many significant digits it has, as `show` keeps them.
        up : bool, optional
            Whether it is rounded up, or down; by default to the nearest.

        Examples
        --------
        >>> from dpwidgets.decisions.case import Case
        >>> case = Case(published="count", unit="patients")
        >>> case.measured(1), case.measured(4.7551, up=True)
        ('1 patient', '4.76 patients')
        """
        number = show(value, digits, up=up)
        found = _NOUN.fullmatch(self.unit)
        if number != "1" or not found:
            return f"{number} {self.unit}"
        before, noun, after = found.groups()
        return f"{number} {before}{_singular(noun)}{after}"

    @property
    def sentence(self) -> str:
        """The case in words."""
        return f"{self.what} {self.step}"

    @property
    def what(self) -> str:
        """What is published, in words."""
        published, apiece = f"A {self.published}", "with"
        if self.releases > 1:
            published = f"{self.releases:,} {self.published}s"
            apiece = "each with its own"
        if self.published == "table":
            apiece = "each count with its own"
        elif self.numbers > 1:
            apiece = f"each {self.published} with its own"
        return f"{published} of {_of_what(self)}, {apiece} {self.mechanism} noise."

    @property
    def cut(self) -> str:
        """What must be left out before anything is published, in words."""
        if self.contributions is None or self.places == 1:
            again = " in one release" if self.releases > 1 else ""
            return f"what one person has beyond 1 record{again}"
        most = f"{self.contributions:,} of all {self.places:,} numbers"
        return f"what one person has beyond {most} or beyond 1 record in one of them"

    @property
    def step(self) -> str:
        """What neighbours are, and how far the truth lies apart for them, in words."""
        neighbours = _neighbours_differ(self)
        of_one = ""
        if self.contributions and self.releases > 1:
            of_one = " of one release"
        moved = f"at most Δf = {up(self.sensitivity, self.measured, 6)}"
        change, cells = self.one_release.moved()
        if cells == 1 and not _wherever(self):
            number = "the truth"
            if self.groups:
                number = f"one {self.published}"
            return f"If {neighbours}, {number}{of_one} changes by {moved}."
        if self.groups:
            more = "two" if self.in_one_release == 1 else "several"
            where = f"one {self.published}{of_one} changes, or {more} do"
        else:
            most = up(change, self.measured, 6)
            where = f"at most {cells:,} cells{of_one} change, each by at most {most}"
        summed = "together they change by"
        if self.mechanism == "Gaussian":
            summed = "the root of the sum of the squared changes is"
        return f"If {neighbours}, {where}: {summed} {moved}."

    @property
    def known(self) -> str:
        """What is public of itself, in words: how many people there are, or nothing."""
        if self.n is None:
            return ""
        facts = [f"n = {_whom(self)}"]
        if self.cells:
            facts.append(several(self.cells, "cell"))
        if self.groups:
            each = "in each of " if self.groups_with_means > 1 else ""
            facts.append(f"{each}{several(self.groups, 'group')}")
        return ", ".join(facts).replace(", in each", " in each")

    @property
    def large_deltas(self) -> tuple[str, ...]:
        """What to say of the case's own δ, where it is too large."""
        return self.too_large(self.delta_of_all)

    def too_large(self, delta: float) -> tuple[str, ...]:
        """Say of a δ that it is too large for so many people: more than a hundredth of 1/n.

        A mechanism that publishes one person's whole record with a probability
        of δ has this δ.
        """
        n = self.least_n
        if n is None:
            return ()
        if delta * n <= 0.01 * (1 + 1e-9):
            return ()
        return (
            f"δ = {up(delta)} is more than 0.01/{n:,} = {down(0.01 / n)}: δ alone would allow to "
            f"publish the records of {up(n * delta)} of {self.everybody} on average, whatever ε "
            "is.",
        )

    @property
    def public_n(self) -> tuple[str, ...]:
        """What to say of a public n, and what it leaves to hide, where a person comes or goes."""
        if self.groups_with_means:
            sizes = (
                "How many each group has is public, and no noise hides it: whoever knows who else "
                "is in a group knows from it whether a person is."
            )
            return tuple(filter(None, (sizes, self.not_which_group)))
        n = self.n
        if n is None or self.neighbours == "replace":
            return ()
        left = self.one_release.other_neighbours("replace").sensitivity
        which = "no larger"
        if left > self.sensitivity:
            which = (
                f"{show(left)} rather than {show(self.sensitivity)}: with 'replace' for the "
                "neighbours, ε counts with it"
            )
        return (
            f"n = {n:,} is public: whoever knows who else is in the data knows from it "
            "whether a person is, whatever ε is. The noise hides what the person’s record says, "
            f"and for that Δf is {which}.",
        )

    @property
    def not_which_group(self) -> str:
        """What to say of what means of groups do not protect, or nothing."""
        if self.groups_with_means < 2:
            return ""
        return (
            "In which group somebody is, is not protected: what is promised is for a record that "
            "is replaced by another of the same group."
        )


def _singular(plural: str) -> str:
    """Return the singular of a noun, or the plural where that is not sure."""
    if plural in _OTHERS:
        return _OTHERS[plural]
    if _PLURAL.fullmatch(plural):
        return plural[:-1]
    return plural


def _of_what(case: Words) -> str:
    """Say of what it is a count, a sum, a mean or a table."""
    if case.published == "table":
        return _of_table(case)
    if case.published == "count":
        of = "" if case.n is None else "of "
        return f"how many {of}{_whom(case)} have a property{_at_most(case)}"
    whom = {None: "each person", 1: "1 person"}
    values = whom.get(case.n, f"each of {_whom(case)}") + _at_most(case)
    low, high = case.ends
    clipped = f"clipped to {show(low)} to {case.measured(high)}"
    return f"one value of {values}, {clipped}{_of_groups(case)}"


def _whom(case: Words) -> str:
    """Say whom, and how many if that is public; of groups with means, of each at least so many."""
    if case.n is None:
        return "people"
    least = "at least " if case.groups_with_means > 1 else ""
    return f"{least}{several(case.n, 'person', 'people')}"


def _at_most(case: Words) -> str:
    """Say in how many numbers one person is, as a sentence adds it, or nothing."""
    if case.contributions is None or case.places == 1:
        return ""
    return f", each in at most {case.contributions:,} of all {case.places:,}"


def _of_groups(case: Words) -> str:
    """Say of which groups there is a sum or a mean each, as a sentence adds it, or nothing."""
    if case.numbers == 1:
        return ""
    return f", for each of {case.numbers:,} groups, with each record in one of them"


def _of_table(case: Words) -> str:
    """Say of what a table is made, and where the records of one person may be."""
    people = _whom(case)
    counts = several(case.cells or 0, "count")
    most = case.contributions
    if most is None:
        return f"{counts} of {people} in disjoint cells, each person in at most one of them"
    where = several(most, "cell")
    if case.releases > 1:
        where += f" of all {case.places:,}"
    return (
        f"{counts} of {people}, each person in at most {where}, once in each"
    )


def _neighbours_differ(case: Words) -> str:
    """Say how two neighbours differ, in words."""
    if case.neighbours == "add/remove":
        return "one person is added or removed"
    where = ""
    if case.in_one_release > 1:
        if case.not_which_group:
            where = " of the same groups"
        return f"one person’s records are replaced by as many others{where}"
    if case.not_which_group:
        where = " by another of the same group"
    return f"one person’s record is replaced{where}"


def _wherever(case: Words) -> bool:
    """Tell whether it depends on the person how many numbers change, and each by how much."""
    if (case.groups or 1) > 1:
        leaves = case.neighbours == "replace" and not case.not_which_group
        return leaves or case.in_one_release > 1
    return False
