"""The cases and goals that several tests of choices draw."""

from hypothesis import assume, strategies as st

from dpwidgets.calculators.choice import (
    REACHES,
    AdvantageGoal,
    BeliefGoal,
    BudgetGoal,
    Case,
    ErrorGoal,
    IntervalGoal,
    RiskGoal,
)
from dpwidgets.calculators.worlds import Worlds

STUDENTS = Worlds([1, 2, 3, 10])
REACH = st.sampled_from(REACHES)
GOALS = st.one_of(
    st.builds(IntervalGoal, st.floats(0.001, 2)),
    st.builds(ErrorGoal, st.floats(0.01, 100)),
    st.builds(RiskGoal, st.just(STUDENTS), st.floats(0.26, 0.99), reach=REACH),
    st.builds(BeliefGoal, st.floats(0.02, 0.99), reach=REACH),
    st.builds(BudgetGoal, st.floats(0.6, 10), reach=st.sampled_from(REACHES[1:])),
    st.builds(AdvantageGoal, st.floats(0.02, 0.9)),
)


@st.composite
def cases(draw):
    published = draw(st.sampled_from(["count", "sum", "mean"]))
    gauss, low, n = draw(st.booleans()), draw(st.floats(-5, 4)), draw(st.integers(5, 3000))
    # With Laplace noise and few releases composition does not help: 2^−5 is more than δ.
    return Case(
        published=published,
        n=n if published == "mean" else draw(st.sampled_from([None, n])),
        low=None if published == "count" else low,
        high=None if published == "count" else low + draw(st.floats(0.5, 20)),
        neighbours=draw(st.sampled_from(["replace", "add/remove"][: 1 + (published != "mean")])),
        mechanism="Gaussian" if gauss else "Laplace",
        delta=draw(st.sampled_from([1e-6, 1e-3])) if gauss else 0.0,
        releases=draw(st.integers(1, 5)),
        used=draw(st.sampled_from([0.0, 0.1, 0.3])),
        used_delta=draw(st.sampled_from([0.0, 0.0, 1e-7, 1e-3])),
        household=draw(st.integers(1, 5)),
        prior=draw(st.floats(0.01, 0.6)),
        reference=draw(st.floats(0.5, 5 if published == "count" else 1000)),
        confidence=draw(st.floats(0.05, 0.99)),
    )


@st.composite
def choices(draw):
    """Draw a case and one to four goals that suit its noise."""
    case, several = draw(cases()), draw(st.lists(GOALS, min_size=1, max_size=4))
    if case.mechanism == "Gaussian":
        several = [goal for goal in several if not isinstance(goal, RiskGoal)]
    assume(several)
    return case, several
