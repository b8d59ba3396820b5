"""Forward kinematics and Jacobian: one call from Python against the peers' calls, and inside compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lessons_lib import robots
from lessons_lib.robots import Chain
from tools.benchmarks import machine, operations
from tools.benchmarks.models import PinocchioArm, check_equal, elementary_transforms
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import no_garbage_collection, per_call

PASSES = 100
OURS = "ours: pose_and_jacobian"
Sides = dict[str, Callable[[], Any]]
COLUMNS = {"arm": "arm", "side": "side", "what": "what", "time": "µs", "ratio": "×"}
PEERS = ("Pinocchio", "robotics toolbox", "modern_robotics", "spatialmath", "SciPy")
NOTES = (
    "×: how many times as long as ours, chain.pose_and_jacobian(q), which checks q and returns new arrays",
    "ours, kernel: chain.kernel(q, T, J), which checks nothing and writes into arrays that the caller owns",
    f"each time: the best of {PASSES} passes, in which the sides take turns",
    f"compiled: inside a compiled loop over random configurations, the best of {PASSES} passes",
    "floor: the quickest of several random straight lines of as many operations, compiled alike",
)


def measure(passes: int) -> Report:
    """Return the report of both arms."""
    rows: list[dict[str, Cell]] = []
    missing = machine.absent(*PEERS)
    for chain in (robots.ur10(), robots.panda()):
        say(f"kinematics: {chain.name}, {passes} passes")
        rows += from_python(chain, missing, passes) + compiled_rows(chain, passes)
    claim = "forward kinematics and body Jacobian at one configuration"
    return Report("kinematics", claim, COLUMNS, rows, {"passes": passes}, missing, NOTES)


def from_python(chain: Chain, missing: dict[str, str], passes: int) -> list[dict[str, Cell]]:
    """Return a row for each side, those that are missing among them."""
    q = chain.random_configuration(np.random.default_rng(0))
    entered = ours(chain, q)
    rows: list[dict[str, Cell]] = []
    for peer, make in MAKERS.items():
        if peer in missing:
            rows.append({"arm": chain.name, "side": f"{peer} (missing)"})
        else:
            entered |= make(chain, q)
    spent: dict[str, list[float]] = {name: [] for name in entered}
    with no_garbage_collection():
        for _ in range(passes):
            for name, call in entered.items():
                spent[name].append(per_call(call, seconds=0.002))
    times = {name: min(values) for name, values in spent.items()}
    entries: list[dict[str, Cell]] = [
        {"arm": chain.name, "side": name, "what": WHAT.get(name, "T and J"), "time": time, "ratio": time / times[OURS]}
        for name, time in times.items()
    ]
    return entries + rows


def compiled_rows(chain: Chain, passes: int) -> list[dict[str, Cell]]:
    """Return a row for the kernel inside compiled code, and one for what its operation count allows."""
    count = operations.count(chain.source("scalar"))
    kernel = operations.nanoseconds(chain.kernels.chain_kernel, chain, passes=passes) / 1e3
    floor = min(operations.nanoseconds(program, chain, passes=passes) for program in operations.floors(chain)) / 1e3
    what = f"{count.multiplications} ×, {count.additions} +, {count.pairs} sin/cos"
    return [
        {"arm": chain.name, "side": "ours, compiled", "what": what, "time": kernel, "ratio": 1.0},
        {"arm": chain.name, "side": "floor, compiled", "what": "as many", "time": floor, "ratio": floor / kernel},
    ]


def ours(chain: Chain, q: Any) -> Sides:
    """Return our calls: with a check of q and new arrays, and the bare kernel."""
    kernel, T, J = chain.kernel, np.empty((4, 4)), np.empty((6, chain.dof))
    return {OURS: lambda: chain.pose_and_jacobian(q), "ours, kernel": lambda: kernel(q, T, J)}


def pinocchio(chain: Chain, q: Any) -> Sides:
    """Return Pinocchio's two calls, and the same with the results in arrays, as ours has them."""
    import pinocchio as pin

    arm = PinocchioArm(chain)
    check_equal(chain, "Pinocchio", arm.forward_kinematics)
    model, data, tip = arm.model, arm.data, arm.tip

    def calls() -> Any:
        pin.framesForwardKinematics(model, data, q)
        return pin.computeFrameJacobian(model, data, q, tip)

    return {
        "Pinocchio: its two calls": calls,
        "Pinocchio: T as an array too": lambda: (calls(), data.oMf[tip].homogeneous),
    }


def toolbox(chain: Chain, q: Any) -> Sides:
    """Return the robotics toolbox's two calls into C++."""
    sequence = elementary_transforms(chain)
    check_equal(chain, "robotics toolbox", sequence.eval)
    return {"toolbox: eval, jacobe": lambda: (sequence.eval(q), sequence.jacobe(q))}


def book(chain: Chain, q: Any) -> Sides:
    """Return the two functions of Modern Robotics' library, in the body frame."""
    import modern_robotics

    screws, home = np.array(chain.screws), np.array(chain.home)
    adjoint = modern_robotics.Adjoint(modern_robotics.TransInv(home))
    body = adjoint @ screws
    check_equal(chain, "modern_robotics", lambda at: modern_robotics.FKinBody(home, body, at))
    return {"modern_robotics": lambda: (modern_robotics.FKinBody(home, body, q), modern_robotics.JacobianBody(body, q))}


def spatialmath(chain: Chain, q: Any) -> Sides:
    """Return the product of spatialmath's exponentials; its twists are (v, ω)."""
    from spatialmath import base

    screws = [np.concatenate([screw[3:], screw[:3]]) for screw in chain.screws.T]

    def place(at: Any) -> Any:
        T = np.eye(4)
        for screw, angle in zip(screws, at, strict=True):
            T = T @ base.trexp(screw, angle)
        return T @ chain.home

    check_equal(chain, "spatialmath", place)
    return {"spatialmath: trexp": lambda: place(q)}


def scipy(chain: Chain, q: Any) -> Sides:
    """Return the product of SciPy's matrix exponentials, all of them in one call."""
    from tools.benchmarks.poses import by_exponentials

    place = by_exponentials(chain)
    check_equal(chain, "SciPy", place)
    return {"SciPy: expm": lambda: place(q)}


MAKERS: dict[str, Callable[[Chain, Any], Sides]] = {
    "Pinocchio": pinocchio,
    "robotics toolbox": toolbox,
    "modern_robotics": book,
    "spatialmath": spatialmath,
    "SciPy": scipy,
}
WHAT = {"spatialmath: trexp": "T only", "SciPy: expm": "T only"}


if __name__ == "__main__":
    main(measure, PASSES, "passes in which the sides take turns")
