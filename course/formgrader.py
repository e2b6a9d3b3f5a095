"""nbgrader's formgrader under a Content-Security-Policy: an extension of the hub's service.

A script runs only if it stands in nbgrader's own pages. Each of those scripts
gets a word that no student knows, made anew at each start; what is written
into an attribute runs only if it is one of the three that nbgrader's pages
have there. A page asks no other host for anything, so formulas stand as they
are typed: MathJax, from another host, would run what stands in a page.
"""

import base64
import hashlib
import secrets
from typing import Any

from jinja2 import BaseLoader, Environment
from nbgrader.server_extensions.formgrader import base, formgrader, handlers

WORD = secrets.token_urlsafe()
CLICKS = ("toggle_name(true);", "toggle_name(false);", "toggleAllNames()")


def digest(code: str) -> str:
    """Return how a policy names a script."""
    found = hashlib.sha256(code.encode()).digest()
    return f"'sha256-{base64.b64encode(found).decode()}'"


HASHES = " ".join(map(digest, CLICKS))
POLICY = "; ".join(
    [
        "default-src 'self'",
        f"script-src 'nonce-{WORD}'",
        f"script-src-attr 'unsafe-hashes' {HASHES}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


class Marked(BaseLoader):
    """Loads a template and writes the word into the scripts of its own."""

    def __init__(self, loader: BaseLoader) -> None:
        self.loader = loader

    def get_source(self, environment: Environment, template: str) -> Any:
        """Return the template; those that show outputs, and load MathJax, get no word."""
        source, *about = self.loader.get_source(environment, template)
        if "base.html" not in template and "mathjax" not in template:
            source = source.replace("<script", f'<script nonce="{WORD}"')
        return source, *about


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "formgrader"}]


def mark(extension: Any, webapp: Any) -> None:
    """Let nbgrader set up its pages, then write the word into the scripts of their templates."""
    set_up(extension, webapp)
    pages = webapp.settings["nbgrader_jinja2_env"]
    exporter = webapp.settings["nbgrader_exporter"]
    pages.loader = Marked(pages.loader)
    # It makes another whenever a template is set.
    create = exporter._create_environment

    def marked() -> Environment:
        environment = create()
        environment.loader = Marked(environment.loader)
        return environment

    exporter._create_environment = marked
    exporter._invalidate_environment_cache()


set_up = formgrader.FormgradeExtension.init_tornado_settings


def _load_jupyter_server_extension(app: Any) -> None:
    # On the classes, since nbgrader may load its formgrader once more after
    # this.
    formgrader.FormgradeExtension.init_tornado_settings = mark
    base.BaseHandler.content_security_policy = POLICY
    # A file that was handed in beside a notebook has no origin of its own to
    # act in.
    handlers.SubmissionFilesHandler.content_security_policy = (
        f"{POLICY}; sandbox"
    )
    formgrader.load_jupyter_server_extension(app)
