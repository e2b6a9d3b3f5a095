"""Nothing that students must not read stands in what they get."""

import html
import json
import zipfile

import pytest

from leaks import SHORTEST, leaks, secrets


@pytest.mark.slow
def test_none_is_in_the_wheel(wheel):
    assert leaks(wheel.parent) == set()


def test_a_secret_is_found_however_a_page_writes_it(tmp_path):
    secret = next(
        line for line in sorted(secrets()) if '"' in line and "<" in line
    )
    assert len(secret) >= SHORTEST
    for name, text in {
        "a.ipynb": json.dumps({"source": [secret]}),
        "b.js": f"const page = {json.dumps(json.dumps(secret))};",
        "c.html": html.escape(secret, quote=False),
        "f.py": "nothing",
    }.items():
        (tmp_path / name).write_text(text)
    with zipfile.ZipFile(
        tmp_path / "d.whl", "w", zipfile.ZIP_DEFLATED
    ) as archive:
        archive.writestr("e.py", f"    {secret}\n")
    assert {name.rpartition("/")[2][:5] for name, _ in leaks(tmp_path)} == {
        *("a.ipy", "b.js", "c.htm", "d.whl")
    }
