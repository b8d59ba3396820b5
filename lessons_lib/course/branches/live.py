"""Lesson 19: all solutions of the UR10 for a draggable target, and motion along a one-parameter family."""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons_lib import codegen, lie
from lessons_lib.all_solutions import decisions
from lessons_lib.all_solutions.module import module
from lessons_lib.all_solutions.recognition import Structure, recognize_structure
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.arm_data import arm_data
from lessons_lib.course.live.control import Control, Switch
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.pose_ik import Solutions, all_solutions
from lessons_lib.robots import Chain, ur10
from lessons_lib.robots.kinematics import exact

__all__ = ["BranchesFigure"]

CLOSED_FORM = ("f2", "f2", "i", "b", "f2", "f1", "f2", "f", "f", "f", "f2", "i1")
"""The input types of `solve_closed_form`."""

BEGIN = (0.3, -1.2, 1.5, -0.6, 1.1, 0.4)
"""The initial configuration, in rad; the solution nearest to it is drawn solid."""

LOCKED = (0.3, -1.2, 1.5, -0.6, 0.0, 0.4)
"""A configuration with q₅ = 0, in rad; its pose is the target while `locked` is set."""

START = {"x": -0.8, "y": -0.1, "z": 0.5, "tilt": -34.0, "turn": 180.0}
"""The initial target, in m and degrees."""


def ur10_structure() -> Structure:
    arm = ur10()
    form = recognize_structure(arm.screws, arm.home)
    assert form is not None
    return form


def limited_ur10() -> Chain:
    """Return the UR10 with each joint limited to one revolution."""
    return ur10().with_limits(position=[(-np.pi, np.pi)] * 6)


def closed_data(chain: Chain) -> dict[str, Any]:
    """Return the inputs of the printed `all_solutions` besides the target."""
    form = ur10_structure()
    return {
        "back": np.linalg.inv(chain.home).tolist(),
        "kind": form.kind,
        "backwards": form.backwards,
        "constants": form.constants.tolist(),
        "signs": form.signs.tolist(),
        "limits": chain.limits.tolist(),
        "length": form.length,
    }


def pointing_down(place: Array, tilt: float, turn: float) -> Array:
    """Return the pose of a hand that points down, tilted and rotated, angles in degrees, (4, 4), position in m."""
    T = np.eye(4)
    tilted = lie.exp_so3([0.0, np.radians(tilt), 0.0]) @ np.diag([1.0, -1.0, -1.0])
    T[:3, :3], T[:3, 3] = lie.exp_so3([0.0, 0.0, np.radians(turn)]) @ tilted, place
    return T


def target_kernel() -> codegen.Kernel:
    """Return position [m], tilt, turn [rad] → T of a hand that points down, tilted about y, then turned about z."""
    import sympy as sp

    from lessons_lib.symbolic import se3, so3

    place = sp.Matrix(sp.symbols("x y z", real=True))
    tilt, turn = sp.symbols("tilt turn", real=True)
    R = so3.exp(sp.Matrix([0, 0, turn])) * so3.exp(sp.Matrix([0, tilt, 0])) * sp.diag(1, -1, -1)
    inputs = {"place": place, "angles": sp.Matrix([tilt, turn])}
    return codegen.Kernel("target_kernel", inputs, {"T": se3.pose(R, place)}, summary="The target.")


def elbow_kernel(chain: Chain) -> codegen.Kernel:
    """Return the kernel of `up`, in m³, which is positive if the elbow is above the line from shoulder to wrist."""
    import sympy as sp

    from lessons_lib.symbolic import open_chain

    K, derived = ur10_structure().constants, open_chain.derive(exact(chain.screws), exact(chain.home))
    n, first = K[decisions.K2], K[decisions.O2]
    points = []
    for joints, row in ((1, decisions.O2), (2, decisions.O3), (3, decisions.O4)):
        flat = K[row] - ((K[row] - first) @ n) * n
        points.append((derived.prefixes[joints] * sp.Matrix([*exact(flat[:, None]), 1]))[:3, :])
    chord, link = points[2] - points[0], points[1] - points[0]
    named = list(zip(sp.symbols("chord0:3 link0:3", real=True), [*chord, *link], strict=True))
    symbols = [symbol for symbol, _ in named]
    chord, link = sp.Matrix(symbols[:3]), sp.Matrix(symbols[3:])
    up = chord.dot(chord) * link[2] - chord.dot(link) * chord[2]
    inputs, outputs = {"q": sp.Matrix(derived.q)}, {"up": sp.Matrix([up])}
    return codegen.Kernel("elbow_kernel", inputs, outputs, [*derived.steps, *named], "Whether the elbow is up.")


