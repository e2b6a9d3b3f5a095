"""The command that copies the notebooks and opens them, but for the program that opens them.

That one is tried in tests/hosts/test_installed.py.
"""

import runpy
import sys

import pytest

from dpwidgets import __main__ as opening
from execute import EVERY, NOTEBOOKS

NAMES = [path.relative_to(NOTEBOOKS).as_posix() for path in EVERY]


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Run the command in an empty folder; return with what it called which program."""

    def opened(*arguments):
        monkeypatch.setattr(sys, "argv", ["dpwidgets", *arguments])
        opening.main()
        return calls.pop(), *sys.argv[1:]

    calls = []
    monkeypatch.setattr(
        runpy, "run_module", lambda program, **_: calls.append(program)
    )
    monkeypatch.chdir(tmp_path)
    return opened


def test_the_first_start_copies_all_and_a_later_one_keeps_what_the_reader_changed_and_names_it(
    opened, tmp_path, capsys
):
    folder = tmp_path / "dpwidgets-notebooks"
    assert opened() == (
        "jupyterlab",
        "dpwidgets-notebooks/00_start_here.ipynb",
    )
    copied = sorted(folder.rglob("*.ipynb"))
    assert [path.relative_to(folder).as_posix() for path in copied] == NAMES
    for path in (path for path in folder.rglob("*") if path.is_file()):
        carried = opening.CARRIED / path.relative_to(folder)
        assert path.read_bytes() == carried.read_bytes()
    assert (folder / "images").is_dir()
    assert not (folder / "labs").exists()
    assert capsys.readouterr().out == f"The notebooks are in {folder}.\n"
    (folder / NAMES[-2]).write_text("mine")
    (folder / NAMES[2]).unlink()
    first = f"{folder}/00_start_here.ipynb"
    assert opened("--no-browser", "--to", str(folder)) == (
        "jupyterlab",
        first,
        "--no-browser",
    )
    assert (folder / NAMES[-2]).read_text() == "mine"
    assert (folder / NAMES[2]).is_file()
    assert f"changed them: {NAMES[-2]}.\n" in capsys.readouterr().out
    assert opened("--t=x", "--mar")[1:] == (
        "dpwidgets-notebooks/00_start_here.ipynb",
        "--t=x",
        "--mar",
    )


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ("--to taken", 2, "--to taken: "),
        ("", 1, 'pip install "dpwidgets[lab]"'),
    ],
)
def test_a_folder_that_cannot_be_made_or_a_program_that_is_not_there_is_named(
    monkeypatch, opened, tmp_path, capsys, arguments, status, told
):
    (tmp_path / "taken").write_text("")
    if "--to" not in arguments:
        monkeypatch.setattr(opening, "find_spec", lambda _: None)
    with pytest.raises(SystemExit) as left:
        opened(*arguments.split())
    assert left.value.code == status
    assert told in capsys.readouterr().err
