"""Goals and what they allow together, against brute force over the scale of the noise."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import optimize, stats

from decided import GOALS, HOSPITAL, decided, last, rows
from dpwidgets.calculators import loss
from dpwidgets.decisions.meanings import portrait
from dpwidgets.inputs.notation import ROUNDING, rounded
from known import others_used
from losses import gaussian_delta
from printed import lines, read

#: The words of goals, in the order in which a decision has them.
LIMITS = {
    "half_width": st.floats(0.001, 2),
    "error": st.floats(0.01, 100),
    "risk": st.floats(0.26, 0.99),
    "posterior": st.floats(0.02, 0.99),
    "total": st.floats(1.6, 10),
}
#: Where a goal's sentence has its limit.
WRITTEN = {
    "half_width": r"truth \((\S+) of",
    "error": r"at most (\S+) (?:people|person) on",
    "risk": r"shall be more than (\S+?%) sure which",
    "posterior": r"shall believe it at more than (\S+?%)",
    "total": r"shall have ε = (\S+?)(?: and δ = \S+)? at most",
}


@st.composite
def asked(draw):
    """Draw the words of a case, and of one to four goals that suit its noise."""
    published = draw(st.sampled_from(["count", "sum", "mean"]))
    gauss = draw(st.booleans())
    low = round(draw(st.floats(-5, 4)), 6)
    high = low + draw(st.floats(0.5, 20))
    n = draw(st.integers(5, 3000))
    others = st.sampled_from([0.0, 0.1, 0.3]).map(others_used)
    neighbours = ["replace", "add/remove"][: 1 + (published != "mean")]
    # With Laplace noise and few releases composition does not help: 2^−5 is
    # more than δ.
    case = {
        "published": published,
        "n": n if published == "mean" else draw(st.sampled_from([None, n])),
        "neighbours": draw(st.sampled_from(neighbours)),
        "mechanism": "Gaussian" if gauss else "Laplace",
        "delta": draw(st.sampled_from([1e-6, 1e-3])) if gauss else 0.0,
        "releases": draw(st.integers(1, 5)),
        "before": draw(others),
        "household": draw(st.integers(1, 5)),
        "prior": draw(st.floats(0.01, 0.6)),
        "reference": draw(st.floats(0.5, 5 if published == "count" else 1000)),
        "confidence": draw(st.floats(0.05, 0.99)),
    }
    if published != "count":
        case |= {"low": low, "high": high}
    goals = draw(st.fixed_dictionaries({}, optional=LIMITS))
    goals = {name: goals[name] for name in LIMITS if name in goals}
    if gauss:
        goals.pop("risk", None)
    if "risk" in goals:
        shares = draw(st.lists(st.integers(0, 100), min_size=5, max_size=9))
        case["values"] = [low + (high - low) * one / 100 for one in shares]
        if published == "count":
            case["values"] = [one % 2 for one in shares]
        case["n"] = case["n"] and len(case["values"])
    return case, goals or {"error": draw(LIMITS["error"])}


def number(name, case, scale, limit=0.0):
    """The number that a goal limits, from the definitions, without the case's own methods."""
    count, people, n = (case[it] for it in ("releases", "household", "n"))
    laplace = case["mechanism"] == "Laplace"
    replaced = case["neighbours"] == "replace"
    used = sum(one.epsilon for one in case["before"]) * people
    # Between two values of somebody.
    told = used if replaced else 2 * used
    low, high = case.get("low", 0), case.get("high", 1)
    moved = (high - low) / (n if case["published"] == "mean" else 1)
    step = moved if replaced else max(abs(low), abs(high))
    match name:
        case "half_width":
            law = stats.laplace if laplace else stats.norm
            far = law.ppf((1 + case["confidence"]) / 2, scale=scale)
            return far / case["reference"]
        case "error":
            return scale * (1 if laplace else math.sqrt(2 / math.pi))
        case "risk":
            query = np.mean if case["published"] == "mean" else np.sum
            values = case["values"]
            answers = np.array(
                [query(np.delete(values, at)) for at in range(len(values))]
            )
            apart = np.abs(answers[:, None] - answers)
            far = apart * count * people / scale
            risk = 1 / np.exp(-far).sum(axis=1).min()
            return risk / (risk + (1 - risk) / math.exp(told))
        case "posterior":
            fact = max(step, moved)
            odds = count * people * fact / scale
            if not laplace:
                mu = people * fact / scale * math.sqrt(count)
                odds = stats.norm.isf(case["delta"], mu**2 / 2, mu)
            odds = min(odds + told, 700)
            return 1 / (1 + (1 / case["prior"] - 1) * math.exp(-odds))
        case "total":
            if laplace:
                return used + people * count * step / scale
            mu = people * step / scale * math.sqrt(count)
            law = loss.gaussian(min(max(mu, 1e-8), 1000))
            # Its δ tells as well.
            over = law.delta(limit - used) > case["delta"]
            return limit * (1 + over)
    raise AssertionError(name)