@derived_once
def script() -> str:
    """Return the drawing of the UR10 and `all_solutions` as JavaScript."""
    from lessons_lib.codegen import js_plain
    from lessons_lib.course.live.arm_kernel import arm_kernel

    arm = ur10()
    kernels = [arm_kernel(arm, "arm_ur10"), target_kernel(), elbow_kernel(arm)]
    entry = "solve_closed_form", module().solve_closed_form, CLOSED_FORM
    return f"{codegen.source(kernels, 'javascript')}\n{js_plain.source([entry])}"


class BranchesFigure(LiveFigure):
    """All configurations of the UR10 for one pose; with a singular wrist, a slider sets the free angle.

    Attributes:
        x: Target position along x of {s}, in m; likewise y and z.
        tilt: Tilt of the hand from pointing down, in degrees.
        turn: Rotation of the hand about the vertical, in degrees.
        locked: Whether the target is instead one with a singular wrist, q₅ = 0.
        free: Value of the free angle of that family, in degrees.
    """

    view = "branches"
    bundle = "widget3d"
    shapes = ("ur10",)
    title = "All solutions at once"
    about = (
        "A UR10 reaches a target frame, and thin, pale arms show the other solutions. There is one colour for each "
        "combination of shoulder and elbow. You can drag the target. A table lists the solutions by name, with their "
        "joint angles."
    )
    question = (
        "Drag the target away from the base. How many solutions are there close to the base, farther out, and beyond "
        "the reach of the arm?"
    )
    answer = (
        "At the initial height and tilt, there are none close to the base, then eight, then four farther out, and none "
        "beyond the reach of the arm; six and two occur only in narrow regions in between."
    )

    def __init__(self, **values: float | bool) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.chain = limited_ur10()
        controls: list[Control | Switch] = [
            *(Control(axis, "target", axis, "m", -1.3, 1.3, 0.01, START[axis]) for axis in "xyz"),
            Control("tilt", "tilt of the hand", "", "°", -180, 180, 1, START["tilt"]),
            Control("turn", "rotation of the hand", "", "°", -180, 180, 1, START["turn"]),
            Switch("locked", "singular wrist, q₅ = 0", False),
            Control("free", "free rotation", "", "°", -180, 180, 1, 20.0),
        ]
        data = {
            **arm_data(self.chain, "ur10"),
            "eye": [1.0, -3.1, 1.6],
            "centre": [-0.33, -0.2, 0.33],
            "begin": list(BEGIN),
            "locked": self.chain.forward_kinematics(LOCKED).tolist(),
            "closed": closed_data(self.chain),
        }
        super().__init__(controls, script(), values, data)

    @property
    def target(self) -> Array:
        """T_sd, shape (4, 4), position in m."""
        if self.locked:
            return self.chain.forward_kinematics(LOCKED)
        return pointing_down(np.array([self.x, self.y, self.z]), self.tilt, self.turn)

    @property
    def answers(self) -> Solutions:
        """All solutions for the target."""
        return all_solutions(self.chain, self.target)

    @property
    def facts(self) -> dict[str, float]:
        """The numbers, and the counts of isolated solutions and of families that reach the free angle."""
        solutions, free = self.answers, np.radians(self.free)
        families = sum(any(low <= free <= high for low, high in one.intervals) for one in solutions.families)
        return {**super().facts, "count": float(len(solutions)), "families": float(families)}
