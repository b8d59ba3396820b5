"""What each import loads: the heavy libraries come when they are first needed, and not before."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "sympy", "numba", "matplotlib", "ipywidgets", "IPython")


def loaded_by(code: str) -> set[str]:
    """Return which of the heavy libraries a fresh process has loaded after the code."""
    report = f"{code}\nimport sys\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_alone_loads_nothing() -> None:
    assert loaded_by("import lessons_lib") == set()


@pytest.mark.parametrize("room", ["lie", "robots", "pose_ik", "differential_ik"])
def test_the_rooms_of_a_solve_load_numpy_alone(room: str) -> None:
    assert loaded_by(f"from lessons_lib import {room}") == {"numpy"}


@pytest.mark.parametrize("room", ["codegen", "conventions", "errors", "cli", "plots", "studies"])
def test_the_rooms_without_numbers_load_nothing(room: str) -> None:
    assert loaded_by(f"import lessons_lib.{room}") == set()