def end(name, case, limit, scales):
    """Return the scale at which a number is its limit, by bisection; None beyond all noise."""

    def over(logarithm):
        return number(name, case, math.exp(logarithm), limit) - limit

    ends = np.log(scales)
    if over(ends[0]) * over(ends[1]) >= 0:
        return None
    return math.exp(optimize.bisect(over, *ends, xtol=1e-13))


@given(asked())
def test_what_is_met_by_brute_force_and_every_way_out(drawn):
    """Of many cases: whether each goal is met, and what is offered is enough and no more."""
    case, goals = drawn
    made = decided(case, goals)
    least, most = made.case.scale(900), made.case.scale(1e-7)
    beyond = made.case.scale(1000), 10 * most
    near = [
        rounded(scale, 6, up=up)  # no others are ever chosen
        for name in goals
        if (scale := end(name, case, goals[name], beyond))
        for up in (False, True)
    ]

    def met(scale):
        return tuple(
            number(name, case, scale, limit) <= limit * (1 + ROUNDING)
            for name, limit in goals.items()
        )

    inside = [made.case.epsilon(one) for one in near if least < one < most]
    for epsilon in (*np.geomspace(1e-4, 500, 12), *inside):
        now = made.chosen(epsilon)
        assert now.met == met(now.noise), epsilon
    allowed = any(all(met(scale)) for scale in (*near, *beyond))
    why = lines(made.record())["Why"]
    against = [one for one in why if one.startswith("what stands against it")]
    assert allowed == (not against)
    # Rounded to three digits, and before that the scale of a column's goal.
    for which, tighter in (("private", 1 - 0.0202), ("precise", 1 + 0.0202)):
        begins = f"most {which}, ε = "
        for option in (one for one in why if one.startswith(begins)):
            epsilon = float(option.removeprefix(begins).partition(" | ")[0])
            assert all(made.chosen(epsilon).met)
            assert not all(made.chosen(epsilon * tighter).met)
    for said in against:
        if "For these two, " in said:
            check_ways_out(case, goals, said)


def without_column(case):
    return {word: case[word] for word in case if word != "values"}


def together(case, *goals):
    """Tell whether some noise meets both goals, as a decision says it."""
    return " meets both goals." in decided(case, *goals).sentence


def check_ways_out(case, goals, said):
    """Decide again with each change that is said to be enough, and with a little less."""
    needs, _, ways = said.partition("For these two, ")
    pair = {
        name: goals[name] for name in goals if re.search(WRITTEN[name], needs)
    }
    assert len(pair) == 2
    if "risk" not in pair:
        case = without_column(case)
    assert not together(case, pair)
    for way in ways.partition(": ")[2].split(" Or: "):
        changed = {
            name: read(found[1])
            for name in pair
            if (found := re.search(WRITTEN[name], way))
        }
        if not changed:
            most = int(re.fullmatch(r"at most (\d+) releases?\.", way)[1])
            for more in (0, 1):
                fewer = {"releases": most + more}
                assert together(case, pair, fewer) == (not more)
            continue
        ((name, limit),) = changed.items()
        assert together(case, pair, changed)
        # Rounded up to three digits it is half a step of the third too large
        # at most.
        smaller = limit * (1 - 0.0101)
        if smaller > pair[name]:
            assert not together(case, pair, {name: smaller})


