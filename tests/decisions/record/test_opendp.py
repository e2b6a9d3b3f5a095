"""The program that publishes a release with OpenDP: what it claims is what we claim, or more."""

import itertools
import json
import math
import re
from dataclasses import replace

import pytest

from decided import recorded
from dpwidgets.decisions import plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.record._opendp import program
from peer import ask_opendp

SCALE = 3.7
PUBLISHED = (
    {"published": "count"},
    {"published": "count", "contributions": 2},
    {"published": "table", "cells": 4},
    {"published": "table", "cells": 4, "contributions": 3},
    {"published": "sum", "low": -2, "high": 7},
    {"published": "mean", "low": 0, "high": 30, "n": 90},
    {"published": "sum", "low": 0, "high": 7, "groups": 4},
    {
        "published": "sum",
        "low": -2,
        "high": 7,
        "contributions": 3,
        "groups": 4,
    },
    {"published": "mean", "low": -5, "high": 30, "n": 90, "groups": 4},
)


def cases():
    """Yield a case of each kind; a mean has no people who are added."""
    common = {"unit": "cm\nimport os", "delta": 1e-6, "releases": 3}
    for published, mechanism, neighbours, n in itertools.product(
        PUBLISHED,
        ("Laplace", "Gaussian"),
        ("add/remove", "replace"),
        (None, 90),
    ):
        kind = {
            "n": n,
            "mechanism": mechanism,
            "neighbours": neighbours,
        } | published
        if "mean" not in published.values() or neighbours == "replace":
            yield Case(**common | kind)


def written(case):
    return recorded(case, case.epsilon(SCALE)).code()


@pytest.mark.slow
@pytest.mark.others
def test_opendp_claims_what_we_claim_and_publishes_the_statistic(tmp_path):
    """With hardly any noise it is that of the example data, which others take the place of."""
    replaced = Case(published="count", neighbours="replace")
    sums = Case(published="sum", low=-2, high=7, groups=3)
    means = Case(published="mean", low=0, high=10, n=2, groups=2)
    statistics = (
        (Case(published="count"), "[1, 1, 1]", "[1, 1]", 2),
        (replaced, "[1.0] * 3", "[1, 0, 1, 1]", 3),  # 1 or 0
        (
            Case(published="table", cells=3),
            "[0, 0, 0]",
            "[1, 2, 1, 2, 2]",
            [0, 2, 3],
        ),
        (
            Case(published="sum", low=-2, high=7),
            "[7.0] * 3",
            "[9, -5, 1.5]",
            6.5,
        ),
        (
            Case(published="mean", low=0, high=10, n=4),
            "[10.0] * 4",
            "[1, 2, 3, 99]",
            4,
        ),
        (sums, "[[7.0] * 3] * 3", "[[9, 1], [], [-5.0]]", [8, 0, -2]),
        (means, "[[10.0] * 2] * 2", "[[99, 4.0], [1.0, 3.0]]", [7, 2]),
    )
    sources = []
    for case, example, data, _ in statistics:
        before, found, after = program([("", case, 1e-6)]).partition(
            f" = {example}  # put you"
        )
        assert found
        sources.append(f"{before} = {data}  # {after}")
    decision = plan.decide(
        "a: published=count, error=4\nb: published=count, error=5"
    )
    every = list(cases())
    assert len(every) == 64
    sources += [*map(written, every), decision.record().code()]
    *said, last = ask_opendp(tmp_path, sources)
    assert last[-1] == "ε of one release: 0.2"
    for (*_, truth), (published, _) in zip(statistics, said, strict=False):
        assert json.loads(
            published.removeprefix("published: ")
        ) == pytest.approx(truth, abs=1e-4)
    # OpenDP adds floats of both signs with a larger sensitivity where it is
    # not told how many, and takes all records of a person to be in one cell:
    # where it claims more, a comment says so.
    for case, (_, line) in zip(every, said[len(statistics) :], strict=True):
        scale = case.scale(case.epsilon(SCALE))
        gaussian = case.mechanism == "Gaussian"
        ours = (
            case.one_release.rho(scale)
            if gaussian
            else case.sensitivity / scale
        )
        name, _, claimed = line.partition(": ")
        assert name == f"{'ρ (zCDP)' if gaussian else 'ε'} of one release"
        more = re.search(
            r"prints is ([\d.]+) times", " ".join(written(case).split("\n# "))
        )
        assert bool(more) == (float(claimed) > ours * (1 + 1e-5))
        assert float(claimed) >= ours * (1 - 1e-12)
        wanted = ours * float(more[1] if more else 1)
        assert float(claimed) == pytest.approx(
            wanted, rel=5e-3 if more else 1e-6
        )


