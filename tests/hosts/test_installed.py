"""What a reader installs: a clone and `make lab`, or a wheel alone, then JupyterLab, then marimo.

The clone has the name and the files of a reader's. The tests of the wheel
share an environment, to which each adds: it takes seconds until Python has
compiled what one needs.
"""

import json
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

import tools
from pages import NOT_OURS, Page, blank, expect_ink, part, violations
from server import free_port, running, until
from walk import SHOWN, walk

FIRST = "00_start_here.ipynb"
#: Lets whoever opens the page tell what runs in it, and asks no other host for
#: news.
CONFIGURED = {
    "expose_app_in_browser": True,
    "news_url": None,
    "check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
}
#: The first explorer is one to which marimo reacts, and a cell follows it.
APP = """
import marimo

app = marimo.App()

@app.cell
def _():
    import dpwidgets
    import marimo
    return dpwidgets, marimo

@app.cell
def _(dpwidgets, marimo):
    explorer = marimo.ui.anywidget(dpwidgets.IntervalExplorer())
    explorer
    return (explorer,)

@app.cell
def _(explorer, marimo):
    marimo.md(f"Below it: {explorer.half_width}, {explorer.value['sentence']}")
    return

"""
#: A cell for each of the rest.
CELL = """
@app.cell
def _(dpwidgets):
    {shown}
    return
"""

#: Wraps each widget as marimo does, and prints which names of ours its wrapper has or sets.
SHADOWED = """
import inspect, re
from marimo._output import hypertext
from marimo._plugins.ui._core import ui_element
from marimo._plugins.ui._impl import from_anywidget
import dpwidgets
from dpwidgets.page.page import Page

wrapper = from_anywidget.anywidget
sets = {*dir(wrapper)}
for module in (hypertext, ui_element, from_anywidget):
    sets.update(re.findall(r"self\\.(\\w+)(?::[^=\\n]+)? = ", inspect.getsource(module)))
assert "_value" in sets
for name in dpwidgets.__all__:
    kind = getattr(dpwidgets, name)
    if isinstance(kind, type) and issubclass(kind, Page):
        ours = {name for base in kind.__mro__ if base.__module__.startswith("dpwidgets.")
                for name in (*vars(base), *inspect.get_annotations(base))
                if not name.startswith("__") and name != "_repr_mimebundle_"}
        print(kind.__name__, *(ours & sets))
"""

pytestmark = [pytest.mark.slow, pytest.mark.others]


@pytest.fixture(scope="module")
def environment(tmp_path_factory, wheel):
    """An environment with the wheel, and at first no more than that needs."""
    environment = tools.Environment(tmp_path_factory.mktemp("environment"))
    environment.install(wheel)
    return environment


@contextmanager
def opened(command, folder, home, browser):
    """Run a command that opens JupyterLab, and open what it asks the reader's browser to open.

    That browser is a script, which keeps the address. And there is uv: without
    it `make lab` takes pip, as `make test` does then.
    """
    told, said, script = home / "told", home / "said", home / "bin" / "browser"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\necho "$1" >{told}\n')
    script.chmod(0o755)
    (script.parent / "uv").symlink_to(tools.UV)
    variables = tools.clean_variables(home / "settings") | {
        "BROWSER": str(script)
    }
    variables["PATH"] = f"{script.parent}{os.pathsep}{variables['PATH']}"
    config = Path(variables["JUPYTER_CONFIG_DIR"])
    config.mkdir(parents=True)
    (config / "jupyter_lab_config.json").write_text(
        json.dumps({"LabApp": CONFIGURED})
    )
    with said.open("w") as log:
        started = subprocess.Popen(
            command, cwd=folder, env=variables, stdout=log, stderr=log
        )
    try:
        # Packages may be slow to come.
        until(lambda: told.read_text().endswith("\n"), started, said, 900)
        with blank(browser, not_ours=NOT_OURS["lab"]) as page:
            page.goto(told.read_text().strip())
            page.wait_for_url(f"http://localhost:*/lab/tree/{FIRST}*")
            lab = Page(page, "lab", folder / "notebooks", "", "")
            lab.await_kernel()
            yield lab
    finally:
        # Make, the server, and the kernels, which the server ends when it is
        # asked to end.
        first = psutil.Process(started.pid)
        left = [first, *first.children(recursive=True)]
        for process in left[::-1]:
            process.terminate()
        for process in psutil.wait_procs(left, 120)[1]:
            process.kill()
        started.wait(120)


