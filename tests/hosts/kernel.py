"""A kernel of any environment, spoken to as a front end does: what every host is tried with."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from jupyter_client import BlockingKernelClient, KernelManager
from jupyter_client.kernelspec import KernelSpec

from pages import BY_HAND, DRAWS, EXPLORERS, MORE, TASK

VIEW = "application/vnd.jupyter.widget-view+json"
_TURNS = itertools.count(1)


class Kernel:
    """A kernel, and what its front end knows: the state of each model, by its name there."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client
        self.models: dict[str, dict] = {}

    def run(self, code: str) -> tuple[dict, dict]:
        """Run a cell, which prints nothing; return what it shows, and the metadata of that."""
        shown = self._until_idle(self._client.execute(code))
        (content,) = shown or [{"data": {}, "metadata": {}}]
        return content["data"], content["metadata"]

    def ask(self, model: str, name: str, **event) -> None:
        """Tell a model what a reader did on its page, and wait for the answer."""
        turn = str(next(_TURNS))
        state = {"_asked": {"name": name, "turn": turn, **event}}
        data = {"method": "update", "state": state, "buffer_paths": []}
        message = self._client.session.msg(
            "comm_msg", {"comm_id": model, "data": data}
        )
        self._client.shell_channel.send(message)
        self._until_idle(message["header"]["msg_id"])
        assert self.says(model, "")["turn"] == turn

    def says(self, model: str, name: str) -> dict:
        """Return what a part of a page shows."""
        return self.models[model]["_shown"][name]

    def _until_idle(self, asked: str) -> list[dict]:
        """Take what the kernel says until it is done; return what it shows."""
        shown = []
        while True:
            message = self._client.get_iopub_msg(timeout=120)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            assert kind not in ("stream", "error"), content
            if kind in ("comm_open", "comm_msg"):
                state = content["data"].get("state", {})
                self.models.setdefault(content["comm_id"], {}).update(state)
            elif kind in ("execute_result", "display_data"):
                shown.append(content)
            elif kind == "status" and content["execution_state"] == "idle":
                return shown


@contextmanager
def started(
    python: str | Path, variables: Mapping[str, str]
) -> Iterator[Kernel]:
    """Start a Python's kernel, and end it afterwards."""
    manager = KernelManager()
    command = [
        str(python),
        "-m",
        "ipykernel_launcher",
        "-f",
        "{connection_file}",
    ]
    manager._kernel_spec = KernelSpec(argv=command, language="python")
    manager.start_kernel(env=dict(variables))
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def try_everything(
    kernel: Kernel,
    moved: Iterable[str] = ("IntervalExplorer", "ChoiceExplorer"),
) -> list[dict]:
    """Show all that can be shown, and return the metadata of that.

    Some explorers are moved, a question is answered, and a task reached.
    """
    kernel.run("import dpwidgets")
    described = []

    def show(code):
        data, metadata = kernel.run(code)
        # For a page without a kernel.
        assert "image/png" in data or "text/html" in data
        described.append(metadata)
        return data[VIEW]["model_id"]

    explorers = {
        name: show(f"{name} = dpwidgets.{name}()\n{name}")
        for name in EXPLORERS
    }
    task = show(TASK)
    kernel.ask(explorers["WorldsExplorer"], "answer", text="4.7")
    assert kernel.says(task, "verdict")["text"] == "✓ Reached."

    # The task counts only with all other controls as at their start.
    for name in moved:
        _move(kernel, explorers[name])

    question = show(MORE)
    kernel.ask(question, "answer", text="33")
    assert kernel.says(question, "verdict")["text"].startswith("✗ Not yet")
    kernel.ask(question, "answer", text="3+3")
    assert kernel.says(question, "verdict")["text"].startswith("✓ Right.")
    assert "It is even." in kernel.says(question, "held")["html"]

    for code in (
        DRAWS,
        BY_HAND,
        "dpwidgets.Review(seed=0)",
        "dpwidgets.Progress()",
    ):
        show(code)
    return described


def _move(kernel: Kernel, model: str) -> None:
    """Move each control of an explorer by one place and back; its words follow it."""
    sentences = {kernel.says(model, "sentence")["text"]}
    controls = [
        name
        for name, says in kernel.models[model]["_shown"].items()
        if "place" in says
    ]
    for name in controls:
        before = kernel.says(model, name)
        if before.get("hidden") or before.get("solved"):
            continue
        place = before["place"]
        for there in (place - 1 if place else 1, place):
            kernel.ask(model, name, place=there)
            sentence = kernel.says(model, "sentence")
            picture = kernel.says(model, "picture")
            assert not picture["stale"]
            assert (
                picture["alt"]
                == sentence["text"]
                == kernel.models[model]["sentence"]
            )
            sentences.add(sentence["text"])
    assert len(sentences) > 2