def farthest(source):
    """Return how far OpenDP takes neighbours' statistics to be apart, by the code alone."""
    records = int(re.search(r"d_in=(\d+)", source)[1])
    clamped = re.search(r"then_clamp\(\((\S+), (\S+)\)\)", source)
    if clamped is None:  # it counts
        return records
    low, high = map(float, clamped.groups())
    if "size=" in source:  # so that records are exchanged in pairs
        return records / 2 * (high - low)
    ends = [abs(low), abs(high), high - low]
    return records * max(ends if "T=float" in source else ends[:2])


def test_a_program_tells_opendp_of_the_records_that_differ_and_says_where_it_claims_more():
    for case in cases():
        source = written(case)
        size = case.n if case.published == "mean" else 1
        times = farthest(source) / size / case.sensitivity
        if gaussian := case.mechanism == "Gaussian":
            times = times**2
        words = " ".join(source.split("\n# "))
        more = re.search(r"prints is ([\d.]+) times", words)
        assert times == pytest.approx(float(more[1]) if more else 1, rel=5e-3)
        # It cannot be told the signs of floats, nor that there are fewer cells
        # than records that differ.
        signs = (case.low or 0) < 0 and "T=float" in source
        few = farthest(source) > (case.cells or math.inf)
        if not gaussian and not few and ("size=" in source or not signs):
            assert more is None


MEANS = {"published": "mean", "low": -1, "high": 3}


def test_a_program_publishes_no_means_of_groups_of_another_size():
    source = program([("", Case(**MEANS, n=3, groups=2), 1.0)])
    assert "sizes = [3" in source
    after = source.partition("# put yours here")[2].partition("\n")[2]
    for sizes in ([3, 3], [2, 4]):
        with pytest.raises(ValueError, match="size of each group, 3 or more"):
            exec(after, {"groups": [[1, 2], [1, 2, 3, 3]], "sizes": sizes})


def words_of(source):
    """The comments of a program, as one line."""
    return " ".join(re.sub("^# ", "", source, flags=re.MULTILINE).split())


#: Names and units in many alphabets, with signs of Python, YAML and Markdown,
#: and hidden ones.
NAMES = (
    "المرضى", "患者数", "éle\u0301ments", "नमस्ते", "👨\u200d👩\u200d👧", "C#", '"""', "x\ty",
    "x\u2028y", "a\x85b", "a\x00b\x0cd",
    "\u202ereversed", "{x!r}", "%s", "# x", "<b>", "- x", "\ufeff", "'x' \\",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_any_alphabet_stays_in_its_comment(name):
    for unit, called in ((name, "x"), ("x", name)):
        case = Case(published="sum", low=0, high=2, unit=unit)
        source = program([(called, case, 1.0), ("two", case, 2.0)])
        plain = program(
            [
                ("x", replace(case, unit="x"), 1.0),
                ("two", replace(case, unit="x"), 2.0),
            ]
        )
        compile(source, "program", "exec")
        code, lines = (
            [line for line in one.split("\n") if line[:1] != "#"]
            for one in (source, plain)
        )
        assert code == lines
        assert all(sign.isprintable() or sign == "\n" for sign in source)
        shown = "".join(sign if sign.isprintable() else " " for sign in name)
        assert " ".join(shown.split()) in words_of(source)


def test_a_program_holds_its_noise_and_no_code_of_others():
    for case in cases():
        source = written(case)
        compile(source, "program", "exec")
        assert "\nimport os" not in source
        assert f"(scale={case.scale(case.epsilon(SCALE))!r})" in source
        words = words_of(source)
        assert " ".join(case.sentence.split()) in words
        assert "one of 3 releases" in words
        assert f"first {case.cut}: the program takes that" in words
        assert case.not_which_group in words
    many = Case(published="mean", low=0, high=1, n=2**31 - 1)
    assert "data = [1.0] * 1000000  # put" in program([("", many, 1.0)])
