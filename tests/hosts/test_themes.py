"""VS Code and Colab by what their pages say of their theme, on a page of our own, and no more."""

from dpwidgets import (
    IntervalExplorer,
    Progress,
    Question,
    Review,
    Task,
    WorldsExplorer,
)
from pages import blank, draw_alone, expect_ink, violations
from tools import EXPLORERS, ask

NAMES = (
    "editor-background",
    "editor-foreground",
    "textLink-foreground",
    "errorForeground",
)
# The ground, the text, a link, an error: of the themes with which VS Code
# comes.
VSCODE = {
    "vscode-light": ("#ffffff", "#3b3b3b", "#005fb8", "#f85149"),
    "vscode-dark": ("#1f1f1f", "#cccccc", "#4daafc", "#f85149"),
    "vscode-high-contrast": ("#000000", "#ffffff", "#21a6ff", "#f48771"),
    "vscode-high-contrast vscode-high-contrast-light": (
        "#ffffff",
        "#292929",
        "#0f4a85",
        "#b5200d",
    ),
}
COLAB = {"light": ("#ffffff", "#212121"), "dark": ("#383838", "#d5d5d5")}
#: Gives the page, its body and the widgets' place other attributes.
LOOK = """looks => ["html", "body", "#place"].forEach((selector, at) => {
    const node = document.querySelector(selector);
    ["class", "style", "theme"].forEach(name => node.removeAttribute(name));
    Object.entries(looks[at]).forEach(([name, value]) => node.setAttribute(name, value));
})"""


def hosts():
    """Yield each theme, and the attributes of its page, body and place of widgets."""
    for theme, colors in VSCODE.items():
        pairs = zip(NAMES, colors, strict=True)
        variables = ";".join(
            f"--vscode-{name}:{color}" for name, color in pairs
        )
        place = {
            "class": "cell-output-ipywidget-background",
            "style": "background:white",
        }
        yield theme, [{"style": variables}, {"class": theme}, place]
    for theme, (ground, text) in COLAB.items():
        look = f"--colab-primary-surface-color:{ground};--colab-primary-text-color:{text}"
        yield (
            theme,
            [
                {"theme": theme, "style": look},
                {"style": f"background:{ground}"},
                {},
            ],
        )


def test_axe_finds_nothing_and_the_picture_takes_the_hosts_theme_and_not_the_systems(
    browser, data_directory
):
    wrong, task = IntervalExplorer(), WorldsExplorer()
    ask(wrong, "half_width", text="abc")
    question = Question(
        "Which?", "one", choices=("one", "two"), hint="Not two."
    )
    reach = Task(
        "Move.",
        task,
        reached=lambda one: False,
        solution={"answer": 1},
        hint="Move.",
    )
    explorers = (kind() for kind in EXPLORERS)
    told = (wrong, question, reach, Review(seed=0), Progress())
    with blank(browser) as page:
        page.set_content("<div id=place></div>")
        for widget in (*told, *explorers):
            draw_alone(page, widget)
        for theme, looks in hosts():
            dark = theme.endswith(("dark", "high-contrast"))
            page.emulate_media(color_scheme="light" if dark else "dark")
            page.evaluate(LOOK, looks)
            expect_ink(page.locator(".dpw-picture text").first, dark)
            rules = {} if theme == "light" else {"runOnly": ["color-contrast"]}
            assert violations(page, **rules) == [], theme
