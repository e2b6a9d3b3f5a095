"""The worker's end of a page: explorers whose messages go to the page, and to no kernel.

What anywidget takes and gives, this takes and gives: what a comm carries, as
JSON.
"""

import json
from collections.abc import Callable
from typing import Any

import comm
from comm.base_comm import BaseComm

import dpwidgets
from dpwidgets.inputs.outside import described
from dpwidgets.page.explorer import Explorer
from dpwidgets.page.link import read


class End:
    """Takes a page's messages, and gives it those of its explorers.

    Parameters
    ----------
    post : callable
        What sends a text to the page.
    """

    def __init__(self, post: Callable[[str], None]) -> None:
        self.open: dict[str, Explorer] = {}

        class ToPage(BaseComm):
            """A widget's way to its page."""

            def publish_msg(
                self, msg_type: str, data: Any = None, **_: Any
            ) -> None:
                post(
                    json.dumps(
                        {"kind": msg_type, "model": self.comm_id, "data": data}
                    )
                )

        self.post = post
        comm.create_comm = ToPage

    def take(self, text: str) -> None:
        """Take a message: what a page tells an explorer, or what it asks of this end.

        It asks for an explorer by a link, for the link of one, or that one be
        closed. What it asks for and cannot get is answered by why.
        """
        message = json.loads(text)
        if "data" in message:
            content = {"comm_id": message["model"], "data": message["data"]}
            arrived = {"content": content, "buffers": []}
            comm.get_comm_manager().comm_msg(None, None, arrived)
        elif "close" in message:
            self.open.pop(message["close"]).close()
        else:
            try:
                if "open" in message:
                    answer = self._opened(message)
                else:
                    answer = self._link(message)
            except (TypeError, ValueError) as error:
                answer = {"kind": "refused", "why": str(error)}
            self.post(json.dumps(answer | {"asked": message["asked"]}))

    def _opened(self, message: dict[str, Any]) -> dict[str, str]:
        """Make an explorer of a link, with some of its controls, and say which model it is.

        Other links lead to its start, and to where its reader has been since.
        """
        link = message["open"]
        word = link.removeprefix("#").partition("?")[0]
        name = f"{word.capitalize()}Explorer"
        if name not in dpwidgets.__all__:
            raise ValueError(
                f"a link begins with # and an explorer's word; got {described(link)}"
            )
        kind = getattr(dpwidgets, name)
        explorer = kind(**read(kind, link), only=message.get("only", ()))
        explorer.came_from(*message.get("past", [link]))
        self.open[explorer.model_id] = explorer
        return {"kind": "answered", "answer": explorer.model_id}

    def _link(self, message: dict[str, str]) -> dict[str, str]:
        """Return the link to the state of an explorer."""
        return {
            "kind": "answered",
            "answer": self.open[message["link"]].link(),
        }
