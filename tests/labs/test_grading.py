"""What the labs' tests say of answers, good ones and odd ones."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpwidgets import ChoiceExplorer, labs
from dpwidgets.calculators import bayes
from dpwidgets.inputs.outside import described

ESTIMATES = {
    "naive": lambda noisy, n, p, epsilon: noisy,
    "clamped": lambda noisy, n, p, epsilon: min(max(noisy, 0), n),
    "posterior mean": bayes.posterior_mean,
    "posterior median": bayes.posterior_median,
}


def test_the_average_error_of_an_estimate_is_exact_to_half_a_percent():
    n, p, epsilon = 60, 0.2, 0.3
    for estimator, estimate in ESTIMATES.items():

        def known(noisy, prior, epsilon, estimate=estimate):
            return estimate(noisy, n, p, epsilon)

        error = labs.average_error(known, bayes.prior(n, p), epsilon)
        assert error == pytest.approx(
            bayes.mean_error(n, p, epsilon, estimator), rel=0.005
        )


def test_an_estimate_that_is_no_number_is_infinitely_far_off():
    for strange in (None, "5", math.nan, [5.0]):

        def estimate(noisy, prior, epsilon, strange=strange):
            return strange if noisy < 0 else noisy

        assert labs.average_error(estimate, [0.5, 0.5], 0.3) == math.inf


def test_whatever_numpy_returns_for_a_number_is_one():
    for answer in (
        np.where(True, 200, 1),
        np.array(200.0),
        np.float32(200),
        np.uint8(200),
    ):
        assert labs.is_number(answer)
        assert labs.near(answer, 200)
        assert not labs.near(answer, 300)
        assert not labs.are_numbers(answer, 1)


@pytest.mark.parametrize(
    "answer",
    [
        *(None, "0.25", b"0.25", True, 0.25j, 10**5000, math.nan, object),
        *(Decimal("0.25"), Fraction(1, 4), {0.25, 0.75}, {0.25: 0.75}),
        *([0.25], [0.25, None], [[0.25], [0.75]], (1, 10**5000), (1, True)),
        *([1, np.timedelta64(1, "ns")], np.eye(2), np.array(None)),
        *(np.array(True), np.array("0.25"), np.array(Decimal("0.25"))),
    ],
    ids=described,
)
def test_an_answer_of_any_other_kind_is_wrong_and_stops_no_test(answer):
    assert not labs.is_number(answer)
    assert not labs.are_numbers(answer, 2)
    assert not labs.near_all(answer, [0.25, 0.75])
    for right in (0.25, 1):
        assert not labs.near(answer, right, follows=right)
        said = labs.wrong(answer, {"that is one release": right}, "add up")
        assert said in ("add up", "there is no answer yet")
    assert labs.read_record(answer)[0] is None


def test_a_list_a_tuple_and_an_array_are_numbers():
    for answer in ([0.25, 0.75], (0.25, 0.75), np.array([0.25, 0.75])):
        assert labs.are_numbers(answer, 2)
        assert labs.near_all(answer, np.array([0.2501, 0.7499]))
        assert not labs.near_all(answer, [0.25, 0.7])


def test_a_record_is_read_or_gets_the_reason_why_it_is_none():
    written = ChoiceExplorer(epsilon=0.1).record(
        about="a count", names="two", date="today"
    )
    for around in ("\n", "\ufeff"):
        assert labs.read_record(f"{around}{written.json()}\n") == (written, "")
    kept = json.loads(written.json())
    del kept["number"]
    for answer, reason in (
        (None, "no answer yet"),
        (0.1, "the text that its .json"),
        ({"epsilon": 0.1}, "the text that its .json"),
        ("decision.json", "the text that its .json"),
        ("{'epsilon': 0.1}", "this is not"),
        ('{"epsilon": 0.1}', "another program"),
        (
            '{"program": "dpwidgets decision record", "format": 1}',
            "this record has format 1",
        ),
        ('{"epsilon":' * 100_000, "this is not"),
        (json.dumps(kept), "'number' is missing"),
    ):
        nothing, problem = labs.read_record(answer)
        assert nothing is None
        assert reason in problem
