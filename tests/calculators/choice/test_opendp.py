"""The program that publishes a release with OpenDP: what it claims is what we claim, or more."""

import itertools
import re

import pytest

from dpwidgets.calculators import plan
from dpwidgets.calculators.case import ONE, Case
from dpwidgets.calculators.choice import BudgetGoal, record
from dpwidgets.inputs.domain import DomainError
from peer import ask_opendp

SCALE = 3.7
PUBLISHED = {
    "count": {},
    "table": {"cells": 4, "contributions": 2, "per_cell": 2},
    "sum": {"low": -2, "high": 7, "contributions": 3},
    "mean": {"low": 0, "high": 30, "n": 90},
}


def cases():
    """Yield a case of each kind; a mean has neither geometric noise nor people who are added."""
    for published, mechanism, neighbours, n in itertools.product(
        PUBLISHED, ("Laplace", "geometric", "Gaussian"), ("add/remove", "replace"), (None, 90)
    ):
        given = {"n": n} | PUBLISHED[published]
        if published != "mean" or (mechanism != "geometric" and neighbours == "replace"):
            yield Case(
                published=published,
                mechanism=mechanism,
                neighbours=neighbours,
                unit="cm\nimport os",
                delta=1e-6,
                releases=3,
                **given,
            )


def written(case):
    return record(case, [], case.epsilon(SCALE)).code("opendp")


@pytest.mark.slow
def test_opendp_claims_what_we_claim(tmp_path):
    every = list(cases())
    assert len(every) == 40
    decision = plan.decide("a: published=count, error=4\nb: published=count, error=5")
    several = decision.record().code()
    *said, last = ask_opendp(tmp_path, [*map(written, every), several])
    assert last == "ε of one release: 0.2"
    for case, line in zip(every, said, strict=True):
        scale = case.scale(case.epsilon(SCALE))
        gaussian = case.mechanism == "Gaussian"
        ours = case.rho(scale, ONE) if gaussian else case.sensitivity / scale
        name, _, claimed = line.partition(": ")
        assert name == f"{'ρ (zCDP)' if gaussian else 'ε'} of one release"
        more = re.search(r"prints is ([\d.]+) times", " ".join(written(case).split("\n# ")))
        assert float(claimed) >= ours * (1 - 1e-12)
        assert float(claimed) == pytest.approx(ours * float(more[1] if more else 1), rel=5e-3)
        if not more:
            assert float(claimed) == pytest.approx(ours, rel=1e-6)


def test_a_program_holds_its_noise_and_no_code_of_others():
    for case in cases():
        source = written(case)
        compile(source, "program", "exec")
        assert "\nimport os" not in source
        assert f"(scale={case.scale(case.epsilon(SCALE))!r})" in source
        words = " ".join(source.split("\n# "))
        assert "cm import os" in words or case.published == "table"
        assert "one of 3 releases" in words


def test_nothing_published_has_no_program():
    case = Case(published="count")
    with pytest.raises(ValueError, match="a program needs noise"):
        record(case, [BudgetGoal(1)], None).code()
    with pytest.raises(DomainError, match="library must be one of 'opendp'; got 'tumult'"):
        record(case, [], 0.2).code("tumult")
