"""How everything grows with the number of joints: the kernel's time, its operations, and what making it costs.

The arms have revolute joints about random axes, so that nothing vanishes: an arm out of a catalogue is far cheaper.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from lessons_lib import lie, robots
from lessons_lib.robots import Chain, kinematics
from tools.benchmarks import operations
from tools.benchmarks.report import Cell, Report, main, say

PASSES = 9
JOINTS = (2, 3, 4, 6, 8, 12, 16, 20, 24, 30)
COLUMNS = {
    "joints": "joints",
    "operations": "operations",
    "kernel": "T and J [ns]",
    "per_joint": "per joint [ns]",
    "derive": "derive [s]",
    "cse": "CSE [s]",
    "print": "print [s]",
    "compile": "compile [s]",
}
NOTES = (
    "T and J: inside a compiled loop, the best of the passes; sine and cosine counted as an operation each",
    "derive: the product of exponentials for J_s, recursion from the tip for T and J_b; CSE and print: three kernels",
    "compile: the kernel of T and J_b, whose machine code then lies in the cache",
)


def measure(longest: int) -> Report:
    """Return the report of all lengths up to the longest, with the exponents of the growth among its settings."""
    random_arm(1).kernel(np.zeros(1), np.empty((4, 4)), np.empty((6, 1)))  # the compiler itself is loaded with this
    rows = [row(joints) for joints in JOINTS if joints <= max(longest, JOINTS[0])]
    settings: dict[str, Cell] = {"passes": PASSES}
    for field in ("operations", "kernel", "derive", "cse", "print", "compile"):
        settings[f"exponent of {field}"] = exponent([(entry["joints"], entry[field]) for entry in rows])
    claim = "time of forward kinematics and body Jacobian, and of making the code, against the number of joints"
    return Report("growth", claim, COLUMNS, rows, settings, notes=NOTES)


def random_arm(joints: int) -> Chain:
    """Return an arm of revolute joints about random axes through random points, within a metre of the base."""
    rng = np.random.default_rng(joints)
    axes = rng.normal(size=(joints, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    points = rng.uniform(-1.0, 1.0, (joints, 3))
    screws = np.hstack([axes, np.cross(points, axes)]).T
    return robots.from_screws(screws, lie.exp_se3(rng.normal(size=6)), name=f"{joints} random joints")


def row(joints: int) -> dict[str, Any]:
    """Return one line of the table."""
    say(f"growth: {joints} joints")
    arm = random_arm(joints)
    derive, kernels = time_call(lambda: kinematics.kernels(arm.screws, arm.home))
    reduce, programs = time_call(lambda: [kernel.program for kernel in kernels])
    printed, _ = time_call(lambda: source(kernels))
    q, T, J = np.zeros(joints), np.empty((4, 4)), np.empty((6, joints))
    arm.kernels  # noqa: B018 (derived and written once more, so that the next line compiles alone)
    compile_, _ = time_call(lambda: arm.kernel(q, T, J))
    kernel = operations.nanoseconds(arm.kernel, arm, passes=PASSES)
    return {
        "joints": joints,
        "operations": programs[-1].operations,
        "kernel": kernel,
        "per_joint": kernel / joints,
        "derive": derive,
        "cse": reduce,
        "print": printed,
        "compile": compile_,
    }


def source(kernels: Any) -> str:
    """Return the text of the kernels for the compiler."""
    from lessons_lib import codegen

    return codegen.source(kernels, "scalar")


def time_call(make: Callable[[], Any]) -> tuple[float, Any]:
    """Return the time of a call, s, and its result."""
    begin = perf_counter()
    problem = make()
    return perf_counter() - begin, problem


def exponent(points: list[tuple[float, float]]) -> float | None:
    """Return k of the power law y = c xᵏ that fits the points from six joints on: 1 is linear growth."""
    fitted = [point for point in points if point[0] >= 6]
    if len(fitted) < 2:
        return None
    x, y = np.log(np.array(fitted, dtype=np.float64).T)
    return float(np.polyfit(x, y, 1)[0])


if __name__ == "__main__":
    main(measure, JOINTS[-1], "joints of the longest arm")
