"""Release: version and date are consistent, and the wheel is complete."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from snippets import PAGES, name_of, snippets

import hatch_build
from lessons_lib import __version__, cli, robots
from lessons_lib.codegen.scripts import script_path
from lessons_lib.course.live import front_end, scripts
from lessons_lib.robots import precompile

ROOT = Path(__file__).resolve().parent.parent


def test_changelog_and_citation_state_version_and_date_of_the_newest_release():
    releases = r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$"
    newest = re.findall(releases, (ROOT / "CHANGELOG.md").read_text(encoding="utf8"), re.MULTILINE)[0]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    assert newest == (__version__, newest[1]) == (citation["version"], str(citation["date-released"]))


def wheel_in(folder):
    """Build a wheel as for a release."""
    for command in ("front/build.py", "-m lessons_lib.course.live.scripts", f"-m build -n --wheel --outdir {folder}"):
        subprocess.run([sys.executable, *command.split()], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_workflows_run_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf8"), re.MULTILINE))
    found = dict[str, list[str]]()
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text(encoding="utf8"))["jobs"].values()
        lines = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
        found[path.stem] = [line.split()[1] for line in lines if line.startswith("make ")]
    assert set().union(*found.values()) <= targets
    assert found["site"] == ["book-html"] and found["release"] == ["dist"]


def test_the_binder_link_opens_a_copy_of_lesson_00():
    guide = (ROOT / "tools" / "README.md").read_text(encoding="utf8")
    (lesson,) = re.findall(r"urlpath=lab/tree/lab/(\w+\.ipynb)", guide)
    assert (ROOT / "notebooks" / lesson).is_file()
    assert "classroom.copies lab" in (ROOT / ".binder" / "postBuild").read_text(encoding="utf8")


@pytest.mark.release
def test_a_wheel_contains_figures_scripts_and_shapes(tmp_path):
    wheel = wheel_in(tmp_path)
    names = {name.removeprefix("lessons_lib/course/live/") for name in zipfile.ZipFile(wheel).namelist()}
    assert {f"built/{name}" for name in hatch_build.WANTED} <= names
    assert {f"built/scripts/{script_path(module).name}" for module in scripts.derivations()} <= names
    assert not [name for name in names if re.search(r"course.*\.(ts|yml)$|/course/\w+/check\w*\.py$", name)]
    assert {f"shapes/{path.name}" for path in front_end.SHAPES.iterdir()} <= names


UV = [sys.executable, "-m", "uv"]
COMMANDS = {
    "compare": "compare ur10 --poses 20",
    "solve": "solve ur10 --target 0.4 0.3 0.5 0 0 0",
    "source": "source planar_2r --language c --solver",
    "study": "study planar_2r --poses 20 --method newton chan",
    "warm": "warm ur10",
    "why": "why ur10 --target 0.4 0.3 0.5 0 0 0",
}


def environment_with(wheel, extras, environment, python=sys.executable):
    """Install the wheel with extras, such as "[motion]", into an environment, created if it does not exist."""
    if not environment.exists():
        subprocess.run([*UV, "venv", "--quiet", "--python", python, environment], check=True)
    what = f"lessons-lib{extras} @ {wheel.as_uri()}"
    subprocess.run([*UV, "pip", "install", "--quiet", "--python", environment, what], check=True)


@pytest.mark.release
def test_all_commands_run_from_the_wheel_without_extras(tmp_path):
    """Precompiling comes first, and has the same steps as with all extras."""
    environment_with(wheel_in(tmp_path), "", environment := tmp_path / "environment")
    (choices,) = [action.choices for action in cli._parser()._actions if isinstance(action.choices, dict)]
    assert COMMANDS.keys() == choices.keys()
    own_cache = os.environ | {"LESSONS_CACHE_DIR": str(tmp_path / "cache")}
    reported = list[str]()
    for words in sorted(COMMANDS.values(), key=lambda words: not words.startswith("warm")):
        command = [environment / "bin" / "lessons", *words.split()]
        done = subprocess.run(command, cwd=tmp_path, env=own_cache, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, (words, done.stderr)
        reported += re.findall(r"^lessons: UR10: (.*) \(\d+ of \d+\)$", done.stderr, re.MULTILINE)
    assert reported == [what for what, _ in precompile.all_compilations(robots.ur10())]
    compiled = [environment / "bin" / "python", "-c", "from lessons_lib import robots; robots.ur10().compile()"]
    subprocess.run(compiled, cwd=tmp_path, env=own_cache, check=True, timeout=1800)


OTHER_LIBRARIES = {"Modern Robotics", "Pinocchio", "Pink", "Robotics toolbox", "ikpy", "Drake"}
"""Titles of code that needs other libraries; the tests of that page run it."""

ELSEWHERE = ("builtin_interfaces", "trajectory_msgs", "nbgrader")
"""Packages of ROS and of a class, whose code other tests run."""
RUNNER = """
import json, os, signal, sys, threading, time

