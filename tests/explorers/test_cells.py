"""A cell that is run again and again gathers no explorers, in a kernel as JupyterLab drives it."""

import pytest
from jupyter_client.manager import start_new_kernel


@pytest.fixture(scope="module")
def run():
    """A function that runs code in a cell with an id, and returns what it printed."""
    manager, client = start_new_kernel(kernel_name="python3")

    def run(code, cell):
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        content |= {"user_expressions": {}, "stop_on_error": True}
        message = client.session.msg("execute_request", content, metadata={"cellId": cell})
        client.shell_channel.send(message)
        printed = []
        while True:
            told = client.get_iopub_msg(timeout=60)
            if told["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            assert told["msg_type"] != "error", told["content"]
            if told["msg_type"] == "stream":
                printed.append(told["content"]["text"])
            elif told["content"].get("execution_state") == "idle":
                client.get_shell_msg(timeout=60)
                return "".join(printed).strip()

    run("from dpwidgets import IntervalExplorer as Explorer, LossExplorer", "first")
    run("from ipywidgets.widgets.widget import _instances as widgets", "first")
    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def count(run):
    return int(run("print(len(widgets))", "count"))


def test_what_a_cell_shows_replaces_what_it_showed(run):
    run("one = Explorer()\none", "a")
    many = count(run)
    for _ in range(5):
        run("one = Explorer()\none", "a")
        assert count(run) == many
    assert run("one.half_width = 0.3; print(one.half_width, bool(one.controls))", "b") == "0.3 True"


def test_what_another_cell_still_shows_stays(run):
    run("two = Explorer()\ntwo", "c")
    run("kept = two\nkept", "d")
    run("two = Explorer()\ntwo", "c")
    assert run("print(bool(kept.controls))", "e") == "True"
    run("'nothing'", "d")
    assert run("print(bool(kept.controls))", "e") == "False"


def test_what_is_shown_again_stays(run):
    run("three = Explorer()\nthree", "f")
    run("three", "f")
    assert run("print(bool(three.controls))", "e") == "True"


def test_what_was_never_shown_stays(run):
    run("four = [LossExplorer(), LossExplorer()]", "g")
    run("print(four[0])", "g")
    assert run("print(bool(four[1].controls))", "e") == "True"
