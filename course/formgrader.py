"""nbgrader's formgrader under a Content-Security-Policy: an extension of the hub's service.

A script runs only if it stands in nbgrader's own pages. Each of those scripts
gets a word that no student knows, made anew at each start; what is written
into an attribute runs only if it is one of the three that nbgrader's pages
have there. A page asks no other host for anything, so formulas stand as they
are typed: MathJax, from another host, would run what stands in a page.
"""

import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Any

from nbgrader.server_extensions.formgrader import base, formgrader, handlers

WORD = secrets.token_urlsafe()
#: How a policy names what nbgrader's pages have in attributes: a browser's
#: console says it where it refuses one.
CLICKS = (
    "'sha256-oGUA7LtyEKDvlMppna1zdKjVAxPLpRV7YpX8dvx6PJo='",  # toggle_name(true);
    "'sha256-7pj7EC95pL82C2/Ze44MC9cnRyAM/uAP2esJ0iv/l1w='",  # toggle_name(false);
    "'sha256-xaPiteI6Q1fG7zz7teIy7XMq1q7pzwVK4Idzx6n9UtY='",  # toggleAllNames()
)
POLICY = "; ".join(
    [
        "default-src 'self'",
        f"script-src 'nonce-{WORD}'",
        f"script-src-attr 'unsafe-hashes' {' '.join(CLICKS)}",
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


def mark(template: str, copy: str) -> None:
    """Copy a template, and write the word into its scripts."""
    text = Path(template).read_text(encoding="utf-8")
    text = text.replace("<script", f'<script nonce="{WORD}"')
    Path(copy).write_text(text, encoding="utf-8")


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "formgrader"}]


def _load_jupyter_server_extension(app: Any) -> None:
    # On the module and the classes, since nbgrader may load its formgrader
    # once more after this.
    theirs, ours = handlers.template_path, TEMPLATES.name
    shutil.copytree(theirs, ours, copy_function=mark, dirs_exist_ok=True)
    handlers.template_path = ours
    base.BaseHandler.content_security_policy = POLICY
    # A file that was handed in beside a notebook has no origin of its own to
    # act in.
    handlers.SubmissionFilesHandler.content_security_policy = (
        f"{POLICY}; sandbox"
    )
    formgrader.load_jupyter_server_extension(app)
