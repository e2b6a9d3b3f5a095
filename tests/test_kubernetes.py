"""`course/kubernetes`: a server needs no variable of ours, its image has no solutions."""

import os

import yaml
from traitlets.config import Config

import dpwidgets
import tools

FOLDER = tools.ROOT / "course" / "kubernetes"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
VALUES = yaml.safe_load((FOLDER / "values.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
SINGLE = VALUES["singleuser"]


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
