"""The page of a class at work: each person counts once, its noise is drawn once, its ε adds up."""

import json
import math
import os
import random
import re
import secrets
import subprocess
import sys
import threading
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import seen
from hypothesis import given, strategies as st
from scipy.stats import chisquare

import tools
from dpwidgets.teaching import sharing

KNOWN = {
    "a": {"a1": "Not yet: one.", "a2": "Not yet: <two>."},
    "b": {},
    "c": {"c1": "Not yet: x."},
}
ASKED = {
    name: {"prompt": f"<i>{name}</i>", "known": known}
    for name, known in KNOWN.items()
}
LESSON = "02_privacy_loss"
FILES = st.dictionaries(
    st.sampled_from(["a", "b", "c", "other"]),
    st.sampled_from(["", "a1", "a2", "c1", "zz"]),
)


def distance(first, second):
    return sum(abs(first[name] - second[name]) for name in first)


@given(st.lists(FILES, max_size=5), FILES)
def test_one_person_changes_at_most_one_number_of_each_histogram_by_one(
    files, another
):
    before = seen.counts(ASKED, files)
    after = seen.counts(ASKED, [*files, another])
    for first, second in zip(before, after, strict=True):
        # The bins are the lesson's, whoever is there.
        assert first.keys() == second.keys()
        assert distance(first, second) <= 1


def test_who_counts_where():
    files = [
        {"a": "a1", "b": ""},
        {"c": "c1", "a": "a2"},
        {"b": "a1"},  # a misconception of another question
        {"other": "a1"},
        {},
    ]
    stopped, met = seen.counts(ASKED, files)
    assert stopped == {"a": 0, "b": 2, "c": 1}
    assert met == {"a1": 1, "a2": 0, "c1": 1}


@pytest.mark.parametrize(
    "rate", [Fraction(1, 2), Fraction(2), Fraction(0.3), Fraction(1, 40)]
)
def test_the_noise_has_exactly_the_law_of_two_sided_geometric_noise(
    rate, monkeypatch
):
    """By chi-squared, with all numbers beyond the last one expected ten times in one cell."""
    many = 20_000
    monkeypatch.setattr(secrets, "randbelow", random.Random(1).randrange)
    drawn = Counter(seen.noise(rate) for _ in range(many))
    q = math.exp(-rate)
    last = int(math.log(10 / many * (1 + q) / (1 - q)) / -rate)
    inner = range(-last, last + 1)
    expected = [many * (1 - q) / (1 + q) * q ** abs(k) for k in inner]
    expected += 2 * [many * q ** (last + 1) / (1 + q)]
    found = [drawn[k] for k in inner]
    found += [
        sum(n for k, n in drawn.items() if s * k > last) for s in (1, -1)
    ]
    assert len(found) >= 7
    assert chisquare(found, expected).pvalue > 0.001


def test_the_noise_is_that_of_half_of_epsilon_in_every_bin():
    asked = {
        f"q{i}": {"prompt": "", "known": {f"m{i}": ""}} for i in range(20_000)
    }
    made, q = seen.release(asked, [], 1.0), math.exp(-1 / 2)
    for part in ("stopped", "met"):
        drawn = np.array(list(made[part].values()))
        for number in (0, 1, -3):
            chance = (1 - q) / (1 + q) * q ** abs(number)
            assert abs((drawn == number).mean() - chance) < 0.015


@pytest.mark.parametrize(
    ("epsilon", "bins"), [(1, 1), (1, 7), (0.5, 3), (4, 1)]
)
def test_what_stands_behind_plus_minus_holds_95_times_in_100(epsilon, bins):
    rng = np.random.default_rng(1)
    there, back = rng.geometric(
        1 - math.exp(-epsilon / 2), size=(2, 40_000, bins)
    )
    sums, way = (there - back).sum(axis=1), seen.width(epsilon, bins)
    assert (abs(sums) <= way).mean() > 0.945
    assert (abs(sums) < way).mean() < 0.955


@pytest.fixture(scope="module")
def asked():
    return seen.questions(LESSON)


def test_the_questions_are_the_lessons_in_their_order(asked):
    prompts = [one["prompt"] for one in asked.values()]
    text = (tools.ROOT / "notebooks" / f"{LESSON}.ipynb").read_text(
        encoding="utf-8"
    )
    assert len(asked) >= 5
    assert prompts[0].startswith("Laplace noise, ε = 0.5.")
    assert sum(len(one["known"]) for one in asked.values()) >= 5
    assert text.count('"Task(') + text.count('"Question(') <= len(asked) + 1


@pytest.fixture
def homes(tmp_path, asked):
    """The homes of a class of 30: all share, and each has come as far as the last question."""
    class_of = [f"s{number}" for number in range(30)]
    for student in class_of:
        path = tmp_path / "homes" / student / seen.DATA
        path.parent.mkdir(parents=True)
        path.write_text(sharing.write(dict.fromkeys(asked, "")))
    settings = (tools.ROOT / "course" / "class.toml").read_text(
        encoding="utf-8"
    )
    settings = settings.replace('["s1", "s2", "s3"]', json.dumps(class_of))
    (tmp_path / "class.toml").write_text(settings, encoding="utf-8")
    return tmp_path / "homes"


