"""Every meaning of ε: those of each text, and those that belong to none."""

from __future__ import annotations

import inspect
from importlib import import_module

from dpwidgets.calculators.domain import one_of
from dpwidgets.calculators.interpretation import MECHANISMS, NEIGHBOURS, RELEASES, Meaning
from dpwidgets.calculators.meanings._tests import beyond_texts
from dpwidgets.texts import TEXTS

_ROOMS = tuple(import_module(f"dpwidgets.calculators.{text.word}") for text in TEXTS)


def meanings(
    mechanism: str | None = None,
    neighbours: str | None = None,
    releases: str | None = None,
    **assumptions: object,
) -> tuple[Meaning, ...]:
    """Collect the meanings of ε: those of every text, and those that belong to none.

    Parameters
    ----------
    mechanism : {"any", "Laplace"}, optional
        "any" leaves out what holds for Laplace noise alone.
    neighbours : {"either", "add/remove", "replace"}, optional
        Leaves out what holds for the other kind of neighbours alone; "either" what does not hold
        for both.
    releases : {"one", "many"}, optional
        "one" leaves out what is about many releases, "many" what is about one.
    **assumptions
        The arguments of the texts' own `meanings` and of `beyond_texts`, by their names: count,
        confidence, n, p, values, prior, compositions and so on. What is not given has the default
        of the text's example.

    Returns
    -------
    tuple of Meaning
        The meanings.

    Raises
    ------
    TypeError
        If an assumption is none of theirs; the message lists them.
    ValueError
        If a number lies outside its domain.

    Examples
    --------
    >>> len(meanings(mechanism="any", releases="one")) < len(meanings())
    True
    >>> for meaning in meanings(mechanism="any", neighbours="replace", prior=0.01)[-3:]:
    ...     print(meaning.name)
    Largest advantage of a test, any mechanism
    Misses at 5% false alarms, any mechanism
    Trials that an audit needs to certify this ε
    """
    kept = {
        name: None if word is None else one_of(name, word, allowed)
        for name, word, allowed in (
            ("mechanism", mechanism, MECHANISMS),
            ("neighbours", neighbours, NEIGHBOURS),
            ("releases", releases, RELEASES),
        )
    }
    makers = [room.meanings for room in _ROOMS] + [beyond_texts]
    taken = [inspect.signature(maker).parameters for maker in makers]
    if unknown := assumptions.keys() - set().union(*taken):
        known = sorted(set().union(*taken))
        raise TypeError(
            f"meanings() knows no {', '.join(sorted(unknown))}; it knows {', '.join(known)}"
        )
    every = [
        meaning
        for maker, names in zip(makers, taken, strict=True)
        for meaning in maker(**{name: assumptions[name] for name in names if name in assumptions})
    ]
    general = {"mechanism": "any", "neighbours": "either"}  # what holds whatever is asked for
    return tuple(
        meaning
        for meaning in every
        if all(
            wish is None or getattr(meaning, name) in (wish, general.get(name))
            for name, wish in kept.items()
        )
    )
