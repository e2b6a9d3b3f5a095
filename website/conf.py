"""How Sphinx builds the site from the pages that `__main__.py` has put together."""

from typing import Any

from docutils.nodes import SkipNode, math_block
from docutils.utils.math import latex2mathml
from jinja2 import PackageLoader
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx.addnodes import pending_xref

from strips import KINDS

project = "dpwidgets"
extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc"]
html_theme = "pydata_sphinx_theme"
html_title = project
html_static_path = ["static"]
html_favicon = "static/favicon.svg"
html_css_files = ["page.css", "site.css"]
# Each needs those before it.
SCRIPTS = ("page.js", "model.js", "live.js", "alive.js", "site.js")
html_js_files = [(name, {"defer": "defer"}) for name in SCRIPTS]
html_copy_source = False
# It would read other pages, which a folder does not allow.
html_show_search_summary = False
# A page of its own, such as the README, has nothing to list there, and what is
# moved needs the room.
WIDE: dict[str, list[str]] = {
    "index": [],
    "desk": [],
    "explorers/index": [],
    **{f"explorers/{word}": [] for word in KINDS},
}
html_sidebars = {"[A-Z]*": [], **WIDE}
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,  # the arrow keys move sliders
    "back_to_top_button": False,  # it lies over what one reads
    "footer_start": [],
    "footer_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], **WIDE},
}
html_math_renderer = "mathml"
nb_execution_mode = "off"  # the stored outputs are the page
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
numpydoc_show_class_members = False
autodoc_default_options = {
    "member-order": "bysource",
    # Of other packages, or no class of its own.
    "exclude-members": "silent, Look, Lock, TURN, set",
}
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
add_module_names = False

# Else numpydoc compiles its template anew for each of two thousand docstrings.
TEMPLATES = SandboxedEnvironment(loader=PackageLoader("numpydoc"))
docscrape_sphinx.SandboxedEnvironment = lambda loader: TEMPLATES


def mathml(formula: str, block: bool = False) -> str:
    """Return a formula as MathML, in a line or alone; docutils knows \\ldots alone, and no ½."""
    formula = formula.replace(r"\dots", r"\ldots").replace("½", r"\frac{1}{2}")
    return latex2mathml.tex2mathml(formula, as_block=block)


def _write(translator: Any, node: Any) -> None:
    """Write a formula, in a line or alone."""
    block = isinstance(node, math_block)
    translator.body.append(mathml(node.astext(), block))
    raise SkipNode


def _escape(
    app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Let |x| be an absolute value and not a name for something else."""
    for place, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            parts = line.split("``")  # every second one is code
            parts[::2] = [part.replace("|", r"\|") for part in parts[::2]]
            lines[place] = "``".join(parts)


def _lead(app: Any, page: Any) -> None:
    """Let what annotates an explorer's parameter lead to it, and not to a calculator's namesake."""
    for link in page.findall(pending_xref):
        if (
            link["reftarget"] == "Choice"
            and link.get("py:module") == "dpwidgets"
        ):
            link["reftarget"] = "dpwidgets.page.parameters.Choice"


def setup(app: Any) -> None:
    """Write formulas as MathML, which browsers read without a script and without a network."""
    app.connect("doctree-read", _lead)
    app.add_html_math_renderer("mathml", (_write, None), (_write, None))
    app.connect("autodoc-process-docstring", _escape, priority=400)
