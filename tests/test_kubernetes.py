"""`course/kubernetes`: its numbers follow from BENCHMARKS.md, its image has no solutions."""

import os
import re

import yaml
from traitlets.config import Config

import dpwidgets
import tools

FOLDER = tools.ROOT / "course" / "kubernetes"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
PROSE = " ".join(PAGE.split())
VALUES = yaml.safe_load((FOLDER / "values.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
BENCHMARKS = (tools.ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")


def rows(section):
    """Return the rows of a section's table, by the first cell."""
    text = BENCHMARKS.split(f"## {section}\n")[1].split("\n## ")[0]
    cells = [
        line.strip("| ").split(" | ")
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    return {
        tuple(row[:2]) if row[0].isdigit() else row[0]: row
        for row in cells[1:]
    }


HUB = rows("A class on the hub of `course/`")["30", "50"]
KERNEL = re.search(r"a server and a kernel of (\d+) MB", BENCHMARKS)
SERVER = int(HUB[6]) - int(KERNEL[1])
# A lesson and its audit.
PAIR = sum(int(row[1]) for row in rows("The largest kernels").values())
SINGLE = VALUES["singleuser"]
GUARANTEED = re.fullmatch(r"(\d+)M", SINGLE["memory"]["guarantee"])
# The hub takes an M for 1024 * 1024 bytes.
RESERVED = round(int(GUARANTEED[1]) * 2**20 / 1e6)


def test_what_is_reserved_holds_a_server_a_lesson_and_its_audit():
    assert f"that is {SERVER + PAIR} MB" in PROSE
    assert SERVER + PAIR <= RESERVED < SERVER + PAIR + 50
    assert f"We reserve {RESERVED} MB" in PROSE
    seats = VALUES["scheduling"]["userPlaceholder"]["replicas"]
    waiting = f"{seats * RESERVED / 1000:.1f} GB"
    assert (
        f"the {seats} seats that wait for whoever comes next, {waiting}"
        in PROSE
    )
    larger = SINGLE["profileList"][1]["kubespawner_override"]["mem_guarantee"]
    # About twice.
    assert 1.8 < int(larger.removesuffix("M")) * 2**20 / 1e6 / RESERVED < 2.2


def test_each_row_follows_from_what_was_measured():
    # Seconds of a core: 30 started on two.
    to_start = round(int(HUB[1]) * 2 / 30, 1)
    assert f"A server took {to_start:.1f} seconds of a core" in PROSE
    for line in re.findall(
        r"^\| ([\d,]+) \| (\d+) GB \| (\d+) \| (\d+) s", PAGE, re.MULTILINE
    ):
        students, memory, cores, seconds = (
            int(number.replace(",", "")) for number in line
        )
        needed = int(HUB[7]) / 1000 + students * RESERVED / 1000
        assert needed <= memory < needed + 1, students
        assert seconds - 1 < students * to_start / cores <= seconds + 1
        assert students * SINGLE["cpu"]["guarantee"] <= cores
        # A fifth moves, two steps a second.
        assert students * float(HUB[5]) / 1000 * 2 / 5 <= cores


def test_the_settings_of_a_server_need_none_of_our_variables(monkeypatch):
    for name in [name for name in os.environ if name.startswith("DPWIDGETS_")]:
        monkeypatch.delenv(name)
    settings = Config()
    for path in sorted((tools.ROOT / "course" / "etc").glob("*.py")):
        exec(
            path.read_text(encoding="utf-8"), {"get_config": lambda: settings}
        )
    assert settings.MappingKernelManager.cull_idle_timeout == 3600
    assert settings.CourseDirectory.course_id == "dpwidgets"
    # Nbgrader's own, unless a variable names another.
    assert "root" not in settings.Exchange
    assert "student_id" not in settings.CourseDirectory


def test_the_image_is_of_this_version_and_holds_no_solutions():
    image = SINGLE["image"]
    assert image["tag"] == dpwidgets.__version__
    assert DOCKERFILE.count(f"{image['name']}:{image['tag']}") == 1
    assert PAGE.count(f"{image['name']}:{image['tag']}") == 2
    copied = [
        line.split()[1:-1]
        for line in DOCKERFILE.splitlines()
        if line.startswith("COPY")
    ]
    sources = [
        word for words in copied for word in words if not word.startswith("--")
    ]
    assert sources
    # Neither of these folders as a whole: they hold the labs too.
    for source in sources:
        found = list(tools.ROOT.glob(source))
        assert found, source
        assert source not in ("notebooks", "course")
        assert not [path for path in found if "labs" in path.parts], source
    # For nbgitpuller.
    assert (
        "git" in DOCKERFILE.split("apt-get install")[1].split("&&")[0].split()
    )