@given(asked(), st.floats(0.01, 10), st.sampled_from([None, 1e-4, 1e-6]))
def test_what_is_written_is_on_the_side_of_its_limit(drawn, epsilon, beside):
    """What is printed as at most is no less than it is; an ε is as allowed as it is written."""
    case, goals = drawn
    made = decided(case, goals, epsilon=epsilon)
    if beside and made.suggestion:
        ends = made.suggestion * (1 - beside), made.suggestion * (1 + beside)
        made = made.chosen(min(max(ends[epsilon > 1], 1e-8), 1000))
    table = rows(made.record(), "pr", GOALS)
    for goal, (name, limit), (sentence, gives, met) in zip(
        made.goals, goals.items(), table, strict=True
    ):
        true = number(name, case, made.noise, limit)
        if goal.from_data:  # a record says nothing of how far it is kept
            assert ("perhaps" in gives) == (true > limit)
            gives = goal.achieved(made.case, made.noise)
            # Nor where it ends elsewhere than before.
            assert goal.without_data(made.case, None).kept in (
                1e90,
                goal.scales(made.case).low,
            )
        said, _, here = gives.partition(" (the limit is ")
        if name != "total" or case["mechanism"] == "Laplace":
            low = true * (1 - 2 * ROUNDING)
            assert low <= last(said) <= true * 1.02 + 1e-9
        # As it was given, and no stricter.
        given = read(re.search(WRITTEN[name], sentence)[1])
        if name != "half_width":
            assert limit * (1 - 2 * ROUNDING) <= given <= limit * (1 + 1e-5)
        least = last(here) if here else given
        assert (last(said) <= least) == (met == "yes") == (true <= limit)
    found = re.search(
        r"ε = (\S+), which is noise of scale (\S+)", made.sentence
    )
    assert made.case.scale(read(found[1])) == read(found[2]) == made.noise
    for least in re.findall(r"^A scale of at least (\S+)", made.sentence):
        assert not all(made.met) or read(least) <= made.noise
    share = made.noise / made.case.scale(made.epsilon, 17)
    assert 1 - ROUNDING <= share <= 1 + 1e-5


