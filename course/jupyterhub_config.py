"""A hub for one class on one machine: `make hub` starts it, hub.md beside this explains it."""

import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent.resolve()
sys.path.insert(0, str(HERE))
from settings import settings  # noqa: E402

try:
    CHOSEN = settings()
except (OSError, ValueError) as error:
    sys.exit(str(error))
# The database, the exchange, trial homes.
STATE = Path(os.environ["DPWIDGETS_HUB"]).resolve()
BIN = Path(sys.executable).parent
GRADERS = CHOSEN["graders"]
STUDENTS = CHOSEN["students"]
TRYING = CHOSEN["spawner"] == "simple"
#: The user of this machine in whose home the course lies and under whose name
#: it is graded.
GRADER = "grader-dpwidgets"
EXCHANGE = STATE / "exchange"
#: A server of root's must be told that it may.
AS_ROOT = ["--allow-root"] if os.getuid() == 0 else []
#: Before a program that is to end with the hub, however that ends: on Linux.
WITH_HUB = (
    ["setpriv", "--pdeathsig=KILL", "--"] if sys.platform == "linux" else []
)
PRIVATE = STATE / "private"

c = get_config()  # noqa: F821  (JupyterHub brings it)
STATE.mkdir(parents=True, exist_ok=True)
PRIVATE.mkdir(mode=0o700, exist_ok=True)
EXCHANGE.mkdir(exist_ok=True)
# Whoever hands in writes there; only its owner renames or removes a folder.
EXCHANGE.chmod(0o1777)

here = "127.0.0.1" if TRYING else CHOSEN["address"]
c.JupyterHub.bind_url = f"http://{here}:{CHOSEN['port']}"
c.JupyterHub.hub_port = CHOSEN["port"] + 1
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{CHOSEN['port'] + 2}"
c.ConfigurableHTTPProxy.command = [
    *WITH_HUB,
    str(BIN / "configurable-http-proxy"),
]
c.JupyterHub.db_url = f"sqlite:///{PRIVATE}/hub.sqlite"
c.JupyterHub.cookie_secret_file = str(PRIVATE / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(PRIVATE / "proxy.pid")
c.Authenticator.allowed_users = {*GRADERS, *STUDENTS}


def lessons(spawner):
    """Put the notebooks for reading into a home that is not there yet."""
    home = STATE / "homes" / spawner.user.name
    if not home.exists():
        labs = shutil.ignore_patterns("labs")
        shutil.copytree(HERE.parent / "notebooks", home, ignore=labs)


if TRYING:
    c.JupyterHub.template_vars = {
        "announcement_login": "FOR TRYING OUT ONLY: any name of the class gets in, with any "
        "password."
    }
    c.Spawner.pre_spawn_hook = lessons
    c.SimpleLocalProcessSpawner.home_dir_template = str(
        STATE / "homes" / "{username}"
    )
    c.Spawner.args = AS_ROOT
c.JupyterHub.authenticator_class = "dummy" if TRYING else "pam"
c.JupyterHub.spawner_class = {
    "simple": "simple",
    "local": "jupyterhub.spawner.LocalProcessSpawner",
    "systemd": "systemdspawner.SystemdSpawner",
}[CHOSEN["spawner"]]

environment = {
    "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
    "JUPYTER_CONFIG_PATH": str(HERE / "etc"),
    "DPWIDGETS_EXCHANGE": str(EXCHANGE),
    "DPWIDGETS_HUB": str(STATE),
}


def student(spawner):
    """Return whose server it is, if a student's: under that name they hand in."""
    name = spawner.user.name
    return name if name in STUDENTS else ""


c.Spawner.environment = environment | {"DPWIDGETS_STUDENT": student}
# In the trial the lessons lie in each home.
first = "/tree/00_start_here.ipynb" if TRYING else ""
c.Spawner.default_url = f"/lab{first}"
c.Spawner.mem_limit = CHOSEN["memory"]
c.Spawner.cpu_limit = CHOSEN["cores"]
c.Spawner.cmd = [str(HERE / "limited"), str(BIN / "jupyterhub-singleuser")]
# A whole class starts at once: of thirty servers none was there within the
# default half minute.
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 180

c.JupyterHub.load_groups = {
    "formgrade-dpwidgets": {"users": GRADERS},
    "nbgrader-dpwidgets": {"users": STUDENTS},
}
c.JupyterHub.load_roles = [
    {
        "name": "graders",
        "groups": ["formgrade-dpwidgets"],
        "scopes": ["self", "access:services!service=dpwidgets"],
    },
    {
        "name": "culler",
        "services": ["culler"],
        "scopes": [
            "list:users",
            "read:users:activity",
            "read:servers",
            "delete:servers",
        ],
    },
]
home = HERE.parent if TRYING else Path("/home") / GRADER / "dpwidgets"
culler = {
    "name": "culler",
    "command": [
        *(*WITH_HUB, str(BIN / "python"), "-m", "jupyterhub_idle_culler"),
        f"--timeout={CHOSEN['idle_server'] * 60}",
    ],
}
grading = {
    "name": "dpwidgets",
    "url": f"http://127.0.0.1:{CHOSEN['port'] + 3}",
    "oauth_no_confirm": True,
    "cwd": str(home / "notebooks" / "labs"),
    "command": [
        *(*WITH_HUB, str(BIN / "jupyterhub-singleuser")),
        # Ours, in formgrader.py.
        "--ServerApp.jpserver_extensions=formgrader=True",
        *AS_ROOT,
    ],
    "environment": environment
    | {
        "JUPYTERHUB_DEFAULT_URL": "/formgrader",
        "PYTHONPATH": str(HERE),
        # Without nbgrader's configuration there is no formgrader.
        "TRAITLETS_APPLICATION_RAISE_CONFIG_FILE_ERROR": "1",
    },
}
if not TRYING:
    grading["user"] = GRADER
    grading["environment"]["HOME"] = f"/home/{GRADER}"
c.JupyterHub.services = [culler, grading]
