"""Files that a reader takes away from a page, or brings to it."""

from __future__ import annotations

import base64
import html

from ipywidgets import FileUpload

from dpwidgets.outside import is_whole


def link(name: str, kind: str, text: str) -> str:
    """Return the HTML of a link that downloads a text as a file of this name and media type.

    Raises
    ------
    ValueError
        If the text has half of a character in it, which no file in UTF-8 can hold.
    """
    if not is_whole(text):
        raise ValueError("text must be whole characters; a file cannot hold half of one")
    data = base64.b64encode(text.encode()).decode("ascii")
    name, href = html.escape(name), html.escape(f"data:{kind};charset=utf-8;base64,{data}")
    look = "text-decoration:underline"  # JupyterLab takes a link's line away
    return f'<a download="{name}" href="{href}" style="{look}">{name}</a>'


def uploaded(upload: FileUpload) -> bytes | None:
    """Return the file that was chosen, once: choosing the same again is a choice too."""
    if not upload.value:
        return None
    content = bytes(upload.value[0]["content"])
    upload.value = ()
    return content
