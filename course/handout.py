"""What a released lab carries with it, so that *Hand in* knows it again."""

from nbgrader.preprocessors import NbGraderPreprocessor
from settings import settings

from dpwidgets.labs.handin import answers, as_key


class HandOut(NbGraderPreprocessor):
    """Writes into a lab which one it is, its questions, and the lecturer's key."""

    def preprocess(self, nb, resources):
        """Add to the metadata of a lab whose solutions are cleared."""
        key = settings()["public_key"]
        if key:
            as_key(key)  # a slip is told now, and not to every student
        lab = resources["nbgrader"]["notebook"]
        nb.metadata["dpwidgets"] = {
            "lab": lab,
            "questions": answers(nb.cells),
            "public_key": key,
        }
        return nb, resources
