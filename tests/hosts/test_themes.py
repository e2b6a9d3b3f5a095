"""VS Code and Colab by what their pages say of their theme, on a page of our own, and no more."""

import dpwidgets
from dpwidgets import IntervalExplorer, Progress, Question, Review, Task, WorldsExplorer
from pages import EXPLORERS, draw_alone, expect_ink, violations
from tools import ask

NAMES = ("editor-background", "editor-foreground", "textLink-foreground", "errorForeground")
# The ground, the text, a link, an error: of the themes with which VS Code comes.
VSCODE = {
    "vscode-light": ("#ffffff", "#3b3b3b", "#005fb8", "#f85149"),
    "vscode-dark": ("#1f1f1f", "#cccccc", "#4daafc", "#f85149"),
    "vscode-high-contrast": ("#000000", "#ffffff", "#21a6ff", "#f48771"),
    "vscode-high-contrast vscode-high-contrast-light": ("#ffffff", "#292929", "#0f4a85", "#b5200d"),
}
COLAB = {"light": ("#ffffff", "#212121"), "dark": ("#383838", "#d5d5d5")}


def hosts():
    """Yield each host's empty page by its theme. VS Code lays widgets on white."""
    for theme, colors in VSCODE.items():
        variables = ";".join(
            f"--vscode-{name}:{color}" for name, color in zip(NAMES, colors, strict=True)
        )
        yield (
            theme,
            (
                f'<html style="{variables}"><body class="{theme}" data-vscode-theme-kind="{theme}">'
                '<div id="place" class="cell-output-ipywidget-background" style="background:white">'
            ),
        )
    for theme, (ground, text) in COLAB.items():
        look = f"--colab-primary-surface-color:{ground};--colab-primary-text-color:{text}"
        yield theme, f'<html theme="{theme}" style="{look}"><body style="background:{ground}">'


def test_axe_finds_nothing_and_the_picture_takes_the_hosts_theme_and_not_the_systems(
    browser, data_directory
):
    wrong, task = IntervalExplorer(), WorldsExplorer()
    ask(wrong, "half_width", text="abc")
    question = Question("Which?", "one", choices=("one", "two"), hint="Not two.")
    reach = Task("Move.", task, reached=lambda one: False, solution={"answer": 1}, hint="Move.")
    widgets = (wrong, question, reach, Review(seed=0), Progress())
    widgets += tuple(getattr(dpwidgets, name)() for name in EXPLORERS)
    for theme, empty in hosts():
        dark = theme.endswith(("dark", "high-contrast"))
        page = browser.new_page(color_scheme="light" if dark else "dark")
        page.set_content(empty)
        for widget in widgets:
            draw_alone(page, widget)
        expect_ink(page.locator(".dpw-picture text").first, dark)
        contrast = {} if theme == "light" else {"runOnly": ["color-contrast"]}
        assert violations(page, **contrast) == [], theme
        page.close()
