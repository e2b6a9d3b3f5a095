"""What a lecturer sees of a class while it works: noisy counts, and nobody's own answers.

On the machine of the hub, as a user who may read the homes::

    python course/seen.py 02_privacy_loss --homes /home

counts once, adds noise, and keeps the result in seen.json beside class.toml;
seen.html there shows what is kept of all lessons.

**The release.** Of whoever shares (`Progress`), two things count in a lesson:
the last question, in the lesson's order, that they answered, and the last of
its misconceptions that they met. So each person is in at most one bin of each
of two histograms, whatever their file says. Two classes are neighbours if one
of them has one person more. Each number of a histogram gets two-sided
geometric noise of scale 2/ε, a whole number (`noise`), so both together
have ε. How many reached a question is the sum of the bins from it on. Noise is
drawn once and kept: drawn anew at each look, it would average out. Later
releases add to the ε of a lesson, and those of several lessons to that of a
person.
"""

import argparse
import io
import json
import math
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import jinja2
import nbformat
import numpy as np
from IPython.core.interactiveshell import InteractiveShell
from scipy.stats import dlaplace
from settings import place, settings
from strangers import content_of_owner

from dpwidgets.inputs.domain import POSITIVE
from dpwidgets.inputs.notation import up
from dpwidgets.teaching import sharing
from dpwidgets.teaching.asking import Asking
from dpwidgets.teaching.disk import replace
from dpwidgets.teaching.progress import key

