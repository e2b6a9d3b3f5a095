"""What becomes of a lab when it is released, beside what nbgrader does."""

import hashlib
import re
from textwrap import indent

import questions
from nbgrader.preprocessors import NbGraderPreprocessor
from settings import settings

HIDDEN = re.compile(
    r"### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL
)


class Ask(NbGraderPreprocessor):
    """Puts the lecturer's own questions into a lab, once they are tried out."""

    def preprocess(self, nb, resources):
        """Add the cells."""
        lab = resources["nbgrader"]["notebook"]
        questions.put_into(nb, lab)
        questions.try_out(nb, lab)
        return nb, resources


class Practise(NbGraderPreprocessor):
    """Lets a lab that does not count say at once what is wrong with an answer, if there is one."""

    def preprocess(self, nb, resources):
        """Keep the hidden tests, below the line that asks whether an answer is there."""
        if resources["nbgrader"]["notebook"] in settings()["practice"]:
            for cell in nb.cells:
                cell.source = HIDDEN.sub(
                    lambda found: indent(
                        f'{found[1]}print("Right.")\n', "    "
                    ),
                    cell.source,
                )
        return nb, resources


class HandOut(NbGraderPreprocessor):
    """Writes into a lab which one it is, and in which version."""

    def preprocess(self, nb, resources):
        """Add to the metadata of a lab whose solutions are cleared."""
        lab = resources["nbgrader"]["notebook"]
        text = "".join(cell.source for cell in nb.cells)
        nb.metadata["dpwidgets"] = {
            "lab": lab,
            "version": hashlib.sha256(text.encode()).hexdigest(),
        }
        return nb, resources
