"""What is written of a decision, for people and for programs: a page, a label, a file, a program.

What enters is a decision of `choice` or of `plan`, and words that only people
can say. What leaves is a `Record` without data, which is read back the same by
`Record.load`, and the `QUESTIONS` that a hearing asks of each. Begin with `Record`.
"""

from dpwidgets.decisions.record._asked import (
    QUESTIONS as QUESTIONS,
    Question as Question,
    for_patients as for_patients,
    for_strangers as for_strangers,
    in_words as in_words,
)
from dpwidgets.decisions.record._file import (
    LARGEST as LARGEST,
    PAGES as PAGES,
    SUFFIXES as SUFFIXES,
    unread as unread,
)
from dpwidgets.decisions.record._of_case import (
    CaseRecord as CaseRecord,
    of_case as of_case,
)
from dpwidgets.decisions.record._of_plan import (
    PlanRecord as PlanRecord,
)
from dpwidgets.decisions.record._page import html_row as html_row
from dpwidgets.decisions.record._record import (
    NO_PLACE as NO_PLACE,
    WORDS as WORDS,
    Record as Record,
)