def run(homes, *command, folder=None):
    program = [
        sys.executable,
        tools.ROOT / "course" / "seen.py",
        *map(str, command),
    ]
    settings = str(homes.parent / "class.toml")
    return subprocess.run(
        program,
        cwd=folder or homes.parent,
        env={**os.environ, "DPWIDGETS_CLASS": settings},
        capture_output=True,
        text=True,
    )


def test_noise_is_drawn_once_and_epsilon_adds_up_until_the_budget_is_used(
    homes,
):
    page = homes.parent / "seen.html"
    release = (LESSON, "--homes", homes, "--epsilon")
    assert run(homes, *release, 3).returncode == 0
    shown = page.read_text()
    (there,) = re.findall(r"<td>(\d+) ± \d+ <meter", shown)[:1]
    assert abs(int(there) - 30) < 25
    assert "ε = 3 of 4" in shown
    # Nor does it help to stand elsewhere.
    refused = run(homes, *release, 1.5, folder=homes)
    assert "has used ε = 3 of 4" in refused.stderr
    assert page.read_text() == shown
    assert run(homes, *release, 1).returncode == 0
    assert "ε = 4 of 4" in page.read_text()
    assert not any(f"s{number}<" in page.read_text() for number in range(30))


@pytest.mark.parametrize("epsilon", ["0", "nan", "x"])
def test_an_epsilon_that_is_none_is_refused_before_anything_is_counted(
    homes, epsilon
):
    done = run(homes, LESSON, "--homes", homes, f"--epsilon={epsilon}")
    assert "--epsilon" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (homes.parent / "seen.json").exists()


def test_no_file_counts_that_is_another_persons_a_link_or_damaged(homes):
    one, two, three, four = (homes / f"s{number}" for number in range(4))
    whole = seen.shared(one)
    assert whole
    (two / seen.DATA).unlink()
    (two / seen.DATA).symlink_to(one / seen.DATA)
    (three / seen.DATA).unlink()
    (three / seen.DATA).parent.rmdir()
    (three / seen.DATA).parent.symlink_to((one / seen.DATA).parent)
    (four / seen.DATA).unlink()
    os.link(one / seen.DATA, four / seen.DATA)
    assert [seen.shared(home) for home in (two, three, four)] == [{}, {}, {}]
    (four / seen.DATA).unlink()
    assert seen.shared(one) == whole
    for odd in (b"{", b"[" * 10**5, b" " * 10**6, b'{"questions": {"a": 1}}'):
        (one / seen.DATA).write_bytes(odd)
        assert seen.shared(one) == {}
    (one / seen.DATA).unlink()
    os.mkfifo(one / seen.DATA)
    assert seen.shared(one) == {}
    assert seen.shared(homes / "nobody") == {}
    for name in ("loop", "data"):
        (homes / name).mkdir()
    (homes / "loop" / ".local").symlink_to(".local")
    (homes / "itself").symlink_to("itself")
    for name in ("loop", "itself"):
        assert seen.shared(homes / name) == {}


def test_no_file_counts_for_two_people_however_fast_a_folder_is_swapped(homes):
    """While it is looked at, it is a folder, then a link to another's, then a folder again."""
    one, two = homes / "s0", homes / "s1"
    folder = (two / seen.DATA).parent
    (two / seen.DATA).write_text(sharing.write({}))
    folder.rename(folder.with_name("mine"))
    over = threading.Event()

    def swap():
        while not over.is_set():
            folder.symlink_to((one / seen.DATA).parent)
            folder.unlink()
            folder.with_name("mine").rename(folder)
            folder.rename(folder.with_name("mine"))

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        found = [seen.shared(two) for _ in range(5000)]
    finally:
        over.set()
        thread.join()
    assert not any(found)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file away")
def test_a_file_that_is_another_users_counts_for_nobody(homes):
    file = homes / "s0" / seen.DATA
    os.chown(file, 61_999, 61_999)
    assert seen.shared(homes / "s0") == {}
    os.chown(homes / "s0", 61_999, 61_999)
    assert seen.shared(homes / "s0")


def test_the_page_escapes_all_words_and_shows_no_number_below_zero():
    made = {**seen.release(ASKED, [], 1), "stopped": {"a": -5, "b": 2, "c": 1}}
    page = seen.page({"<b>": [made]})
    assert "<i>" not in page
    assert "<two>" not in page
    assert "&lt;i&gt;a&lt;/i&gt;" in page
    assert "&lt;b&gt;" in page
    assert re.findall(r"<td>(-?\d+) ±", page)[:2] == ["0", "0"]
    assert not re.findall(r"[-−]\d+ ±", page)


def test_the_lecturers_page_says_how_coarse_it_is(asked):
    page = " ".join(
        (tools.ROOT / "course" / "reference.md")
        .read_text(encoding="utf-8")
        .split()
    )
    said = re.search(
        r"within (\d+) of the truth, 95 .* first of (\d+) questions within (\d+)",
        page,
    ).groups()
    one, whole = seen.width(1, 1), seen.width(1, len(asked))
    assert tuple(map(int, said)) == (one, len(asked), whole)
    assert f"a lesson has {seen.BUDGET} in all" in page
