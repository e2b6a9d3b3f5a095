"""A hub as `make hub` starts it, and people who use it as their browsers do."""

import os
import signal
import subprocess
from pathlib import Path

import requests

import tools
from server import until


class Hub:
    """A hub in a folder of its own; leaving it ends every process, and lists what it has left."""

    def __init__(self, environment, repository, folder, port):
        self.url, self.state = f"http://127.0.0.1:{port}", folder / "state"
        text = (
            (repository / "course" / "class.toml")
            .read_text()
            .replace("8000", str(port))
        )
        settings = folder / "class.toml"
        settings.write_text(text)
        self.variables = environment.variables | {
            "DPWIDGETS_HUB": str(self.state),
            "DPWIDGETS_CLASS": str(settings),
        }
        program = environment.folder / "bin" / "jupyterhub"
        config = repository / "course" / "jupyterhub_config.py"
        self.command = [program, "-f", config]
        self.log = folder / "hub.log"

    def __enter__(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                self.command,
                env=self.variables,
                cwd=self.log.parent,
                stdout=log,
                stderr=log,
            )
        try:
            self.until(lambda: "now running" in self.log.read_text(), 180)
        except BaseException:
            self.__exit__()
            raise
        return self

    def until(self, holds, seconds):
        """Wait until something holds while the hub runs."""
        until(holds, self.process, self.log, seconds)

    def __exit__(self, *error):
        self.process.terminate()
        try:
            self.process.wait(120)  # it ends one server after another
        finally:
            self.left = self.processes()
            for process in self.left:
                os.kill(process, signal.SIGKILL)

    def processes(self):
        """Return the processes that run for this hub: all know its folder."""
        ours = f"DPWIDGETS_HUB={self.state}".encode()
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if ours in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
            except OSError:
                pass  # it has ended since
        return found


class Person:
    """Somebody who has logged in."""

    def __init__(self, hub, name):
        self.hub, self.name = hub, name
        browser = requests.Session()
        browser.get(f"{hub.url}/hub/login", timeout=30)
        xsrf = {"_xsrf": browser.cookies["_xsrf"]}
        form = {"username": name, "password": "any"} | xsrf
        page = browser.post(
            f"{hub.url}/hub/login",
            data=form,
            timeout=60,
            allow_redirects=False,
        )
        self.welcome = page.status_code
        xsrf = {"_xsrf": browser.cookies.get("_xsrf", path="/hub/")}
        browser.headers["Referer"] = f"{hub.url}/hub/token"
        tokens = f"{hub.url}/hub/api/users/{name}/tokens"
        made = browser.post(tokens, params=xsrf, json={}, timeout=60)
        self.header = {"Authorization": f"token {made.json().get('token')}"}

    def ask(self, method, path, seconds=300, **options):
        """Send a request and return the answer."""
        return requests.request(
            method,
            f"{self.hub.url}/{path}",
            headers=self.header,
            timeout=seconds,
            **options,
        )

    def start(self):
        """Start the person's server and wait for it."""
        assert self.ask("POST", f"hub/api/users/{self.name}/server").ok
        self.hub.until(
            lambda: self.ask("GET", f"user/{self.name}/api/status").ok, 300
        )

    def pull(self, repository, branch):
        """Open an nbgitpuller link, as its page does."""
        asked = {
            "repo": str(repository),
            "branch": branch,
            "targetpath": "course",
        }
        told = self.ask(
            "GET", f"user/{self.name}/git-pull/api", params=asked
        ).text
        assert '"phase": "finished"' in told, told

    def read(self, path):
        """Return a file, or a folder's files, of the person's home."""
        answer = self.ask("GET", f"user/{self.name}/api/contents/{path}")
        return answer.json()["content"] if answer.ok else None

    def save(self, path, content):
        """Save a notebook."""
        model = {"type": "notebook", "content": content}
        assert self.ask(
            "PUT", f"user/{self.name}/api/contents/{path}", json=model
        ).ok

    def labs(self, what, lab):
        """Fetch, submit, or fetch the feedback of a lab, as the page *Assignments* does."""
        form = {"course_id": "dpwidgets", "assignment_id": lab}
        told = self.ask(
            "POST", f"user/{self.name}/assignments/{what}", data=form
        )
        assert told.ok, told.text
        assert told.json()["success"], told.text

    def grade(self, path):
        """Do what a button of the formgrader does."""
        told = self.ask(
            "POST", f"services/dpwidgets/formgrader/api/{path}", seconds=600
        )
        assert told.ok, told.text
        assert told.json()["success"], told.text


def environment(folder):
    """Return an environment with what a hub needs, and a copy of the repository."""
    made = tools.Environment(folder / "environment")
    repository = tools.copy_repository(folder / "clone")
    needed = repository / "course" / "requirements.txt"
    made.install("-r", needed, "--editable", f"{repository}[course]")
    proxy = "configurable-http-proxy@^5"
    made.run("npm", "install", "--global", f"--prefix={made.folder}", proxy)
    return made, repository
