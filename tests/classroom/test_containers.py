"""What builds the course elsewhere, Binder, Docker, a development container, Kubernetes, names what is there."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from lessons_lib import cli
from lessons_lib.codegen import cache as codegen_cache
from lessons_lib.robots import Chain

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf8")
DOCKERFILE = (ROOT / "classroom" / "Dockerfile").read_text(encoding="utf8")
POST_BUILD = ROOT / ".binder" / "postBuild"
RECIPE = re.findall(
    r"^```dockerfile\n(.*?)^```$", (ROOT / "book/library.md").read_text("utf8"), re.MULTILINE | re.DOTALL
)
DEVELOPMENT = ROOT / ".devcontainer" / "devcontainer.json"
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, re.MULTILINE))


def test_the_targets_of_make_that_they_name_exist() -> None:
    named = re.findall(r"\bmake ([a-z-]+)", DOCKERFILE.partition("FROM")[2] + DEVELOPMENT.read_text(encoding="utf8"))
    assert len(named) >= 2
    assert set(named) <= TARGETS


def test_binder_installs_the_lock_and_does_what_the_makefile_does() -> None:
    (line,) = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf8").split("\n")[:-1]
    assert (ROOT / ".binder" / line.removeprefix("-r ")).resolve() == ROOT / "requirements-reader.lock"
    *commands, last = [
        row for row in POST_BUILD.read_text(encoding="utf8").splitlines() if row.startswith(("python", "l"))
    ]
    makes = MAKEFILE.replace("$$install", "python -m pip install --quiet").replace("$(BIN)/", "")
    assert commands
    assert [command for command in commands if command not in makes] == []
    assert last == "lessons warm"
    with pytest.raises(SystemExit, match="0"):
        cli.main([*last.split()[1:], "--help"])


def test_binders_script_is_one_and_may_be_run() -> None:
    assert POST_BUILD.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", str(POST_BUILD)]).returncode == 0


def test_each_takes_a_python_that_the_project_admits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    tried = {line.rpartition(" ")[2] for line in project["classifiers"] if "Python :: 3." in line}
    binder = (ROOT / ".binder" / "runtime.txt").read_text(encoding="utf8").strip().removeprefix("python-")
    docker = [re.findall(r"^FROM python:(3\.\d+)", text, re.MULTILINE)[0] for text in (DOCKERFILE, *RECIPE)]
    assert {binder, *docker} <= tried and len(docker) == 2


def test_the_container_does_what_make_lab_does_for_everybody_outside_of_it() -> None:
    (command,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    tried = [*json.loads(command), "--dry-run", "--no-print-directory"]
    told = subprocess.run(tried, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "bin/python -m classroom.copies lab" in told.stdout
    assert told.stdout.rstrip().endswith(
        "--LabApp.default_url=/lab/tree/00_in_one_sitting.ipynb --ip=0.0.0.0 --no-browser"
    )


def test_the_recipe_for_an_image_compiles_into_a_cache_that_all_may_read_and_root_may_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (recipe,) = RECIPE
    (cache,) = re.findall(r"^ENV LESSONS_CACHE_DIR=(\S+)$", recipe, re.MULTILINE)
    (warm, chmod) = re.findall(r"^RUN lessons (warm.*) && (chmod.*)$", recipe, re.MULTILINE)[0]
    compiled: list[str] = []
    monkeypatch.setattr(Chain, "compile", lambda chain, report: compiled.append(chain.name))
    assert cli.main(warm.split()) == 0 and compiled == ["UR10"]
    folder = tmp_path / "cache"
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(folder))
    path = Path(str(codegen_cache.load("recipe_toy", "1", lambda: "X = 1\n").__file__))
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    subprocess.run(chmod.replace(cache, str(folder)).split(), check=True)
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o755, 0o644)
    assert chmod.removesuffix(cache) in MAKEFILE


def test_the_development_container_is_the_same_image() -> None:
    told = json.loads(DEVELOPMENT.read_text(encoding="utf8"))
    assert (DEVELOPMENT.parent / told["build"]["dockerfile"]).resolve() == ROOT / "classroom" / "Dockerfile"
    assert f"useradd --create-home {told['remoteUser']}" in DOCKERFILE


def test_what_is_built_here_stays_out_of_the_image() -> None:
    kept_out = set((ROOT / ".dockerignore").read_text(encoding="utf8").split())
    made = {line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf8").split()}
    assert {".venv", "book/_build", "front/node_modules", "lessons_lib/course/live/built"} <= kept_out & made


def test_on_kubernetes_a_students_server_finds_its_place_in_the_image() -> None:
    student = yaml.safe_load((ROOT / "classroom" / "hub" / "values.yaml").read_text(encoding="utf8"))["singleuser"]
    python, script = (Path(word).relative_to("/home/reader/course") for word in student["cmd"])
    assert (ROOT / script).is_file() and str(python) in DOCKERFILE
    text, told = (ROOT / script).read_text(encoding="utf8"), student["extraEnv"]
    settings = (ROOT / "classroom" / "hub" / "student" / "nbgrader_config.py").read_text(encoding="utf8")
    assert [name for name in told if name != "HOME" and f'"{name}"' not in text + settings] == []
    mounts = {mount["mountPath"] for mount in student["storage"]["extraVolumeMounts"]}
    assert mounts == {told["LESSONS_EXCHANGE"]} and student["storage"]["homeMountPath"] == told["HOME"]
    assert told["LESSONS_COPIES"] == "/home/reader/course/lab" and "-m classroom.copies lab" in DOCKERFILE


def test_the_page_for_teachers_and_kubernetes_count_on_the_same_memory() -> None:
    values = (ROOT / "classroom" / "hub" / "values.yaml").read_text(encoding="utf8")
    page = (ROOT / "book" / "teach.md").read_text(encoding="utf8")
    server, kernel = re.findall(r"(\d+) MB for the server, and up to (\d+) MB for each of two kernels", page)[0]
    assert f"{server} + 2 x {kernel} = {int(server) + 2 * int(kernel)}" in values
    assert 0 < int(server) + 2 * int(kernel) <= 1000 and "guarantee: 1G" in values
