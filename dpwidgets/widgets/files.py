"""Files that a reader takes away from a page, or brings to it."""

from __future__ import annotations

import base64
import html

from ipywidgets import FileUpload


def link(name: str, kind: str, text: str) -> str:
    """Return the HTML of a link that downloads a text as a file of this name and media type."""
    data = base64.b64encode(text.encode()).decode("ascii")
    name, look = (
        html.escape(name),
        "text-decoration:underline",
    )  # JupyterLab takes a link's line away
    return f'<a download="{name}" href="data:{kind};charset=utf-8;base64,{data}" style="{look}">{name}</a>'


def uploaded(upload: FileUpload) -> bytes | None:
    """Return the file that was chosen, once: choosing the same again is a choice too."""
    if not upload.value:
        return None
    content = bytes(upload.value[0]["content"])
    upload.value = ()
    return content
