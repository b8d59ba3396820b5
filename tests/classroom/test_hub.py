"""A JupyterHub as `make hub` starts it, on loopback: two students do an exercise in their servers, and get marks.

Hostile submissions are tested in exercises/test_grading.py.
"""

import csv
import json
import os
import runpy
import subprocess
import sys
import time
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from unittest.mock import MagicMock

import nbformat
import pytest
import requests
from browser import free_port
from nbgrader_course import NAME as SHOWN
from nbgrader_course import commands, read, run

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future

ROOT = Path(__file__).resolve().parents[2]
HUB = ROOT / "classroom" / "hub"
COURSE, NAME = "from-symbols-to-solver", "05_robot_models"  # an exercise that compiles, and soon
SOURCE = ROOT / "exercises" / NAME / f"{NAME}.ipynb"
PASSWORD = "eight letters or more"
PATIENCE = 600.0  # s: a hang ends here
LISTEN = """
from lessons_lib.codegen.native import Native

heard, make = [], Native._build
Native._build = lambda self, types: heard.append(self.__name__) or make(self, types)
"""
TELL = """
import os
from pathlib import Path

(Path.home() / "compiled.txt").write_text(f"{len(heard)} {os.environ['LESSONS_STUDENT']}")
"""
"""What both students put around their answer: is anything compiled in their kernels, and who are they?"""


def answers():
    """Text of each student's answers."""
    right = [c.source for c in read(SOURCE).cells if c.metadata.get("nbgrader", {}).get("solution")]
    mistake = SOURCE.with_name("typical_mistake.py").read_text(encoding="utf8")
    return {"ada": right, "bob": [mistake, *right[1:]], "cyd": ["pass", *right[1:]]}


@dataclass
class Hub:
    """A running hub, its address and the folder of its files."""

    address: str
    place: Path

    def log_in(self, name, password=PASSWORD):
        """Log in with a name and a password as a browser does, and return the response."""
        browser = requests.Session()
        browser.get(f"{self.address}/hub/login")
        form = {"username": name, "password": password, "_xsrf": browser.cookies.get("_xsrf", path="/hub/")}
        browser.post(f"{self.address}/hub/login", data=form, allow_redirects=False)
        token = {"X-XSRFToken": browser.cookies.get("_xsrf", path="/hub/") or ""}
        return browser.post(f"{self.address}/hub/api/users/{name}/tokens", headers=token, json={})


@dataclass
class Student:
    """A student with a running server, its address and its token."""

    address: str
    token: str

    @property
    def headers(self):
        return {"Authorization": f"token {self.token}"}

    def ask(self, verb, path, **told):
        """Send a request to the server and return the response."""
        answer = requests.request(verb, f"{self.address}/{path}", headers=self.headers, timeout=PATIENCE, **told)
        assert answer.ok, f"{verb} {path}: {answer.status_code} {answer.text[-2000:]}"
        return answer.json()

    def assignments(self, action):
        """Click on a button of the assignment list; return the newest entry."""
        found = self.ask("POST", f"assignments/{action}", json={"course_id": COURSE, "assignment_id": NAME})
        assert found["success"], found
        return dict(found["value"][-1])


