"""How nbgrader treats the labs; it reads this file when it runs in this folder."""

c = get_config()  # noqa: F821  (nbgrader brings it)
c.CourseDirectory.course_id = "dpwidgets"
# The student version runs from top to bottom before anything is filled in, so a removed solution
# leaves no error.
c.ClearSolutions.code_stub = {"python": "# your answer here"}
c.ClearSolutions.text_stub = "*Write here, in place of this line.*"
# The scheme for the marks of an argument stands in its question: students do not get it, the grader
# does.
c.ClearMarkScheme.enforce_metadata = False
# A saved widget is blank in the feedback; without its state the explorer's picture is shown in its
# place.
c.Execute.store_widget_state = False
