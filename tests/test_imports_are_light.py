"""What each import loads: heavy libraries come when they are first needed, and an extra's where a package needs it."""

import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from lessons_lib import course, differential_ik, lie, robots, studies, trajectories, viewer
from lessons_lib.collisions.urdf_bodies import CollisionBody
from lessons_lib.course.floating_base import support
from lessons_lib.extras import EXTRAS, MissingExtra, need

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("numpy", "scipy", "sympy", "llvmlite", "matplotlib", "ipywidgets", "IPython")


def loaded_by(code: str) -> set[str]:
    """Return which of the heavy libraries a fresh process has loaded after the code."""
    report = f"{code}\nimport sys\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.check
def test_the_package_alone_loads_nothing() -> None:
    assert loaded_by("import lessons_lib") == set()


@pytest.mark.check
@pytest.mark.parametrize("package", ["lie", "robots", "pose_ik", "differential_ik"])
def test_the_packages_of_a_solve_load_numpy_alone(package: str) -> None:
    assert loaded_by(f"from lessons_lib import {package}") == {"numpy"}


@pytest.mark.check
@pytest.mark.parametrize("package", ["codegen", "errors", "cli", "plots", "studies"])
def test_the_packages_without_numbers_load_nothing(package: str) -> None:
    assert loaded_by(f"import lessons_lib.{package}") == set()


@pytest.mark.check
def test_a_figure_whose_script_is_there_loads_no_sympy() -> None:
    """But for one that follows a path, and one whose script is its data."""
    code = """
from lessons_lib.course import live
from lessons_lib.codegen import scripts
scripts.read_script = lambda module: ""
for name in set(live.__all__) - {"LiveFigure", "PathFigure", "SourceFigure"}:
    if name.endswith("Figure"):
        getattr(live, name)()
"""
    loaded_by(code)  # compiles what an empty cache lacks
    assert "sympy" not in loaded_by(code)


CORE_ALONE = """
import re, sys
from importlib.metadata import packages_distributions, requires

def needed(name, found):
    for line in requires(name) or ():
        dependency = re.match(r"[\\w.-]+", line)[0].lower().replace("_", "-")
        if "extra ==" not in line and dependency not in found:
            found.add(dependency)
            try:
                needed(dependency, found)
            except ModuleNotFoundError:  # not for this platform
                pass
    return found

core = needed("lessons-lib", {"lessons-lib"})
owners = packages_distributions()
allowed = {m for m, names in owners.items() if {n.lower().replace("_", "-") for n in names} & core}
allowed |= {"lessons_lib", *sys.stdlib_module_names}

for name in owners:
    if name not in allowed:
        sys.modules[name] = None  # as if it were not installed
"""
"""In the process that runs this, nothing can be imported but what `pip install lessons-lib` brings."""


