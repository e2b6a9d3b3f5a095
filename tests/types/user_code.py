"""What users write, for type checkers alone; a line that ends with `refused` must be an error."""

import numpy as np

import dpwidgets
from dpwidgets import ChoiceExplorer, IntervalExplorer, Question, Task
from dpwidgets.calculators import interval, loss, worlds
from dpwidgets.decisions import choice, meanings, plan
from dpwidgets.decisions.case import Case
from dpwidgets.decisions.goals import BudgetGoal, ErrorGoal
from dpwidgets.inputs import column
from dpwidgets.plots import interval as plots

BEDS = "beds: published=count, error=3"


def write() -> None:
    explorer = IntervalExplorer(half_width=0.1, view="curves")
    explorer.count = 500
    epsilon: float = explorer.epsilon
    sentence: str = explorer.sentence
    state: dict[str, str] = explorer.messages
    print(f"ε = {explorer.epsilon:.4f}", explorer.result.low)
    explorer.observe(lambda change: print(change["new"]), "sentence")
    epsilon = explorer.result_at(half_width=0.2).epsilon
    explorer.go_to(view="answer")
    ChoiceExplorer(case=Case(published="count"), epsilon=None).record(
        about="a count"
    ).markdown()
    dpwidgets.PlanExplorer(total=3).record(about="beds").save("plan.md")
    dpwidgets.WorldsExplorer(
        values={"Ann": 1.0, "Bob": 2.0, "Cy": 3.5}, query="median"
    )

    number: float = interval.epsilon(half_width=0.2, confidence=0.8, count=100)
    largest = interval.epsilon(np.array([0.1, 0.2]), 0.8, 100).max()
    number = loss.laplace(0.1).compose(10).delta(0.5)
    number = worlds.disclosure([1, 2, 3], epsilon=1, risk=0.5).exact_risk
    planned: float | None = plan.decide(BEDS, total=2).factor
    beds = plan.decide(BEDS, total=2).plan
    number = BudgetGoal(2).reached(beds, 1)
    suggested: float | None = choice.decide(published="count", error=5).epsilon
    people = choice.decide(values=[1, 0, 1], risk=0.4, releases=3).met
    choice.decide(
        published="table",
        cells=4,
        half_width=0.1,
        interval_cells="all at once",
    )
    plan.decide(
        BEDS,
        delta=1e-6,
        rho=0.1,
        household=2,
        prior=0.2,
    )
    said = meanings.portrait(
        0.2, rows="all", published="sum", low=0, high=9, unit="days"
    ).sentences
    numbers = column.names_and_numbers([1, 2, 3])[1]
    known = interval.precision(half_width=0.2, confidence=0.8, count=100)
    plots.Answer().still(known, "words")

    question = Question(
        "How many?", answer=2, misconceptions={3: "one too many"}, hint="count"
    )
    right: tuple[bool, str] = question.judge("2")
    Task(
        "Reach 1.",
        explorer,
        reached=lambda now: now.epsilon > 1,
        solution={"epsilon": 1.5},
    )
    dpwidgets.Code(
        "Halve.",
        lambda: abs,
        like=lambda one: one / 2,
        at=[(1,)],
        hint="Divide.",
    )
    draws = dpwidgets.Draws(dpwidgets.LossExplorer(), seed=3)
    draws.draw(10)
    ledger = dpwidgets.Ledger("interval")
    misprint = dpwidgets.Erratum("misprint", "it is 0.99")
    ledger.check("Sec. 2", "0.98", 0.99, erratum=misprint)

    IntervalExplorer(half_widht=0.1)  # refused
    dpwidgets.Draws("explorer")  # refused
    dpwidgets.Code("?", abs, like=abs, at=[], explorer=explorer)  # refused
    explorer.epsilon = "small"  # refused
    wide: str = explorer.epsilon  # refused
    IntervalExplorer(0.1)  # refused
    number = interval.epsilon(0.2, 0.8, cuont=100)  # refused
    word: str = interval.epsilon(0.2, 0.8, 100)  # refused
    print(dpwidgets.NoExplorer)  # refused
    choice.decide(half_width=0.05, posterio=0.3)  # refused
    choice.decide(error="small")  # refused
    choice.decide(error=3, releases="twelve")  # refused
    ErrorGoal(2).reached(beds, 1)  # refused
    plan.decide(BEDS, totl=2)  # refused
    plan.decide(3)  # refused
    plan.Statistic.read(BEDS, delat=1e-6)  # refused
    meanings.portrait(0.2, publishd="count")  # refused
    Question("How many?", anwser=2)  # refused
