"""How nbgrader treats the labs; it reads this file when it runs in this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "course"))
from collect import Collect
from feedback import Page
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearHiddenTests
from settings import exchange
from steps import Grade, Submission, ask, clean, hand_out, practise, restore

c = get_config()  # noqa: F821  (nbgrader brings it)
c.CourseDirectory.course_id = "dpwidgets"
c.Exchange.root = str(exchange())
# Several processes may grade side by side: each waits until the gradebook is free.
c.CourseDirectory.db_url = (
    f"sqlite:///{Path(__file__).parent}/gradebook.db?timeout=120"
)
# The student version runs from top to bottom before anything is filled in, so a removed solution
# leaves no error.
c.ClearSolutions.code_stub = {"python": "# your answer here"}
c.ClearSolutions.text_stub = "*Write here, in place of this line.*"
# The scheme for the marks of an argument stands in its question: students do not get it, the grader
# does.
c.ClearMarkScheme.enforce_metadata = False
steps = GenerateAssignment().preprocessors
steps.insert(steps.index(ClearHiddenTests), practise)
c.GenerateAssignment.preprocessors = [ask, *steps, hand_out]
# Tests are put back when the student's kernel can no longer read the file in which they stand.
c.Autograde.exporter_class = Submission
c.Autograde.sanitize_preprocessors = ["nbgrader.preprocessors.ClearOutput"]
c.Autograde.autograde_preprocessors = [
    restore,
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
    Grade,
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
    clean,
]
# A page of ours, in which nothing runs.
c.GenerateFeedback.preprocessors = ["nbgrader.preprocessors.GetGrades"]
c.GenerateFeedback.exporter_class = Page
# No links are followed, and the exchange says when something was handed in.
c.ExchangeFactory.collect = Collect
