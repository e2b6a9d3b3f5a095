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
import shutil
import tempfile
from pathlib import Path
from typing import Any

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


#: nbgrader's templates, with the word in the scripts of their own. Those that
#: show outputs, and load MathJax, are nbconvert's and get none.
TEMPLATES = tempfile.TemporaryDirectory(prefix="dpwidgets-formgrader-")


def mark(templates: str) -> None:
    """Copy the templates and write the word into their scripts."""
    shutil.copytree(templates, TEMPLATES.name, dirs_exist_ok=True)
    for path in Path(TEMPLATES.name).rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            text = text.replace("<script", f'<script nonce="{WORD}"')
            path.write_text(text, encoding="utf-8")


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "formgrader"}]


def _load_jupyter_server_extension(app: Any) -> None:
    # On the module and the classes, since nbgrader may load its formgrader
    # once more after this.
    mark(handlers.template_path)
    handlers.template_path = TEMPLATES.name
    base.BaseHandler.content_security_policy = POLICY
    # A file that was handed in beside a notebook has no origin of its own to
    # act in.
    handlers.SubmissionFilesHandler.content_security_policy = (
        f"{POLICY}; sandbox"
    )
    formgrader.load_jupyter_server_extension(app)