def with_core_alone(code: str) -> str:
    """Return what a process prints that can import nothing but the core."""
    command = [sys.executable, "-c", CORE_ALONE + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.check
def test_the_core_alone_solves_follows_paths_and_runs_tasks() -> None:
    code = """
from lessons_lib import differential_ik, lie, pose_ik, robots, trajectories
arm = robots.planar_2r()
T = arm.forward_kinematics([0.3, 0.4])
print(pose_ik.solve(arm, T, trace=True).converged, pose_ik.solve_batch(arm, [T, T]).converged.all())
print(trajectories.trace(arm, [T, T]).reached.all(), "def " in arm.source("numpy"), lie.log_se3(T).shape)
tree = robots.load_urdf(robots.urdf_file("two_arms"))
at = differential_ik.Configuration(tree)
rest = differential_ik.PostureTask(cost=1.0)
rest.set_target(at.q)
print(differential_ik.solve_ik(at, [rest], 0.01).shape == (tree.nv,))
wall = differential_ik.PositionBarrier(tree.frame_names[-1], [0], p_max=[-9.0])
try:
    differential_ik.solve_ik(at, [rest], 0.01, barriers=[wall])
except differential_ik.NoSolutionFound as error:
    print(error.problem.P.shape == (tree.nv, tree.nv), wall in error.contradiction)
"""
    assert with_core_alone(code).split() == ["True"] * 4 + ["(6,)"] + ["True"] * 3


def test_what_the_core_leaves_out_is_named_where_it_is_asked_for() -> None:
    code = """
from lessons_lib import differential_ik, robots, trajectories
from lessons_lib.course.floating_base import support
arm, tree = robots.ur10(), robots.load_urdf(robots.urdf_file("planar_2r"))
at, tasks = differential_ik.Configuration(tree), [differential_ik.DampingTask(1.0)]
for ask in (
    lambda: trajectories.retime([[0.0] * 6, [0.1] * 6], arm, acceleration=1.0),
    lambda: differential_ik.build_ik(at, tasks, 0.01),
    lambda: differential_ik.solve_ik(at, tasks, 0.01, solver="quadprog"),
    lambda: support.support_margin([[0, 0], [1, 0], [0, 1]], [0, 0]),
):
    try:
        ask()
    except ImportError as error:
        print(error.extra)
"""
    assert with_core_alone(code).split() == ["motion", "tasks", "tasks", "tasks"]


def test_everything_is_precompiled_with_the_core_alone() -> None:
    """Of the methods of a solve, the default alone: the others call the same packages, and take minutes to compile."""
    code = """
from lessons_lib import robots
from lessons_lib.pose_ik.precompile import KINDS
KINDS.clear()
robots.planar_2r().compile(lambda line: print(line.partition(": ")[2]))
"""
    *steps, end = with_core_alone(code).splitlines()
    assert len(steps) > 10 and steps[-1].startswith("a path in time") and end.startswith("ready after")


def use_retime() -> object:
    return trajectories.retime([[0.0, 0.1], [0.1, 0.0]], robots.planar_2r(), velocity=1.0, acceleration=1.0)


def use_rest_to_rest() -> object:
    limits = {"velocity": 1.0, "acceleration": 1.0, "jerk": 1.0}
    return trajectories.rest_to_rest(robots.planar_2r(), [0.0, 0.1], [0.1, 0.0], **limits)


def use_scaled_velocity() -> object:
    at = differential_ik.Configuration(robots.load_urdf(robots.urdf_file("planar_2r")), [0.1, 0.2])
    hand = differential_ik.FrameTask(at.model.frame_names[-1], 1.0, 0.0)
    hand.set_target(lie.pose(np.eye(3), (0.0, 0.5, 0.0)))
    return differential_ik.solve_scaled(at, [hand], 1e-3)


def use_solver_by_name() -> object:
    at = differential_ik.Configuration(robots.load_urdf(robots.urdf_file("planar_2r")), [0.1, 0.2])
    return differential_ik.solve_ik(at, [differential_ik.DampingTask(1.0)], 0.01, solver="daqp")


def use_commands() -> object:
    point = {"positions": [0.0], "velocities": [0.0], "accelerations": [0.0]}
    stamps = [{"time_from_start": {"sec": second, "nanosec": 0}} for second in (0, 1)]
    return course.commands_of({"points": [point | stamp for stamp in stamps]})


OPTIONAL: dict[str, tuple[Callable[[], object], set[str]]] = {
    "retime": (use_retime, {"scipy"}),
    "rest_to_rest": (use_rest_to_rest, {"ruckig"}),
    "solve_scaled": (use_scaled_velocity, {"scipy"}),
    "a solver by name": (use_solver_by_name, {"qpsolvers"}),
    "support_margin": (lambda: support.support_margin([[0, 0], [1, 0], [0, 1]], [0, 0]), {"scipy"}),
    "commands_of": (use_commands, {"scipy"}),
}
"""Use of a function, and the optional modules that it imports."""


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_function_misses_the_modules_that_it_imports_and_no_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use, needed = OPTIONAL[name]
    use()
    for module in {module for modules in EXTRAS.values() for module in modules}:
        with monkeypatch.context() as blocked:
            blocked.setitem(sys.modules, module, None)  # as if it were not installed
            if module in needed:
                with pytest.raises(MissingExtra, match=f" needs {module}, which is not installed"):
                    use()
            else:
                use()


def test_a_study_with_a_folder_needs_no_scheduler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = studies.Study([robots.planar_2r()], {"chan": studies.method("chan")}, poses=3)
    monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
    assert studies.run(asked, tmp_path).complete
    with pytest.raises(MissingExtra, match="a study with a scheduler needs distributed"):
        studies.run(asked, scheduler="tcp://127.0.0.1:1")


@pytest.mark.parametrize(("suffix", "is_missed"), [("stl", False), ("dae", True), ("DAE", True)])
def test_a_viewer_needs_pycollada_for_a_mesh_in_dae_alone(
    monkeypatch: pytest.MonkeyPatch, suffix: str, is_missed: bool
) -> None:
    body = CollisionBody("base_0", "base_link", np.eye(4), "mesh", (1.0, 1.0, 1.0), Path(f"base.{suffix}"))
    monkeypatch.setattr(viewer, "read_bodies", lambda *_: (body,))
    monkeypatch.setattr(viewer, "Viewer", lambda robot, q, bodies, port: bodies)
    monkeypatch.setitem(sys.modules, "collada", None)  # as if it were not installed
    tree = robots.load_urdf(robots.urdf_file("planar_2r"))
    with pytest.raises(MissingExtra, match="needs collada") if is_missed else nullcontext():
        assert viewer.show(tree, urdf="<robot/>") == (body,)


@pytest.mark.check
@pytest.mark.parametrize(
    ("use", "extra"),
    [
        ("from lessons_lib import blocks", "blocks"),
        ("from lessons_lib.plots import draw_arm", "plots"),
        ("from lessons_lib.course.live import ElbowFigure", "course"),
    ],
)
def test_a_package_without_its_libraries_says_what_to_install(use: str, extra: str) -> None:
    code = f"""
try:
    {use}
except ImportError as error:
    print(type(error).__name__, error.extra, error)
"""
    told = with_core_alone(code)
    assert told.startswith(f"MissingExtra {extra} lessons_lib.")
    assert told.rstrip().endswith(f"is not installed: pip install 'lessons-lib[{extra}]'")


@pytest.mark.parametrize(("extra", "module"), [(extra, name) for extra, names in EXTRAS.items() for name in names])
def test_each_library_of_an_extra_is_missed_by_itself(monkeypatch: pytest.MonkeyPatch, extra: str, module: str) -> None:
    need(extra, "a package")
    monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    with pytest.raises(MissingExtra, match=f"a package needs {module}, which is not installed"):
        need(extra, "a package")


@pytest.mark.parametrize("extra", sorted(EXTRAS.keys() - {"course"}))
def test_each_library_that_an_extra_brings_is_asked_for(extra: str) -> None:
    """The extra for the lessons is another matter: it brings more than the package `live` cannot do without."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["optional-dependencies"]
    assert len(EXTRAS[extra]) == len(found[extra])
