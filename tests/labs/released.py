"""A course in a folder of its own: what its lecturer and its students do there."""

import json
import shlex

import tools
from sources import answered, cells_that_test, read, read_scores, right


class Course:
    """The labs' folder of a copy of the repository, with nbgrader's environment and an exchange."""

    def __init__(self, folder, **variables):
        self.environment = environment = tools.Environment(
            folder / "environment"
        )
        exchange = {"DPWIDGETS_EXCHANGE": str(folder / "exchange")}
        environment.variables |= variables | exchange
        self.repository = folder / "clone"
        self.folder = self.repository / "notebooks" / "labs"
        self.exchange = folder / "exchange" / "dpwidgets"
        self.inbound = self.exchange / "inbound"
        self.inbound.mkdir(parents=True)
        self.exchange.parent.chmod(0o1777)
        environment.install(
            f"{tools.copy_repository(self.repository)}[course]"
        )

    def release(self):
        """Release all labs."""
        self.run("nbgrader", "generate_assignment", "lab*")

    def run(self, *command):
        """Run a command in the labs' folder; it must succeed."""
        return self.environment.run(*command, cwd=self.folder)

    def tell(self, lab, *options):
        """Grade a lab, or look at it, and return of each student what the lecturer is told."""
        command = shlex.join(
            ["python", "../../course/grade.py", lab, "--all", *options]
        )
        told = self.run("bash", "-c", f"{command}; test $? -le 1")
        *lines, _ = told.splitlines()
        return {
            line[:20].strip(): f"{line[20:26].strip()} {line[28:]}"
            for line in lines
        }

    def released(self, lab):
        """Return the version of a lab that students get."""
        return read(self.folder / "release" / lab / f"{lab}.ipynb")

    def graded(self, lab, student):
        """Return a student's lab as it was graded."""
        return read(
            self.folder / "autograded" / student / lab / f"{lab}.ipynb"
        )

    def answered(self, lab, student, answer=right):
        """Return the released lab with a student's id and answers: the right ones, or others."""
        return answered(self.folder, lab, student, answer)

    def put(self, lab, student, notebook):
        """Put a notebook where it is graded, as JSON has it: odd metadata and half characters."""
        folder = self.folder / "submitted" / student / lab
        folder.mkdir(parents=True)
        (folder / f"{lab}.ipynb").write_text(json.dumps(notebook))
        return folder

    def scores(self, table="grades.csv"):
        """Return all scores, by lab and student."""
        self.run("nbgrader", "export", "--to", table)
        return read_scores(self.folder / table)

    def says(self, lab, student, cells=cells_that_test):
        """Return the errors with which the tests of a submission end, or other cells of it."""
        outputs = [
            output
            for cell in cells(self.graded(lab, student))
            for output in cell.get("outputs", ())
        ]
        return [
            output.evalue
            for output in outputs
            if output.output_type == "error"
        ]