def interrupt_a_viewer_that_waits():
    while True:
        time.sleep(0.2)
        frame = sys._current_frames()[threading.main_thread().ident]
        while frame is not None and not (frame.f_code.co_name == "wait" and "lessons_lib" in frame.f_code.co_filename):
            frame = frame.f_back
        if frame is not None:
            os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C
            time.sleep(2.0)

threading.Thread(target=interrupt_a_viewer_that_waits, daemon=True).start()
names = {"__name__": "__main__"}
for place, code in json.loads(open(sys.argv[1], encoding="utf8").read()):
    print(place, flush=True)
    exec(compile(code, place, "exec"), names)
"""


def code_for_the_wheel():
    """Return for each page and each set of extras named in it the code that needs no other extras."""
    found = {}
    for page in PAGES:
        code = [one for one in snippets(page, "python") if one.title not in OTHER_LIBRARIES]
        code = [one for one in code if not any(module in one.code for module in ELSEWHERE)]
        named = {one.extras for one in code}
        found[name_of(page)] = {extras: [one for one in code if one.extras <= extras] for extras in named}
    return found


@pytest.mark.release
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_code_and_commands_of_the_pages_run_from_the_wheel(tmp_path, python):
    """In an environment of at most 290 MB; code that names an extra runs with that extra alone."""
    wheel, environments = wheel_in(tmp_path), dict[frozenset[str], Path]()
    if subprocess.run([*UV, "python", "find", "--no-python-downloads", python], capture_output=True).returncode:
        pytest.skip(f"Python {python} is not installed")

    def binaries(extras):
        """Return the folder of executables of an environment with the wheel and some extras."""
        if extras not in environments:
            environments[extras] = tmp_path / "_".join(["environment", *sorted(extras)])
            environment_with(wheel, f"[{','.join(sorted(extras))}]".replace("[]", ""), environments[extras], python)
            assert extras or size_of(environments[extras]) < 290e6
        return environments[extras] / "bin"

    (tmp_path / "runner.py").write_text(RUNNER, encoding="utf8")
    (tmp_path / "src").mkdir()
    for page, by_extras in code_for_the_wheel().items():
        for extras, code in by_extras.items():
            (tmp_path / "code.json").write_text(json.dumps([(one.place, one.code) for one in code]), encoding="utf8")
            command = [binaries(extras) / "python", "-u", "runner.py", "code.json"]
            assert_it_runs(command, tmp_path, f"{page}, extras {sorted(extras)}")
    path = f"{binaries(frozenset())}{os.pathsep}{os.environ['PATH']}"
    for one in (one for page in PAGES for one in snippets(page, "", "bash")):
        for line in (line for line in one.commands() if line.startswith("lessons ")):
            assert_it_runs(["bash", "-c", line], tmp_path, f"{one.place}: {line}", PATH=path)


def size_of(folder):
    """Return the size of all files, bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def assert_it_runs(command, folder, what, **environment):
    variables = os.environ | environment
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, f"{what}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    print(f"{what}: runs")
