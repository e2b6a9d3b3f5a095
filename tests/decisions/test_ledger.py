"""A folder of records as a ledger: against one law of all, and with files that do not fit."""

import json
import os
from dataclasses import replace

import pytest

from dpwidgets.calculators import loss
from dpwidgets.decisions import choice, plan
from dpwidgets.decisions.case import ALL, Case

LINES = (
    "visits: published=table, cells=40, contributions=3, scale=20, releases=12, mechanism=Gaussian",
    "stay: published=sum, groups=9, low=0, high=30, scale=300\n"
    "beds: published=count, scale=20, mechanism=geometric, releases=4",
)
COUNT = Case(published="count", releases=12, delta=1e-6)


def saved(folder, *lines):
    """Write a record of each plan, named by its year."""
    for year, one in enumerate(lines, 2020):
        plan.decide(one, factor=1, delta=1e-6).record().save(
            folder / f"{year}.json"
        )
    return folder


def test_a_ledger_is_one_law_of_everything(tmp_path):
    found = plan.ledger(saved(tmp_path, *LINES, LINES[1]))
    law = loss.gaussian((36**0.5) / 20)
    for shift, often in ((0.1, 2), (0.05, 8)):
        one = loss.laplace(shift) if shift == 0.1 else loss.geometric(shift)
        law = law.compose_with(one.compose(often))
    assert law.epsilon(1e-6) <= found.epsilon <= law.epsilon(1e-6) * 1.003
    assert found.rho == pytest.approx(law.mean())
    assert [entry.name for entry in found.entries] == [
        "2020.json",
        "2021.json",
        "2022.json",
    ]
    assert found.sentence.startswith(
        "3 records with 5 statistics: together they have ε = "
    )
    used = Case(published="count", delta=1e-6, **found.used)
    assert used.used_rho >= found.rho
    assert used.total(1e9) == pytest.approx(
        loss.epsilon_of_rho(found.rho, 1e-6), rel=1e-4
    )


def test_so_many_more_fit_and_one_more_does_not(tmp_path):
    found = plan.ledger(saved(tmp_path, *LINES))
    for limits in ({"total": 3}, {"rho": 0.2}, {"total": 3, "rho": 0.1}):
        room, again = found.room(**limits), found.entries[-1]
        for more, fits in ((room, True), (room + 1, False)):
            whole = replace(found, entries=(*found.entries, *more * (again,)))
            reached = {"total": whole.epsilon, "rho": whole.rho}
            assert (
                all(
                    reached[name] <= limits[name] * (1 + 1e-6)
                    for name in limits
                )
                == fits
            )
    assert found.room(total=0.1) == 0
    with pytest.raises(ValueError, match="total must be given, or rho"):
        found.room()


def test_neighbours_and_delta_are_the_same_for_all(tmp_path):
    saved(
        tmp_path,
        "a: published=count, scale=10",
        "b: published=mean, n=9, low=0, high=9, scale=5",
    )
    both = plan.ledger(tmp_path)
    one = plan.ledger(tmp_path / "2020.json", neighbours="replace")
    assert (both.neighbours, one.epsilon) == (
        "replace",
        pytest.approx(0.1, rel=1e-4),
    )
    assert plan.ledger(tmp_path / "2020.json").neighbours == "add/remove"
    with pytest.raises(
        ValueError,
        match=r"“2021.json” cannot be counted: neighbours must be 'repl",
    ):
        plan.ledger(tmp_path, neighbours="add/remove")
    table = choice.record(replace(COUNT, published="table", cells=9), [], 0.2)
    table.save(tmp_path / "2020.json")
    alone = plan.ledger(tmp_path / "2020.json").rho
    assert plan.ledger(tmp_path).rho > 2 * alone  # two cells for one
    assert (
        plan.ledger(tmp_path, delta=1e-9).epsilon
        > plan.ledger(tmp_path).epsilon
    )


def test_what_others_used_up_and_refusals_are_not_counted_again(tmp_path):
    for name, case, epsilon in (
        ("a", replace(COUNT, used=0.5, used_rho=0.1, household=3), 0.2),
        ("b", COUNT, None),
    ):
        choice.record(case, [choice.BudgetGoal(1)], epsilon).save(
            tmp_path / f"{name}.json"
        )
    (tmp_path / "notes.md").write_text("no record, and not asked for")
    found = plan.ledger(tmp_path)
    assert found.epsilon == pytest.approx(COUNT.total(5, ALL))
    assert found.last.name == "a.json"
    (tmp_path / "a.json").unlink()
    empty = plan.ledger(tmp_path)
    assert (empty.epsilon, empty.rho, empty.room(total=3)) == (0, 0, 0)
    assert empty.used == {"used_rho": 0}
    assert "Nothing has been published" in empty.sentence


def public_version():
    goals = [choice.risk_goal(replace(COUNT, delta=0), [0, 1, 1, 0], 0.9)]
    return choice.record(replace(COUNT, delta=0), goals, 0.2).public().json()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "Expecting"),
        ("[1]", "it is no record of a decision"),
        ('{"program": "another"}', "it is no record of a decision"),
        (
            '{"program": "dpwidgets decision record"}',
            "this record has format None",
        ),
        (" " * 1_000_001, "it is larger than 1 MB"),
        (public_version(), "it is a public version"),
    ],
)
def test_an_odd_file_is_refused_by_its_name(tmp_path, content, says):
    saved(tmp_path, LINES[0])
    (tmp_path / "odd\n.json").write_text(content)
    with pytest.raises(
        ValueError, match=r"“odd\\n.json” cannot be counted: "
    ) as refused:
        plan.ledger(tmp_path)
    assert says in str(refused.value)


def test_no_link_and_no_pipe_is_read(tmp_path):
    saved(tmp_path, LINES[0])
    (tmp_path / "link.json").symlink_to(tmp_path / "2020.json")
    with pytest.raises(ValueError, match=r"“link.json” cannot be counted: "):
        plan.ledger(tmp_path)
    (tmp_path / "link.json").unlink()
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(
        ValueError,
        match=r"“pipe.json” cannot be counted: it is no regular file",
    ):
        plan.ledger(tmp_path)
    with pytest.raises(FileNotFoundError):
        plan.ledger(tmp_path / "none")


def test_a_record_of_an_earlier_version_counts(tmp_path):
    made = json.loads(
        plan.decide(LINES[0], factor=1, delta=1e-6).record().json()
    )
    del made["plan"]["used_rho"]
    (tmp_path / "old.json").write_text(json.dumps(made))
    assert plan.ledger(tmp_path).rho > 0
