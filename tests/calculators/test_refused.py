"""What the calculators refuse besides what every door does: what is asked, and what is said."""

import numpy as np
import pytest

from dpwidgets.calculators import attack, bayes, breach, interval, loss, noise
from dpwidgets.calculators.breach import Attack
from dpwidgets.calculators.candidates import Candidates, checked_records
from dpwidgets.calculators.worlds import Worlds, disclosure
from known import QUERIES, suited

CODES = "values of a count must be 0 or 1: 1 for whoever has the property, 0 for all others"
ALIKE = "values must differ .* from every world"
KNOWN, UNIVERSE = [1, 2, 3], [1, 2, 3, 5, 10]
WHOLE = {"prior": 1 / 74, "posterior": 0.2, "epsilon": 3.0}
REFUSED = (
    (
        interval.epsilon,
        (1e-6, 0.8, 100),
        {},
        r"half_width must be wider here: .* ε = 1\.61e\+04",
    ),
    (
        interval.epsilon,
        (1e9, 0.8, 100),
        {},
        "half_width must be narrower here",
    ),
    (
        interval.count,
        (1e-8, 1e-9, 0.8),
        {},
        "epsilon must be larger here: .* count = ",
    ),
    (
        interval.epsilon,
        (0.2, 0.8, 0),
        {},
        "count .* nothing: epsilon would be infinite",
    ),
    (
        bayes.mean_error,
        (10, 0.3, 1),
        {"estimator": "mode"},
        "estimator must be one of 'naive', .* got 'mode",
    ),
    (
        bayes.mean_error,
        (10, 0.3, 1),
        {"true_p": 0.3, "true_count": 4},
        "true_p and true_count cannot both",
    ),
    (
        bayes.mean_error,
        (10, 0.3, 1),
        {"true_count": 11},
        "true_count must be .* from 0 to 10; got 11",
    ),
    (
        bayes.compare,
        (10, 0.3, 1),
        {"against": "n"},
        "against must be one of 'epsilon', 'noise', 'p'; got",
    ),
    (
        bayes.out_of_range,
        ([3, 11], 10, 1),
        {},
        "count must be a whole number from 0 to 10; got 11",
    ),
    (
        breach.promise,
        (),
        {},
        "a statement needs all but one of prior, posterior, epsilon; got n",
    ),
    (
        breach.attribute,
        ("fnlwgt",),
        {},
        "name must be one of 'age', 'education-num', 'hours",
    ),
    (
        breach.epsilon,
        (0.1, 0.1),
        {},
        r"posterior .* above the prior, 0\.1; got 0\.1\. Close",
    ),
    (
        breach.epsilon,
        ([[0.1], [0.4]], [0.5, 0.3]),
        {},
        r"posterior .* prior, 0\.4; got 0\.3",
    ),
    (
        breach.epsilon,
        (0.1, np.nextafter(0.1, 1)),
        {},
        "posterior .*; got 0.10000000000000002",
    ),
    (
        breach.identifiability,
        (10, 0.1),
        {},
        "posterior must be above the prior, 0.1; got 0.1",
    ),
    (
        Attack,
        (KNOWN, [0, 1, -0.0]),
        {},
        r"universe must .* got -?[01] more than once",
    ),
    (
        Attack,
        ([[1], [3]], UNIVERSE),
        {},
        "known must be a list of finite numbers; got an arr",
    ),
    (
        Attack,
        (KNOWN, [1]),
        {},
        "universe must be a list of at least 2 finite numbers; got an arr",
    ),
    (
        Attack,
        ([9, 1], [2, 3, 4], "max"),
        {},
        "universe .* differ .* got 9 from every world",
    ),
    (
        Attack,
        ([0, 1], [1, 2], "count"),
        {},
        "universe of a count must be 0 or 1: .* got 2 for",
    ),
    (
        Attack,
        (KNOWN, [0, 1], "count"),
        {},
        "known of a count must be 0 or 1: .* got 2 for",
    ),
    (
        Attack,
        (KNOWN, UNIVERSE, ["mean"]),
        {},
        "query must be one of 'mean', 'median'",
    ),
    (
        breach.promise,
        (),
        WHOLE,
        "a statement .*; got prior, posterior, epsilon",
    ),
    (
        lambda: loss.finite([0.5, 0.4], [0.5, 0.5]),
        (),
        {},
        "p must have the sum 1; its 2 masses sum to 0.9",
    ),
    (
        lambda: loss.finite([1.5, -0.5], [1, 0]),
        (),
        {},
        "p must be a list of masses, each 0 .* got 1.5",
    ),
    (
        lambda: loss.finite([0.5, 0.5], [1.0]),
        (),
        {},
        "q must have as many masses as p, which has 2; got 1",
    ),
    (
        lambda: loss.finite([[1.0]], [1.0]),
        (),
        {},
        r"p must be .* got an array of shape \(1, 1\)",
    ),
    (
        lambda: loss.laplace(1).compose(10**5).compose(2),
        (),
        {},
        "compositions must be at most 100,000 in",
    ),
    (
        loss.release,
        (),
        {"mechanism": "uniform"},
        "mechanism must be one of 'laplace'",
    ),
    (
        loss.release,
        (),
        {"mechanism": "gaussian", "epsilon": 1},
        r"release\(.* needs mu, and of other parameters none",
    ),
    (
        loss.release,
        (),
        {"epsilon": 1, "scale": 1},
        r"release\(.* needs epsilon, and of other parameters none",
    ),
    (loss.release, (), {"epsilon": -1}, "epsilon must be"),
    (
        loss.release,
        (),
        {"mechanism": "finite", "p": [1], "q": [1], "mu": 1},
        r"release\(.* needs p and q, and of other",
    ),
    (
        Worlds,
        ([1, 2], "mean"),
        {},
        r"values must be a list of at least 3 .* got an array of shape \(2,\)",
    ),
    (
        Worlds,
        (["a", "b", "c"], "mean"),
        {},
        "values must be a list of at least 3 finite numbers; got ",
    ),
    *(
        (Worlds, (suited([0.1] * 5, query), query), {}, ALIKE)
        for query in QUERIES
    ),
    *(
        (Worlds, ([1, 2, 3], bad), {}, "query must be one of 'mean', .* got ")
        for bad in ("mode", np.mean)
    ),
    *(
        (make, (column, "count"), given, f"{CODES}; got {got}$")
        for make, given in (
            (Worlds, {}),
            (disclosure, {"epsilon": 1, "risk": 0.5}),
        )
        for column, got in (
            ([1, 2, 2, 1], "2 for the 2nd record"),  # 1 for yes, 2 for no
            ([1, 0, 0, -9], "-9 for the 4th record"),
        )
    ),
    (
        disclosure,
        ({"Ann": 1, "Bob": 3, "Cy": 0}, "count"),
        {"epsilon": 1, "risk": 0.5},
        f"{CODES}; got 3 for “Bob”$",
    ),
    (
        disclosure,
        ([True, False, True], "mean"),
        {"epsilon": 1, "risk": 0.5},
        ".*got True for the 1st record",
    ),
    (
        Attack([], [0, 1]).posterior,
        (0, [1, 2]),
        {},
        r"epsilon must be .*; got an array of shape \(2,\)",
    ),
    *(
        (
            checked_records,
            ("values", values, 2),
            {},
            f"values must be .*{says}",
        )
        for values, says in (
            (
                [[1, 2]],
                "a list of at least 2 finite numbers; got an array of shape",
            ),
            ([1, np.nan], "a list of at least 2 finite numbers; got nan"),
            ([1e308, 1], "the largest is from 1e-12 to 1e12, or 0; got 1e"),
            ([0, 1e-13], "the largest is from 1e-12 to 1e12, or 0; got 1e-13"),
        )
    ),
    *(
        (
            ask,
            (*before, scale),
            {},
            f"scale must be a number from 1e-90 .* {scale}",
        )
        for scale in (0, np.inf)
        for ask, before in (
            (noise.Laplace, ()),
            (noise.posterior, (1, [1, 2])),
        )
    ),
    *(
        (
            noise.posterior,
            (1, candidates, 1),
            {},
            "candidates must be one list of numbers; got an arr",
        )
        for candidates in ([], [[1, 2]])
    ),
    (
        Candidates,
        (np.array([2.0, 2.0]), 1.0),
        {},
        "answers must differ in what they do to the query; got 2 from every world",
    ),
    (attack.divide, (), {"epsilon": 0}, "epsilon must be"),
    (
        attack.divide,
        (),
        {"epsilon": 1, "releases": 1.5},
        "releases must be a whole number",
    ),
    *(
        (
            interval.precision,
            (),
            given,
            ".*all but one of epsilon, half_width, confidence",
        )
        for given in (
            {},
            {"epsilon": 1},
            dict.fromkeys(
                ("epsilon", "half_width", "confidence", "count"), 0.5
            ),
        )
    ),
)


@pytest.mark.parametrize(("ask", "arguments", "named", "says"), REFUSED)
def test_what_is_refused_is_named(ask, arguments, named, says):
    with pytest.raises((TypeError, ValueError), match=f"^{says}") as caught:
        ask(*arguments, **named)
    assert getattr(caught.value, "argument", "") in says