@settings(max_examples=max(1, settings().max_examples // 2))
@given(asked(), st.floats(0.01, 10))
def test_what_a_meaning_says_is_no_less_than_it_is(drawn, epsilon):
    whole = portrait(epsilon, rows="all", **without_column(drawn[0]))
    for one in whole.rows:
        # The number of the largest ratio is its logarithm, ε.
        of = math.exp if "ratio" in one.meaning.name else float
        value, said = (
            of(one.value),
            last(re.split(r" \(| against", one.meaning.shown(one.value))[0]),
        )
        if one.meaning.name.startswith("Odds"):
            value, said = (1 + value) / 2, said / 100
        if one.meaning.name.startswith("Smallest"):
            assert 0.98 * value <= said <= value * (1 + ROUNDING)
        else:
            assert value * (1 - 2 * ROUNDING) <= said <= 1.11 * value


def test_a_way_out_near_one_keeps_more_digits_and_none_is_not_said():
    count = {"published": "count", "prior": 0.5, "posterior": 0.6}
    assert "at more than 99.9994%." in decided(count, error=1 / 12).sentence
    # Of 1 − 5·10⁻⁸ six digits say that it is all.
    for share in (17, 700):
        none = decided(count, error=1 / share).sentence
        assert "this change is enough" in none, share
    fewer = decided(HOSPITAL, error=30, total=0.1)
    assert " Or: at most 3 releases. ε = " in fewer.sentence


FAR = "not even the largest noise does"
LOW = HOSPITAL | {"prior": 0.3, "reference": None}
LITTLE = LOW | {"before": others_used(1.5)}
STUDENTS = {"n": 4, "values": [1, 1, 0, 0]}
#: What is asked for that no noise gives, and why.
UNMET = (
    (LOW, STUDENTS | {"risk": 0.2}, f"{FAR} (at most 25"),
    (LOW, {"n": 4, "values": [1] * 4, "risk": 0.2}, f"{FAR} (at most 25% sure)"),
    (LOW | {"mechanism": "Gaussian"}, STUDENTS | {"risk": 0.6}, "must be 'Laplace'"),
    (LITTLE, STUDENTS | {"risk": 0.6}, f"{FAR} (at most 87.1% sure)"),
    (LOW, {"posterior": 0.2}, f"{FAR} (from 30% to at most 30.1%)"),
    (LOW, {"posterior": 0.2, "prior": None}, "prior must be given in the case"),
    (LITTLE, {"posterior": 0.4}, f"{FAR} (from 30% to at most 89.6%)"),
    (LOW, {"half_width": 0.1}, "reference must be given in the case"),
    (LOW, {"error": 1e-9}, "not even noise of ε = 1,000 does (off by 0.00"),
    (
        LOW | {"before": others_used(1), "household": 2},
        {"total": 2},
        "what this noise does not change has used it up (ε = 2 in",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("case", "goal", "why"), UNMET)
def test_a_goal_that_no_noise_meets_says_why(case, goal, why):
    for more in ({}, {"error": 5}):
        made = decided(case, more, goal)
        assert made.sentence.startswith("No noise meets “")
        assert why in made.sentence
        assert "For these two, " not in made.sentence


def test_the_middle_of_what_is_allowed_is_that_of_its_ends_by_their_ratio():
    why = lines(decided(HOSPITAL, half_width=0.05, posterior=0.4).record())
    found = [
        float(re.search("ε = ([0-9.]+) ", one)[1]) for one in why["Why"][1:4]
    ]
    assert found[1] ** 2 == pytest.approx(found[0] * found[2], rel=0.02)


def test_any_noise_may_keep_a_risk():
    days = {"published": "mean", "n": 3, "low": 0, "high": 1}
    for case, values in (({}, [1, 1, 0, 0]), (days, [5, 5, 5])):
        made = decided(case, values=values, risk=0.5)
        assert made.sentence.startswith("Any noise meets the goal.")


FAMILY = HOSPITAL | {"household": 3}
BESIDE = FAMILY | {"before": others_used(1.0)}
OTHERS = "with ε = 1 used up by others,"
DEPEND = "even if the records of 3 people depend on each other,"
BUDGET = "by others for each of them, shall have ε = 4.3 and δ = 1e-6 at"
EXCEPT = ", except with a probability of 1e-6."
#: What the sentences of promises say, by the case.
SAID = (
    (HOSPITAL | {"releases": 1}, {}, "After the release, nobody"),
    (HOSPITAL, {}, "After all 4 releases, nobody"),
    (BESIDE | {"household": 1}, {}, f"After all 4 releases, {OTHERS} nobody"),
    (FAMILY, {}, f"After all 4 releases, {DEPEND} nobody"),
    (FAMILY | {"household": 2}, {}, DEPEND.replace("3", "2")),
    (HOSPITAL | {"n": 4}, STUDENTS, "After all 4 releases, nobody"),
    (FAMILY | {"releases": 30}, {}, EXCEPT),
    (BESIDE, {"total": 4.3, "posterior": None}, BUDGET),
)


@pytest.mark.parametrize(("case", "goal", "words"), SAID)
def test_a_promise_says_that_it_is_about_everything_and_but_for_what(
    case, goal, words
):
    made = decided(case | {"posterior": 0.5}, {"reference": None}, goal)
    promised = rows(made.record(), "promise", GOALS)
    assert promised
    assert all(words in sentence for sentence, *_ in promised)


def test_a_range_of_noise_says_what_it_is_at_its_corners():
    """Noise larger than that of the smallest ε is found too: for it Gaussian noise has ε = 0."""
    wide = {"mechanism": "Gaussian", "delta": 0.01, "releases": 52}
    assert gaussian_delta(math.sqrt(52) / 68.807, 0.1) == pytest.approx(
        0.01, rel=1e-4
    )
    exact = {"error": 5.004, "total": 1 / 5.001}
    for goals, words in (
        (
            wide | {"error": 100},
            "A scale of at most 125 people, which is ε of at least 0 for Δf = 1",
        ),
        (wide | {"error": 100, "total": 5}, "people, which is ε from 0 to 0."),
        (
            wide | {"total": 0.1},
            "A scale of at least 68.9 people, which is ε of at most 1e-8 for",
        ),
        (wide | {"error": 1}, " for Δf = 1 and δ = 0.01"),
        (exact, "from 5.001 to 5.004 people, which is ε from 0.199841 to"),
    ):
        assert words in decided(goals).sentence


def test_of_many_contradictions_the_two_furthest_apart_are_said():
    case = HOSPITAL | {"releases": 12, "posterior": 0.201, "total": 0.5}
    made = decided(case, success=0.501, half_width=0.01, error=0.5, epsilon=1)
    said = [one for (one,) in rows(made.record(), "what stands against it")]
    apart = [
        read(re.search(r"at least (\S+) patients", one)[1])
        / read(re.search(r"at most (\S+) patients, which", one)[1])
        for one in said
    ]
    assert len(said) == 6
    assert apart == sorted(apart, reverse=True)
    assert [one in made.sentence for one in said] == [True] * 2 + [False] * 4
    assert " And 4 more contradictions." in made.sentence
    three = decided(case, success=0.501, error=0.5)
    assert " And 1 more contradiction." in three.sentence