def test_make_lab_opens_a_notebook_that_runs_from_top_to_bottom(
    browser, tmp_path
):
    clone = tools.copy_repository(tmp_path / "dpwidgets")
    with opened(["make", "lab"], clone, tmp_path, browser) as page:
        page.run_all()
        page.expect_outputs(FIRST)
        explorer = part(page.page, "Epsilon (ε)")
        explorer.scroll_into_view_if_needed()
        expect(explorer.locator(".dpwidgets-picture")).to_be_visible()


def test_the_wheel_alone_is_what_is_imported_and_runs_the_code_of_the_readme(
    environment,
):
    where = ("import dpwidgets; print(dpwidgets.__file__)", [])
    blocks, said = zip(where, *tools.BLOCKS, strict=True)
    path, *printed = environment.run(
        "python", "-c", "\n".join(blocks)
    ).splitlines()
    assert Path(path).is_relative_to(environment.folder)
    assert printed == [line for lines in said for line in lines]


def test_its_command_opens_the_notebooks_in_jupyterlab(
    browser, environment, wheel, tmp_path
):
    environment.install(f"{wheel}[lab]")
    root = ["--allow-root"] if os.geteuid() == 0 else []
    command = [environment.folder / "bin" / "dpwidgets", "--to", "mine", *root]
    with opened(command, tmp_path, tmp_path, browser) as page:
        expect(
            page.page.locator(".jp-RenderedImage img").first
        ).to_be_visible()


@pytest.fixture(scope="module")
def marimo(environment):
    environment.install("marimo>=0.25")
    return environment


def test_in_marimo_widgets_are_legible_in_both_themes_move_are_followed_and_judge(
    browser, marimo, tmp_path
):
    cells = [CELL.format(shown=one) for one in SHOWN[1:]]
    app = "".join([APP, *cells])
    (tmp_path / "app.py").write_text(app, encoding="utf-8")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    program = marimo.folder / "bin" / "marimo"
    options = (
        "--headless",
        "--no-token",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    )
    command = [program, "run", tmp_path / "app.py", *options]
    variables = marimo.variables | {"HOME": str(tmp_path)}
    log = tmp_path / "server.log"
    with (
        running(command, f"{address}/health", variables, log),
        blank(browser) as page,
    ):
        for theme in ("dark", "light"):
            page.goto(f"{address}/?theme={theme}")
            half_width = page.get_by_role(
                "slider", name="Half-width (w)"
            ).first
            half_width.wait_for(timeout=60_000)
            page.get_by_label("Your answer").wait_for(timeout=60_000)
            widgets = {"fromShadowDom": ["marimo-anywidget", ".dpw"]}
            assert violations(page, widgets, runOnly=["color-contrast"]) == []
            expect_ink(
                page.locator(".dpw-picture text").first, dark=theme == "dark"
            )
        below = page.get_by_text("Below it:")
        expect(below).to_contain_text("0.2, 80% of the noisy answers")
        half_width.press("ArrowRight")
        expect(below).to_contain_text(
            "0.21, 80% of the noisy answers lie within ±21%"
        )
        walk(page)


def test_no_name_of_a_widget_is_one_that_marimos_wrapper_has_or_sets(marimo):
    kinds = marimo.run("python", "-c", SHADOWED).splitlines()
    assert len(kinds) > len(tools.EXPLORERS)
    assert [kind for kind in kinds if " " in kind.strip()] == []


def test_a_lesson_that_marimo_converts_runs_from_top_to_bottom(
    marimo, tmp_path
):
    lesson = tools.ROOT / "notebooks" / "02_interval_estimation.ipynb"
    converted = tmp_path / "lesson.py"
    marimo.run("marimo", "-y", "convert", lesson, "-o", converted)
    assert "belief in 11: 0.5025" in marimo.run("python", converted)