HERE = Path(__file__).parent.resolve()
LESSONS = {
    path.stem: path
    for path in sorted((HERE.parent / "notebooks").glob("0[0-9]_*.ipynb"))
}
#: How much ε all releases of a lesson may have together.
BUDGET = 4
#: Where Jupyter keeps its data in a home.
DATA = Path(".local", "share", "jupyter", "dpwidgets", sharing.NAME)
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>A class at work</title>
<meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } caption { text-align: left; padding: .5rem 0 }
td, th { text-align: left; padding: .3rem .6rem .3rem 0; vertical-align: top }
td { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
td:nth-child(n+2), th:nth-child(n+2) { text-align: right; white-space: nowrap }
meter { width: 6rem }
@media (max-width: 40rem) { meter { display: none } th { white-space: normal !important } }
.epsilon { border-left: 4px solid #0072b2; padding-left: 1rem }
</style>
<h1>A class at work</h1>
<p class="epsilon">Used up so far, over all lessons: ε = {{ up(total) }} for each person who
shares.</p>
<p>Only those who share are counted, and each number has noise: 95 times in 100 the truth is
within what stands behind ±. Neighbours are two classes of which one has one person more, with
all that this person shares. A person counts once for each lesson among the questions, as the last
one that they answered, and once among the misconceptions.</p>
{% for lesson in lessons %}
<h2>{{ lesson.name }}</h2>
<p class="epsilon">ε = {{ up(lesson.epsilon) }} for what stands here, of {{ lesson.day }}.
Used up for this lesson so far: ε = {{ up(lesson.used) }} of {{ budget }}.</p>
<table><tr><th>Question</th><th>reached</th><th>last one answered</th></tr>
{% for prompt, reached, within, stopped in lesson.questions %}
<tr><td>{{ prompt }}</td>
<td>{{ reached }} ± {{ within }} <meter max="{{ lesson.most }}" value="{{ reached }}"></meter></td>
<td>{{ stopped }} ± {{ lesson.within }}</td></tr>
{% endfor %}
</table>
<table><caption>The misconceptions met most, as the last one of a person. The largest of
{{ lesson.many }} noisy numbers are often large by chance.</caption>
<tr><th>Misconception</th><th>people</th></tr>
{% for (prompt, message), number in lesson.mistakes %}
<tr><td>{{ prompt }}<br>{{ message }}</td><td>{{ number }} ± {{ lesson.within }}</td></tr>
{% endfor %}
</table>
{% endfor %}
</html>
"""


def questions(lesson: str) -> dict[str, Any]:
    """Return a lesson's questions in order, with the misconceptions that each knows.

    They follow from the notebook alone: no file of a student adds a bin.

    Returns
    -------
    dict
        Under each question's key its `prompt`, and under `known` each
        misconception's message by its key.
    """
    shell = InteractiveShell()
    found: dict[str, Any] = {}
    for cell in nbformat.read(LESSONS[lesson], as_version=4).cells:
        if cell.cell_type != "code":
            continue
        with redirect_stdout(io.StringIO()):
            done = shell.run_cell(cell.source)
        done.raise_error()
        question = done.result
        if isinstance(question, Asking):
            messages = question.known()
            known = {
                key(question.key, message): message for message in messages
            }
            found[question.key] = {"prompt": question.prompt, "known": known}
    return found


def shared(home: Path) -> dict[str, str]:
    """Return what somebody shares; whose file is a link, too large or damaged shares nothing."""
    try:
        most = sharing.LARGEST + 1
        return sharing.read(content_of_owner(home, DATA, most))
    except (OSError, ValueError):
        return {}


def counts(
    lesson_questions: Mapping[str, Any], files: Iterable[Mapping[str, str]]
) -> tuple[dict[str, int], dict[str, int]]:
    """Count in each bin those whose last question, or last misconception, is that one.

    Parameters
    ----------
    lesson_questions : dict
        The lesson's questions, from `questions`.
    files : iterable of dict
        What each person shares.

    Returns
    -------
    stopped, met : dict of str to int
        Under each question's key, and under each misconception's, how many
        people. One person changes one number of each by one.
    """
    stopped = dict.fromkeys(lesson_questions, 0)
    met: dict[str, int] = {}
    for question in lesson_questions.values():
        met |= dict.fromkeys(question["known"], 0)
    for file in files:
        last_question = last_mistake = None
        for name, question in lesson_questions.items():
            if name in file:
                last_question = name
                if file[name] in question["known"]:
                    last_mistake = file[name]
        if last_question is not None:
            stopped[last_question] += 1
        if last_mistake is not None:
            met[last_mistake] += 1
    return stopped, met


def release(
    lesson_questions: Mapping[str, Any],
    files: Iterable[Mapping[str, str]],
    epsilon: float,
) -> dict[str, Any]:
    """Return one private release of a lesson: its questions, and whole numbers with noise."""
    half = Fraction(str(epsilon)) / 2  # of 0.1 as it was typed
    stopped, met = counts(lesson_questions, files)
    return {
        "epsilon": epsilon,
        "day": date.today().isoformat(),
        "questions": lesson_questions,
        "stopped": noisy(stopped, half),
        "met": noisy(met, half),
    }


def noisy(histogram: Mapping[str, int], rate: Fraction) -> dict[str, int]:
    """Return a histogram with two-sided geometric noise of this rate on each of its numbers."""
    return {name: number + noise(rate) for name, number in histogram.items()}


def noise(rate: Fraction) -> int:
    """Draw a whole number k with a probability in proportion to exp(−rate·|k|).

    It is the difference of two geometric numbers. No floating-point number
    takes part, so the law is exactly this one.
    """
    difference = 0
    for sign in (1, -1):
        while happens(rate):
            difference += sign
    return difference


def happens(rate: Fraction) -> bool:
    """Return true with probability exp(−rate).

    By Algorithm 1 of Canonne, Kamath and Steinke (2020), *The discrete
    Gaussian for differential privacy*.
    """
    if rate > 1:
        return happens(rate / 2) and happens(rate / 2)
    trials = 1
    while secrets.randbelow(rate.denominator * trials) < rate.numerator:
        trials += 1
    return trials % 2 == 1


def width(epsilon: float, bins: int) -> int:
    """Return within how many people of the truth a sum of so many bins is, 95 times in 100."""
    # Beyond it no number matters.
    far = math.ceil(80 / epsilon)
    of_a_bin = dlaplace(epsilon / 2).pmf(np.arange(-far, far + 1))
    whole = np.array([1.0])
    for _ in range(bins):
        whole = np.convolve(whole, of_a_bin)
    middle = len(whole) // 2
    inside = np.cumsum(whole[middle:]) * 2 - whole[middle]
    return int(np.searchsorted(inside, 0.95))


def used_up(releases: Iterable[Mapping[str, Any]]) -> float:
    """Return the ε of releases together."""
    return sum(release["epsilon"] for release in releases)


def shown(name: str, releases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the page says of a lesson: its last release, and what all of them used up."""
    last = releases[-1]
    stopped = list(last["stopped"].values())
    reached = [max(0, sum(stopped[at:])) for at in range(len(stopped))]
    asked: list[tuple[str, int, int, int]] = []
    words: dict[str, tuple[str, str]] = {}
    for at, question in enumerate(last["questions"].values()):
        prompt = question["prompt"]
        within = width(last["epsilon"], len(stopped) - at)
        asked.append((prompt, reached[at], within, max(0, stopped[at])))
        for mistake, message in question["known"].items():
            words[mistake] = prompt, message
    most = Counter(last["met"]).most_common(5)
    return {
        "name": name,
        "epsilon": last["epsilon"],
        "day": last["day"],
        "used": used_up(releases),
        "within": width(last["epsilon"], 1),
        "questions": asked,
        "most": max([1, *reached]),
        "mistakes": [(words[one], max(0, number)) for one, number in most],
        "many": len(last["met"]),
    }


def page(kept: Mapping[str, list[dict[str, Any]]]) -> str:
    """Return the whole page of what is kept, by lesson."""
    return (
        jinja2.Environment(autoescape=True)
        .from_string(PAGE)
        .render(
            total=sum(map(used_up, kept.values())),
            lessons=[shown(lesson, kept[lesson]) for lesson in sorted(kept)],
            budget=BUDGET,
            up=up,
        )
    )


def main() -> None:
    """Release a lesson once, and write the page of all that was released."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lesson", choices=LESSONS)
    parser.add_argument(
        "--homes", type=Path, required=True, help="the folder of the homes"
    )
    parser.add_argument("--epsilon", type=float, default=1)
    chosen = parser.parse_args()
    # One place for a class, wherever one stands: its budget is one.
    file = place().resolve().with_name("seen.json")
    kept: dict[str, list[dict[str, Any]]] = {}
    if file.exists():
        kept = json.loads(file.read_text(encoding="utf-8"))
    before = kept.get(chosen.lesson, [])
    used = used_up(before)
    try:
        POSITIVE.check_one("--epsilon", chosen.epsilon)
    except ValueError as error:
        sys.exit(str(error))
    if used + chosen.epsilon > BUDGET:
        sys.exit(
            f"{chosen.lesson} has used ε = {up(used)} of {BUDGET}; this would be more"
        )
    students = settings()["students"]
    files = [shared(chosen.homes / student) for student in students]
    new = release(questions(chosen.lesson), files, chosen.epsilon)
    kept |= {chosen.lesson: [*before, new]}
    replace(file, json.dumps(kept, indent=1))
    look = file.with_suffix(".html")
    look.write_text(page(kept), encoding="utf-8")
    print(f"kept in {file}, drawn in {look}")


if __name__ == "__main__":
    main()
