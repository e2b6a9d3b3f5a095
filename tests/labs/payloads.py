"""Scripts in all places of a submission where one could stand, and whether any of them has run."""

import contextlib

import nbformat

from sources import answers, graded, hand_in

ARGUED = "lab3"
(ARGUMENT,) = answers(ARGUED, read_by="a person")
DATA = "top.document.documentElement.dataset"
SCRIPT = f"{DATA}.ran = ({DATA}.ran || '')"
#: What a script that runs does: it leaves its letter, and gives full marks
#: where it can.
GIVE = """
fetch(base_url + '/api/grades?submission_id=' + submission_id).then(got => got.json()).then(all =>
  all.forEach(grade => fetch(base_url + '/api/grade/' + grade.id, {method: 'PUT', headers: {
    'Content-Type': 'application/json', 'X-XSRFToken': document.cookie.match(/_xsrf=([^;]*)/)[1]},
    body: JSON.stringify({manual_score: grade.max_score})})))"""


def runs(letter):
    return f"{SCRIPT} + '{letter}'; {GIVE}".replace("\n", " ")


SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{runs("g")}"></svg>'
#: Of an argument, with the letter that a script would leave.
WORDS = f"""My argument.

<script>{runs("a")}</script>
<img src="x" onerror="{runs("b")}">
<iframe srcdoc="<script>{SCRIPT} + 'c'</script>"></iframe>
{SVG}

[a link](javascript:{runs("d").replace(" ", "%20").replace("(", "%28").replace(")", "%29")})
<a href="javascript:{runs("d")}">another</a> [a file](evil.html) ![a picture](attachment:one)
$\\href{{javascript:alert(1)}}{{x}}$
"""
ATTACHED = {"one": {f'image/png" onerror="{runs("e")}" alt="': "AAAA"}}
#: Of the output of a cell of code.
SHOWN = {
    "text/html": f"<script>{runs('f')}</script>",
    "image/svg+xml": SVG,
    "application/javascript": runs("h"),
    "image/png": f'AA"><script>{runs("i")}</script>',
    "text/markdown": f"<script>{runs('j')}</script>",
    "text/latex": f"<script>{runs('k')}</script>",
    "text/plain": f"<script>{runs('l')}</script>",
}
SHOW = f"from IPython.display import display\nfor kind, data in {SHOWN!r}.items():\n"
SHOW += "    display({kind: data}, raw=True)"
#: Of a file beside the notebook.
FILE = f"<script>{runs('o')}</script>"


def evil(notebook, student):
    """Return the lab, handed in by a student, full of scripts."""
    hand_in(notebook, ARGUED, student)
    (argument,) = (
        cell for cell in notebook.cells if graded(cell)["grade_id"] == ARGUMENT
    )
    argument.source, argument.attachments = WORDS, ATTACHED
    shown = [
        nbformat.v4.new_output("display_data", data={k: v})
        for k, v in SHOWN.items()
    ]
    notebook.cells += [
        nbformat.v4.new_code_cell(SHOW, outputs=shown),
        nbformat.v4.new_raw_cell(
            f"<script>{runs('m')}</script>",
            metadata={"raw_mimetype": "text/html"},
        ),
        nbformat.v4.new_markdown_cell("x"),
    ]
    # No comma in it.
    notebook.cells[-1].metadata.tags = [f"\"><script>{SCRIPT} + 'n'</script>"]
    return notebook


@contextlib.contextmanager
def raw(labs, student):
    """Show a submission as nbgrader alone leaves it, with a file beside it."""
    path = labs / "autograded" / student / ARGUED / f"{ARGUED}.ipynb"
    kept = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(
        (
            labs / "submitted" / student / ARGUED / f"{ARGUED}.ipynb"
        ).read_bytes()
    )
    page = path.with_name("evil.html")
    page.write_text(FILE)
    try:
        yield
    finally:
        page.unlink()
        path.write_bytes(kept)


def submission(ask, student):
    """Return the number of a student's submission, and the scores set by hand in it.

    `ask` returns what the formgrader says under an address.
    """
    (one,) = (
        one
        for one in ask(f"submitted_notebooks/{ARGUED}/{ARGUED}")
        if one["student"] == student
    )
    grades = ask(f"grades?submission_id={one['id']}")
    by_hand = {
        g["name"]: g["manual_score"]
        for g in grades
        if g["manual_score"] is not None
    }
    return one["id"], by_hand


def what_ran(page):
    """Click each link of a student's, wait until all is loaded or refused, return the letters."""
    for link in page.locator("a[href^='javascript:']").all():
        link.click(force=True)
    page.wait_for_load_state("networkidle")
    return page.evaluate("document.documentElement.dataset.ran || ''")
