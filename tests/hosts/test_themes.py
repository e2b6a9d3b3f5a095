"""VS Code and Colab by what their pages say of their theme, on a page of our own, and no more."""

import importlib.resources

import pytest

import dpwidgets
from dpwidgets import IntervalExplorer, Question
from pages import EXPLORERS, draw_alone, expect_ink, illegible
from tools import ask

# The ground, the text, a link, an error: of the themes with which VS Code comes.
VSCODE = {
    "vscode-light": ("#ffffff", "#3b3b3b", "#005fb8", "#f85149"),
    "vscode-dark": ("#1f1f1f", "#cccccc", "#4daafc", "#f85149"),
    "vscode-high-contrast": ("#000000", "#ffffff", "#21a6ff", "#f48771"),
    "vscode-high-contrast vscode-high-contrast-light": ("#ffffff", "#292929", "#0f4a85", "#b5200d"),
}
NAMES = ("editor-background", "editor-foreground", "textLink-foreground", "errorForeground")
COLAB = {"light": ("#ffffff", "#212121"), "dark": ("#383838", "#d5d5d5")}


def vscode(theme):
    """Return VS Code's page in a theme; it lays widgets on white."""
    colors = zip(NAMES, VSCODE[theme], strict=True)
    variables = ";".join(f"--vscode-{name}:{color}" for name, color in colors)
    return (
        f'<html style="{variables}"><body class="{theme}" data-vscode-theme-kind="{theme}">'
        '<div id="place" class="cell-output-ipywidget-background" style="background:white">'
    )


def colab(theme):
    """Return Colab's page in a theme."""
    ground, text = COLAB[theme]
    look = f"--colab-primary-surface-color:{ground};--colab-primary-text-color:{text}"
    return f'<html theme="{theme}" style="{look}"><body style="background:{ground}">'


PAGES = [(vscode, theme) for theme in VSCODE] + [(colab, theme) for theme in COLAB]


@pytest.fixture(params=PAGES, ids=lambda page: f"{page[0].__name__} {page[1]}")
def host(request, browser):
    """A host's empty page and whether it is dark, where the reader's system is not of this kind."""
    made, theme = request.param
    dark = theme.endswith(("dark", "high-contrast"))
    context = browser.new_context(color_scheme="light" if dark else "dark")
    page = context.new_page()
    page.set_content(made(theme))
    yield page, dark
    context.close()


def test_every_text_of_every_widget_is_legible(host):
    page, _ = host
    wrong = IntervalExplorer()
    ask(wrong, "half_width", text="abc")
    question = Question("Which?", "one", choices=("one", "two"), hint="Not two.")
    explorers = [getattr(dpwidgets, name)() for name in EXPLORERS]
    for widget in (wrong, question, *explorers):
        draw_alone(page, widget)
    assert illegible(page, least=100) == []
    axe = importlib.resources.files("axe_playwright_python") / "axe.min.js"
    page.evaluate(axe.read_text(encoding="utf-8") + "; 0")
    found = page.evaluate("axe.run({include: [['.dpw']]}, {runOnly: ['color-contrast']})")
    assert found["passes"]
    assert not found["violations"]


def test_the_picture_takes_the_hosts_theme_and_not_the_systems(host):
    page, dark = host
    draw_alone(page, IntervalExplorer())
    expect_ink(page.locator(".dpw-picture text").first, dark)
