"""The ledger decides by the printed digits and lets no difference pass without a reason."""

import html
from functools import partial

import numpy as np
import pytest

from dpwidgets.teaching.ledger import VERDICTS, Erratum, Ledger


@pytest.fixture
def ledger():
    return Ledger("interval")


def test_the_printed_digits_decide(ledger):
    for printed, computed, verdict in (
        ("0.08", 0.080471895621705019, "match"),
        ("79.8%", 0.79810348200534459, "match"),
        ("±20%", 0.2, "match"),
        ("100,000", 100_000, "match"),
        ("1/3", 1 / 3, "match"),
        ("-0.5", -0.5, "match"),
        ("0.13", 0.125, "match"),
        ("91.6", 91.6515, "rounding"),
        ("18%", 0.174, "rounding"),
        ("13", 12.6, "match"),
    ):
        ledger.check("Sec. 1", printed, computed)
        assert ledger.lines[-1].verdict == verdict, printed


def test_every_verdict_has_one_meaning_which_a_head_shows(ledger):
    for odd in ("match", "garbled"):
        with pytest.raises(
            ValueError, match="verdict must be one of 'rounding', "
        ):
            ledger.claim("Sec. 1", "so", False, erratum=Erratum(odd, "not so"))
    assert not ledger.lines
    page = html.unescape(ledger.verdicts._repr_html_())
    for name, (mark, meaning) in VERDICTS.items():
        assert f"{mark} <b>{name}</b>: {meaning}." in page


def test_a_difference_needs_a_reason_and_agreement_carries_none_and_bad_lines_are_refused(
    ledger,
):
    claim = partial(ledger.claim, "Sec. 1")
    check = partial(ledger.check, "Sec. 1")
    for add, what, found, verdict in (
        (check, "0.3602", 0.30619, "wrong"),
        (check, "2.776", 2.77258872, "wrong"),
        (check, "0.08", -0.08, "wrong"),
        (check, "ln 2", 0.693, "wrong"),
        (claim, "so", False, "wrong"),
        # A whole number that is off by one is rounded only if that is said.
        (check, "90", 89, "rounding"),
        (check, "17", 18, "rounding"),
        (check, "48,842", 48841, "rounding"),
        (check, "±1", 0, "rounding"),
        (check, "16", 16.6, "rounding"),
    ):
        with pytest.raises(
            ValueError, match="add an erratum that says what is right"
        ):
            add(what, found)
        add(what, found, erratum=Erratum(verdict, "another number"))
        assert ledger.lines[-1].verdict == verdict
    for add, what, found in (
        (check, "0.5", 0.5),
        (claim, "so", np.bool_(True)),
    ):
        with pytest.raises(
            ValueError, match="nothing differs, so there is no erratum"
        ):
            add(what, found, erratum=Erratum("misprint", "0.5"))
        add(what, found)
    with pytest.raises(ValueError, match="— nan; add an erratum"):
        check("1", np.nan)
    with pytest.raises(ValueError, match="is not"):
        check("one", 1)
    assert len(ledger.lines) == 12


def test_a_part_shows_its_own_lines_and_counts_in_the_whole(ledger):
    ledger.check("Sec. 1", "1.0", 1.07)
    part = ledger.part()
    part.claim("Sec. 2", "second", True)
    part.check(
        "Sec. 2", "0.2", 0.7, erratum=Erratum("perhaps our copy's", "0.7")
    )
    part.note("Sec. 2", "third", "unread")
    assert part.tally == "2 checked: 1 match, 1 perhaps our copy's; 1 noted"
    assert "1.0" not in part._repr_html_()
    assert (
        ledger.tally
        == "3 checked: 1 match, 1 rounding, 1 perhaps our copy's; 1 noted"
    )
    assert "? perhaps our copy's<br>0.7" in part._repr_html_()


def test_it_renders_as_escaped_html_and_a_long_one_folded(ledger):
    ledger.note("Sec. 1, Eq. (1)", "a < b & <script>", "why <i>not</i>")
    ledger.claim("Sec. 1", "x < y", False, erratum=Erratum("wrong", "x > y"))
    page = ledger._repr_html_()
    assert page.startswith("<details open>")
    for words in (
        "Sec. 1, Eq. (1)</td>",
        "x &lt; y",
        "✗ wrong<br>x &gt; y",
        "a &lt; b &amp; &lt;script&gt;",
        ledger.tally,
    ):
        assert words in page
    assert "<script>" not in page
    assert repr(ledger) == f"Ledger of interval, {ledger.tally}"
    for _ in range(9):
        ledger.check("Sec. 2", "1", 1)
    assert ledger._repr_html_().startswith("<details>")
