"""Imports load heavy libraries only when they are needed, and missing extras raise a clear error."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "sympy", "llvmlite", "matplotlib", "ipywidgets", "IPython")


def loaded_by(code):
    """Return the heavy libraries that a new process has loaded after the code."""
    report = f"{code}\nimport sys\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.check
@pytest.mark.parametrize(
    ("code", "libraries"),
    [
        ("import lessons_lib, lessons_lib.codegen, lessons_lib.cli, lessons_lib.plots, lessons_lib.studies", set()),
        ("from lessons_lib import lie, robots, pose_ik, differential_ik", {"numpy"}),
    ],
)
def test_imports_load_no_unneeded_library(code, libraries):
    assert loaded_by(code) == libraries


@pytest.mark.check
def test_a_figure_with_a_stored_script_does_not_load_sympy():
    """Except a figure that follows a path, and one whose script is its data."""
    code = """
from lessons_lib.course import live
from lessons_lib.codegen import scripts
scripts.read_script = lambda module: ""
for name in set(live.__all__) - {"LiveFigure", "PathFigure", "SourceFigure"}:
    if name.endswith("Figure"):
        getattr(live, name)()
"""
    loaded_by(code)  # fills the cache
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
"""Restricts a process to the packages that `pip install lessons-lib` installs."""


def with_core_alone(code):
    """Return the output of a process that can import only the core."""
    command = [sys.executable, "-c", CORE_ALONE + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.check
def test_the_core_without_extras_solves_traces_and_runs_tasks():
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


@pytest.mark.check
@pytest.mark.parametrize(
    ("use", "extra"),
    [
        ("from lessons_lib import blocks", "blocks"),
        ("from lessons_lib.plots import draw_arm", "plots"),
        ("from lessons_lib.course.live import ElbowFigure", "course"),
    ],
)
def test_a_missing_dependency_raises_an_error_that_names_the_extra(use, extra):
    code = f"""
try:
    {use}
except ImportError as error:
    print(type(error).__name__, error.extra, error)
"""
    told = with_core_alone(code)
    assert told.startswith(f"MissingExtra {extra} lessons_lib.")
    assert told.rstrip().endswith(f"is not installed: pip install 'lessons-lib[{extra}]'")