@pytest.fixture
def hub(tmp_path_factory):
    """The hub with its proxy, its lessons, and compiled code for the exercise."""
    subprocess.run([sys.executable, str(HUB / "proxy.py")], check=True)
    place = tmp_path_factory.mktemp("hub")
    for name in ("lessons", "cache", "homes"):
        (place / name).mkdir()
    (place / "lessons" / "00_in_one_sitting.ipynb").write_text("{}", encoding="ascii")
    cells = "\n".join(cell.source for cell in read(SOURCE).cells if cell.cell_type == "code")
    filled = os.environ | {"LESSONS_CACHE_DIR": str(place / "cache")}
    subprocess.run([sys.executable, "-c", cells], cwd=ROOT, env=filled, check=True, stdout=subprocess.DEVNULL)
    ports = [f"http://127.0.0.1:{free_port()}" for _ in range(3)]
    command = [sys.executable, "-m", "jupyterhub", "--config", str(HUB / "jupyterhub_config.py")]
    command += [f"--JupyterHub.bind_url={ports[0]}", f"--JupyterHub.hub_bind_url={ports[1]}"]
    command += [f"--ConfigurableHTTPProxy.api_url={ports[2]}"]
    told = {name: value for name, value in os.environ.items() if name not in ("LESSONS_CACHE_DIR", "LESSONS_COURSE")}
    told |= {"LESSONS_HUB": str(place), "LESSONS_HUB_PASSWORD": PASSWORD, "LESSONS_OWN_NUMBERS": "yes"}
    log = place / "log"
    with log.open("wb") as stream:
        process = subprocess.Popen(command, cwd=ROOT, env=told, stdout=stream, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            assert process.poll() is None and time.monotonic() < deadline, log.read_text()
            try:
                if requests.get(f"{ports[0]}/hub/health", timeout=60).ok:
                    break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield Hub(ports[0], place)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
    with pytest.raises(requests.ConnectionError):  # the proxy has ended, too
        requests.get(f"{ports[0]}/hub/health", timeout=60)


@pytest.fixture
def students(hub):
    """All students, logged in, with their servers started at the same time."""
    found = {}
    for name in answers():
        token = hub.log_in(name).json()["token"]
        found[name] = Student(f"{hub.address}/user/{name}", token)
        requests.post(f"{hub.address}/hub/api/users/{name}/server", headers=found[name].headers)
    for name, student in found.items():
        progress = f"{hub.address}/hub/api/users/{name}/server/progress"
        with requests.get(progress, headers=student.headers, stream=True, timeout=PATIENCE) as events:
            last = [line for line in events.iter_lines() if line.startswith(b"data:")][-1]
        assert json.loads(last.removeprefix(b"data:")).get("ready"), (hub.place / "log").read_text()
    return found


@pytest.mark.release
def test_three_students_get_their_marks_and_compile_nothing(hub, students, monkeypatch):
    """One test, so that one hub is started."""
    assert hub.log_in("eve", "guessed").status_code == 403
    ada = students["ada"]
    assert requests.get(f"{ada.address}/formgrader", headers=ada.headers).status_code == 404
    monkeypatch.setenv("LESSONS_COURSE", str(hub.place / "course"))
    monkeypatch.setenv("LESSONS_EXCHANGE", str(hub.place / "exchange"))
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(hub.place / "cache"))
    monkeypatch.setenv("LESSONS_OWN_NUMBERS", "yes")
    *firsts, collect = [line.replace(SHOWN, NAME) for line in commands()][:4]
    others = [collect, *(line.replace(SHOWN, NAME) for line in commands()[4:])]
    for command in firsts:
        run(command)
    compiled = sorted((hub.place / "cache").rglob("*"))
    submit(students)
    assert compiled and sorted((hub.place / "cache").rglob("*")) == compiled
    for command in others:
        run(command)
    with (hub.place / "course" / "marks.csv").open(encoding="utf8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    most = float(rows["ada"]["max_score"])
    marks = {name: float(row["score"]) for name, row in rows.items()}
    assert marks["ada"] == most and 0 < marks["cyd"] == marks["bob"] < most and len(marks) == 3
    for name, student in students.items():
        place = student.assignments("fetch_feedback")["submissions"][-1]["local_feedback_path"]
        page = student.ask("GET", f"api/contents/{place}/{NAME}.html")["content"]
        assert f"(Score: {marks[name]} / {most})" in unescape(page)


def submit(students):
    """Fetch, answer, validate and submit, all in the students' servers."""
    for name, student in students.items():
        student.assignments("fetch")
        path = f"{NAME}/{NAME}.ipynb"
        notebook = nbformat.from_dict(student.ask("GET", f"api/contents/{path}")["content"])
        stubs = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("solution")]
        for stub, answer in zip(stubs, answers()[name], strict=True):
            assert "YOUR CODE HERE" in stub.source
            stub.source = answer
        notebook.cells.insert(0, nbformat.v4.new_code_cell(LISTEN))
        notebook.cells.append(nbformat.v4.new_code_cell(TELL))
        student.ask("PUT", f"api/contents/{path}", json={"type": "notebook", "content": notebook})
        verdict = student.ask("POST", "assignments/validate", json={"path": path})
        assert verdict["success"] and bool(verdict["value"].get("failed")) == (name != "ada"), verdict
        assert student.ask("GET", "api/contents/compiled.txt")["content"] == f"0 {name}"
        student.assignments("submit")


def test_a_python_that_students_may_not_run_is_reported_at_the_start(tmp_path, monkeypatch):
    closed, place = tmp_path / "root", tmp_path / "srv"
    (closed / "bin").mkdir(parents=True)
    (closed / "bin" / "python").symlink_to(sys.executable)
    closed.chmod(0o700)
    monkeypatch.setenv("LESSONS_HUB", str(place))
    monkeypatch.delenv("LESSONS_HUB_PASSWORD", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "executable", str(closed / "bin" / "python"))
    with pytest.raises(SystemExit, match=f"students have no access to .*{closed}"):
        runpy.run_path(str(HUB / "jupyterhub_config.py"), {"get_config": MagicMock})


def test_the_hub_reads_its_configuration_before_it_compiles():
    steps = subprocess.run(["make", "--dry-run", "hub"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert 0 <= steps.find("jupyterhub_config.py --show-config") < steps.find("lessons warm")
