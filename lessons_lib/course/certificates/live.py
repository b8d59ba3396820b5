"""Lesson 20: a ball around a configuration of the 2R that contains exactly one solution, and how it shrinks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen, plots
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.joints import angle_controls
from lessons_lib.robots import planar_2r

__all__ = ["BallFigure"]

STEPS = 8
"""The maximum number of Newton steps shown."""

ARRIVED = 1e-9
"""The position error, in m, below which no further step is taken."""

SPAN = 1.1
"""Half the width of the displayed joint-angle plane around the solution, in rad."""

CONTROLS = (*angle_controls("q", "arm, joint", (33, 86)), *angle_controls("t", "target, joint", (30, 90)))


@derived_once
def _source() -> str:
    import sympy as sp

    from lessons_lib.course.certificates import newton_kantorovich
    from lessons_lib.symbolic import planar_2r

    q, t, J = (sp.Matrix(sp.symbols(f"{name}_0:{n}", real=True)) for name, n in (("q", 2), ("t", 2), ("j", 4)))
    eta, h, b = sp.symbols("eta h b", positive=True)
    lengths = (sp.Integer(1), sp.Integer(1))
    elbow, tip = planar_2r.corners(q[0], q[1], *lengths)
    goal = planar_2r.corners(t[0], t[1], *lengths)[1]
    slope = J.reshape(2, 2)
    P = slope.inv("ADJ")
    step = -P * (tip - goal)
    size, first = sp.sqrt(sum(entry**2 for entry in P)), sp.sqrt(sum(entry**2 for entry in step))
    K = newton_kantorovich.second_derivative_bound([sum(lengths), lengths[1]])
    bounds = sp.Matrix([first, size * K, newton_kantorovich.kantorovich_number(first, 0, size * K)])
    corners = sp.Matrix.hstack(elbow, tip, goal).T
    named = [*zip(J, tip.jacobian(q).reshape(4, 1), strict=True)]
    sizes = sp.Matrix([newton_kantorovich.existence_radius(eta, 0, h), newton_kantorovich.uniqueness_radius(0, b)])
    kernels = [
        codegen.Kernel("step_kernel", {"q": q, "t": t}, {"corners": corners, "step": step, "bounds": bounds}, named),
        codegen.Kernel("ball_kernel", {"bounds": sp.Matrix([eta, b, h])}, {"sizes": sizes}),
    ]
    return codegen.source(kernels, "javascript")


@dataclass(frozen=True)
class Ball:
    """Certificate at one iterate."""

    q: Array  # joint angles, (2,), rad
    eta: float  # length of the Newton step, rad
    h: float  # Kantorovich's number
    radius: float  # of a ball with exactly one solution, rad; infinite if nothing is proven
    alone: float  # radius within which it is the only solution, rad; zero if nothing is proven


class BallFigure(LiveFigure):
    """Newton steps to a point, and around each iterate a ball that contains one solution.

    Attributes:
        q1: Angle of the first joint at the center of the first ball, in degrees; likewise q2.
        t1: Angle of the first joint in a configuration that reaches the target, in degrees; likewise t2.
    """

    view = "ball"
    title = "A ball that contains one solution"
    about = (
        "On the left are a two-link arm and its target. On the right is the joint-angle plane around the solution, "
        "which is marked with a cross. A small blue disc around the configuration of the arm contains the cross, and "
        "lies inside a green disc that contains no other solution. If nothing is proven, there is no disc."
    )
    question = (
        "Drag the point away from the cross in the joint-angle plane. At what distance do the discs disappear, first "
        "with the target's second joint at 90° and then at 10°?"
    )
    answer = (
        "With the joint at 90°, the discs disappear at a distance of 5.7° to 6.9°, depending on the direction; with "
        "the joint at 10°, they disappear at 0.7° to 1.1°, about one slider step. At h = ½ the two discs are the same "
        "size, and for larger h the theorem proves nothing, although the solution is still there. At 10°, ‖P‖ is about "
        "seven times as large as at 90°, so the radius of the green disc is about one seventh as large."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, _source(), values, {"steps": STEPS, "arrived": ARRIVED, "span": SPAN})

    def balls(self) -> list[Ball]:
        """Return the ball at each Newton iterate, computed with NumPy."""
        arm, balls = planar_2r(), list[Ball]()
        goal = arm.forward_kinematics(np.radians([self.t1, self.t2]))[:2, 3]
        q, K = np.radians([self.q1, self.q2]), np.sqrt(1 * 2.0**2 + 3 * 1.0**2)
        for _ in range(STEPS + 1):
            F = arm.forward_kinematics(q)[:2, 3] - goal
            J = plots.tip_jacobian(arm, q)[:2]
            if abs(np.linalg.det(J)) < 1e-14:
                return [*balls, Ball(q, np.inf, np.inf, np.inf, 0.0)]
            P = np.linalg.inv(J)
            eta, b = float(np.linalg.norm(P @ F)), float(np.linalg.norm(P) * K)
            h = b * eta
            sizes = (2.0 * eta / (1.0 + np.sqrt(1.0 - 2.0 * h)), 1.0 / b) if h <= 0.5 else (np.inf, 0.0)
            balls.append(Ball(q, eta, h, *map(float, sizes)))
            if np.linalg.norm(F) < ARRIVED:
                break
            q = q - P @ F
        return balls
