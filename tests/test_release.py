"""A release has one version and one day, wherever they stand."""

import os
import re
import signal
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from lessons_lib import __version__, cli, robots
from lessons_lib.live import front_end, scripts
from lessons_lib.robots import precompile

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]
import hatch_build  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf8")
RELEASES = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))


def test_changelog_and_citation_name_the_version_of_the_library() -> None:
    assert RELEASES[0][0] == CITATION["version"] == __version__


def test_wheel_and_source_archive_carry_the_bundle_of_the_figures() -> None:
    """It is in no commit. What `build` makes a wheel of is the archive, so that one alone is not enough."""
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["tool"]["hatch"]["build"]
    assert hatch["artifacts"] == ["lessons_lib/live/built/**"]
    assert all(
        "lessons_lib" in {*target.get("packages", ()), *target.get("include", ())}
        for target in hatch["targets"].values()
    )


def test_what_is_not_built_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "read_script", lambda module: None if module.endswith(("elbow", "swing")) else "")
    names = hatch_build.missing(tmp_path)
    assert names == [*hatch_build.WANTED, *(f"the script of lessons_lib.live.{one}" for one in ("elbow", "swing"))]


def wheel_in(folder: Path) -> Path:
    """Return a wheel, made as a release makes it."""
    for command in ("front/build.py", "-m lessons_lib.live.scripts", f"-m build -n --wheel --outdir {folder}"):
        subprocess.run([sys.executable, *command.split()], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.mark.check
def test_a_wheel_holds_figures_scripts_and_shapes(tmp_path: Path) -> None:
    wheel = wheel_in(tmp_path)
    names = {name.removeprefix("lessons_lib/live/") for name in zipfile.ZipFile(wheel).namelist()}
    assert {f"built/{name}" for name in hatch_build.WANTED} <= names
    assert {f"built/scripts/{module.rpartition('.')[2]}.js" for module in scripts.derivations()} <= names
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


def environment_with(wheel: Path, extras: str, environment: Path, python: str = sys.executable) -> None:
    """Install the wheel with extras, such as "[motion]", into an environment that is made if it is not there."""
    if not environment.exists():
        subprocess.run([*UV, "venv", "--quiet", "--python", python, environment], check=True)
    what = f"lessons-lib{extras} @ {wheel.as_uri()}"
    subprocess.run([*UV, "pip", "install", "--quiet", "--python", environment, what], check=True)


@pytest.mark.release
def test_every_command_runs_from_the_bare_wheel(tmp_path: Path) -> None:
    """Precompiling comes first; it takes the same steps as here, where all extras are installed."""
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
    arm, packages = robots.ur10(), map(import_module, (f"{name}.precompile" for name in precompile.packages()))
    assert reported == [what for package in packages for what, _ in package.compilations(arm)]
    compiled = [environment / "bin" / "python", "-c", "from lessons_lib import robots; robots.ur10().compile()"]
    subprocess.run(compiled, cwd=tmp_path, env=own_cache, check=True, timeout=1800)


@pytest.mark.release
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_examples_of_the_readme_run_from_the_wheel(tmp_path: Path, python: str) -> None:
    """In an empty environment of 280 MB at most; an example that names an extra, with that extra added."""
    wheel, environment = wheel_in(tmp_path), tmp_path / "environment"
    if subprocess.run([*UV, "python", "find", "--no-python-downloads", python], capture_output=True).returncode:
        pytest.skip(f"Python {python} is not installed")
    environment_with(wheel, "", environment, python)
    assert sum(path.stat().st_size for path in environment.rglob("*") if path.is_file()) < 280e6
    told, before = re.split(r"^```python\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL), list[str]()
    for words, example in zip(told[::2], told[1::2], strict=False):
        extras = re.findall(r"with the extra `\[(\w+)\]`", words)
        environment_with(wheel, f"[{','.join(extras)}]" if extras else "", environment)
        code, waits = tmp_path / "example.py", "wait()" in example
        code.write_text("\n".join([*before, example]), encoding="utf8")
        before += [] if extras else [example]
        command = [environment / "bin" / "python", "-u", code]
        with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            assert running.stdout
            if waits:
                assert any(line.startswith("http://") for line in iter(running.stdout.readline, ""))
                running.send_signal(signal.SIGINT)  # as Ctrl-C
            _, fault = running.communicate(timeout=1800)
        assert running.returncode == 0 or waits and fault.rstrip().endswith("KeyboardInterrupt"), fault


def test_the_citation_has_the_day_of_the_newest_release() -> None:
    assert str(CITATION["date-released"]) == RELEASES[0][1]


def test_the_changelog_goes_from_the_newest_release_to_the_oldest_below_what_is_not_released() -> None:
    versions = [tuple(map(int, version.split("."))) for version, _ in RELEASES]
    assert versions == sorted(set(versions), reverse=True)
    headings = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert headings == ["[Unreleased]", *(f"[{version}] - {day}" for version, day in RELEASES)]


@pytest.mark.parametrize("released", CHANGELOG.split("\n## ")[2:], ids=[version for version, _ in RELEASES])
def test_a_release_has_no_heading_twice_and_none_that_is_empty(released: str) -> None:
    parts = [part.partition("\n") for part in released.split("\n### ")[1:]]
    assert len({name for name, _, _ in parts}) == len(parts) > 0
    assert [name for name, _, text in parts if not text.strip().startswith("- ")] == []


def test_the_workflow_runs_what_a_contributor_runs() -> None:
    """`.ci/run`, and targets of the Makefile, on every Python that the package says it was tried on."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf8"))
    check, other = workflow["jobs"]["check"], workflow["jobs"]["other-python"]
    commands = [step["run"] for job in (check, other) for step in job["steps"] if "run" in step]
    assert commands[0] == ".ci/run" and (ROOT / commands[0]).stat().st_mode & 0o111
    assert commands[1:] == ["make other-python PYTHON=python${{ matrix.python }}"]
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["classifiers"]
    tried = {line.rpartition(" ")[2] for line in classifiers if "Python :: 3." in line}
    assert {check["steps"][1]["with"]["python-version"], *other["strategy"]["matrix"]["python"]} == tried
