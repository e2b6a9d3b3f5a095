"""The worker's end of a page: explorers whose messages go to the page, and to no kernel.

What anywidget takes and gives, this takes and gives: what a comm carries, as JSON.
"""

import json
from collections.abc import Callable
from typing import Any

import comm
from comm.base_comm import BaseComm

import dpwidgets
from dpwidgets.inputs.outside import described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.link import word


class End:
    """Takes a page's messages, and gives it those of its explorers.

    Parameters
    ----------
    post : callable
        What sends a text to the page.
    """

    def __init__(self, post: Callable[[str], None]) -> None:
        self.kinds = {}
        for name in dpwidgets.__all__:
            kind = getattr(dpwidgets, name)
            if isinstance(kind, type) and issubclass(kind, Explorer):
                self.kinds[word(kind)] = kind
        self.open: dict[str, Explorer] = {}

        class ToPage(BaseComm):
            """A widget's way to its page."""

            def publish_msg(self, msg_type: str, data: Any = None, **_: Any) -> None:
                post(json.dumps({"kind": msg_type, "model": self.comm_id, "data": data}))

        self.post = post
        comm.create_comm = ToPage

    def take(self, text: str) -> None:
        """Take a message: to make an explorer of a link, or what a page tells one.

        A link that is none is answered by why.
        """
        message = json.loads(text)
        if "link" in message:
            self.post(json.dumps(self._opened(message["link"]) | {"asked": message["asked"]}))
        else:
            arrived = {"content": {"comm_id": message["model"], "data": message["data"]}}
            comm.get_comm_manager().comm_msg(None, None, arrived)

    def _opened(self, link: str) -> dict[str, str]:
        """Make an explorer of a link, and say which model it is."""
        kind = self.kinds.get(link.removeprefix("#").partition("?")[0])
        try:
            if kind is None:
                raise ValueError(f"a link must begin with the word of an explorer; got {described(link)}")
            explorer = kind.from_link(link)
        except (TypeError, ValueError) as error:
            return {"kind": "refused", "why": str(error)}
        self.open[explorer.model_id] = explorer
        return {"kind": "opened", "model": explorer.model_id}
