"""What nbgrader knows in every server of the hub."""

import os

c = get_config()  # noqa: F821  (nbgrader brings it)
c.CourseDirectory.course_id = "dpwidgets"
if exchange := os.environ.get("DPWIDGETS_EXCHANGE"):
    c.Exchange.root = exchange
# A file under another name is refused while the student can still see it.
c.ExchangeSubmit.strict = True
if student := os.environ.get("DPWIDGETS_STUDENT"):
    # Where the trial hub runs all servers as one user.
    c.CourseDirectory.student_id = student
