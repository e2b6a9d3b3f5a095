"""The command that copies the notebooks and opens them, but for the program that opens them.

That one is tried in tests/browser/test_make_lab.py and, for marimo, in tests/hosts.
"""

import runpy
import sys

import pytest

from dpwidgets import __main__ as opening

NAMES = sorted(path.name for path in opening.CARRIED.glob("*.ipynb"))


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Run the command in an empty folder; return with what it called which program."""

    def opened(*arguments):
        monkeypatch.setattr(sys, "argv", ["dpwidgets", *arguments])
        opening.main()
        return calls.pop(), *sys.argv[1:]

    calls = []
    monkeypatch.setattr(runpy, "run_module", lambda program, **_: calls.append(program))
    monkeypatch.chdir(tmp_path)
    return opened


def test_the_first_start_copies_every_notebook_and_its_pictures(opened, tmp_path, capsys):
    folder = tmp_path / "dpwidgets-notebooks"
    assert opened() == ("jupyterlab", "dpwidgets-notebooks/00_start_here.ipynb")
    assert sorted(path.name for path in folder.glob("*.ipynb")) == NAMES
    for path in (path for path in folder.rglob("*") if path.is_file()):
        carried = opening.CARRIED / path.relative_to(folder)
        assert path.read_bytes() == carried.read_bytes()
    assert (folder / "images").is_dir()
    assert not (folder / "labs").exists()
    assert capsys.readouterr().out == f"The notebooks are in {folder}.\n"


def test_a_later_start_keeps_what_the_reader_changed_and_names_it(opened, tmp_path, capsys):
    opened("--to", "here")
    changed, lost = tmp_path / "here" / NAMES[1], tmp_path / "here" / NAMES[2]
    changed.write_text("mine")
    lost.unlink()
    capsys.readouterr()
    opened("--to", "here")
    assert changed.read_text() == "mine"
    assert lost.is_file()
    assert f"changed them: {NAMES[1]}.\n" in capsys.readouterr().out


def test_further_options_are_the_programs(opened):
    first = "here/00_start_here.ipynb"
    assert opened("--no-browser", "--to", "here") == ("jupyterlab", first, "--no-browser")


def test_a_folder_that_cannot_be_made_is_named(opened, tmp_path, capsys):
    (tmp_path / "taken").write_text("")
    with pytest.raises(SystemExit) as left:
        opened("--to", "taken")
    assert left.value.code == 2
    assert "--to taken: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "package"), [((), "dpwidgets[lab]"), (("--marimo",), "marimo>=0.25")]
)
def test_a_program_that_is_not_installed_is_named(monkeypatch, opened, capsys, arguments, package):
    monkeypatch.setattr(opening, "find_spec", lambda _: None)
    with pytest.raises(SystemExit) as left:
        opened(*arguments)
    assert left.value.code == 1
    assert f'pip install "{package}"' in capsys.readouterr().err
