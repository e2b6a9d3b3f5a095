"""The ledger decides by the printed digits and lets no difference pass without a reason."""

import numpy as np
import pytest

from dpwidgets.teaching.ledger import Garbled, Ledger, Misprint, Wrong


@pytest.fixture
def ledger():
    return Ledger("interval")


def test_the_printed_digits_decide(ledger):
    for printed, computed in (
        ("0.08", 0.080471895621705019),
        ("0.99", 0.99004983374916805),
        ("80%", 0.8),
        ("79.8%", 0.79810348200534459),
        ("±20%", 0.2),
        ("100,000", 100_000),
        ("1e-3", 0.00104),
        ("ln 2", np.log(2)),
        ("1/3", 1 / 3),
        ("-0.5", -0.5),
        ("0.13", 0.125),
    ):
        ledger.check("Sec. 1", printed, computed)
    assert {line.verdict for line in ledger.lines} == {"match"}
    for printed, computed in (("91.6", 91.6515), ("28.2", 28.2843)):
        ledger.check("Sec. 1", printed, computed)
        assert ledger.lines[-1].verdict == "rounding"


def test_a_difference_needs_a_reason(ledger):
    differ = {"0.3602": 0.30619, "2.776": 2.77258872, "0.08": -0.08, "ln 2": 0.693}
    for printed, computed in differ.items():
        with pytest.raises(ValueError, match="add a Misprint, a Wrong or a Garbled"):
            ledger.check("Sec. 1", printed, computed)
        ledger.check("Sec. 1", printed, computed, erratum=Wrong("another number"))
        ledger.check("Sec. 1", printed, computed, erratum=Misprint("another digit"))
        assert [line.verdict for line in ledger.lines[-2:]] == ["wrong", "misprint"]
    assert len(ledger.lines) == 8


def test_agreement_carries_no_reason(ledger):
    with pytest.raises(ValueError, match="nothing differs, so there is no erratum"):
        ledger.check("Sec. 1", "0.5", 0.5, erratum=Misprint("0.5"))
    with pytest.raises(ValueError, match="nothing differs"):
        ledger.claim("Sec. 1", "so it is", True, erratum=Wrong("it is not"))


def test_claims_hold_or_say_why_not(ledger):
    ledger.claim("Sec. 1", "so it is", np.bool_(True))
    with pytest.raises(ValueError, match="does not hold; add"):
        ledger.claim("Sec. 1", "so it is", False)
    ledger.claim("Sec. 1", "so it is", False, erratum=Wrong("it is not"))
    with pytest.raises(TypeError, match="holds must be True or False; got 1"):
        ledger.claim("Sec. 1", "so it is", 1)


def test_bad_lines_are_refused(ledger):
    with pytest.raises(ValueError, match="computed must be a finite number; got nan"):
        ledger.check("Sec. 1", "1", np.nan)
    with pytest.raises(ValueError, match="is not a number"):
        ledger.check("Sec. 1", "about one", 1)
    with pytest.raises(TypeError, match="erratum must be a Misprint, a Wrong or a Garbled"):
        ledger.check("Sec. 1", "1", 2, erratum="typo")
    with pytest.raises(ValueError, match="text must be one of"):
        Ledger("nonsense")
    assert ledger.lines == []


def test_the_tally_counts_what_was_checked(ledger):
    ledger.check("Sec. 1", "1", 1)
    ledger.check("Sec. 1", "1.0", 1.07)
    ledger.note("Sec. 2", "as is well known", "no source")
    assert ledger.tally == "2 checked: 1 match, 1 rounding; 1 noted"


def test_a_part_shows_its_own_lines_and_counts_in_the_whole(ledger):
    ledger.claim("Sec. 1", "first", True)
    part = ledger.part()
    part.claim("Sec. 2", "second", True)
    part.note("Sec. 2", "third", "unread")
    assert part.tally == "1 checked: 1 match; 1 noted"
    assert "first" not in repr(part)
    assert ledger.tally == "2 checked: 2 match; 1 noted"


def test_it_renders_as_text_and_as_escaped_html(ledger):
    ledger.note("Sec. 1, Eq. (1)", "a < b & <script>", "why <i>not</i>")
    ledger.claim("Sec. 1", "x < y", False, erratum=Wrong("x > y"))
    text, page = repr(ledger), ledger._repr_html_()
    assert "Sec. 1\n  Eq. (1): a < b & <script> — note: why <i>not</i>\n" in text
    assert "x < y — does not hold — wrong: x > y" in text
    assert "<script>" not in page
    assert "<i>" not in page
    assert "a &lt; b &amp; &lt;script&gt;" in page
    assert ledger.tally in text
    assert ledger.tally in page


def test_long_sections_are_folded(ledger):
    for _ in range(3):
        ledger.check("Sec. 1", "1", 1)
    for _ in range(9):
        ledger.check("Sec. 2", "1", 1)
    short, long = ledger._repr_html_().split("<details")[1:]
    assert short.startswith(" open>")
    assert long.startswith(">")


def test_what_our_copy_may_have_changed_is_counted_apart():
    ledger = Ledger("breach")
    ledger.check("Sec. 1", "0.2", 0.7, erratum=Garbled("0.7"))
    ledger.claim("Sec. 1", "x < y", False, erratum=Wrong("x > y"))
    assert ledger.tally == "2 checked: 1 wrong, 1 perhaps our copy's"
    assert "? perhaps our copy's" in ledger._repr_html_()
