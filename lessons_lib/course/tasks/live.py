"""Lesson 17: two hands, one waist and a posture, each with a cost, and the limits that restrict the steps."""

from dataclasses import dataclass

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course import PointTask
from lessons_lib.course.live.control import Choice, Control, LogSlider
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.tree_data import tree_data
from lessons_lib.course.tasks import two_hands
from lessons_lib.course.tasks.two_arms_parts import parts_of
from lessons_lib.differential_ik import (
    Configuration,
    ConfigurationLimit,
    NoSolutionFound,
    Task,
    VelocityLimit,
    solve_ik,
)

__all__ = ["HandsFigure"]

PERIOD, STEPS, REST = 0.05, 200, 1e-5
"""The step duration, in s; the maximum number of steps; and the joint motion, in rad, below which the loop ends."""

ROUNDING = 1e-12
"""A step within this distance of a bound, in rad, counts as being at the bound."""

COSTS = (0.0, *(float(f"{digit}e{decade}") for decade in (-2, -1, 0) for digit in (1, 3)), 10.0)
"""The slider values for a hand's cost.

Those for the posture exclude zero, at which the optimal step need not be unique.
"""

DAMPINGS = (0.0, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""The slider values for λ₀²."""

SOFT, HARD = "tasks with costs", "constraints"
"""The kinds of tasks for the hands."""

SIDES = ("left", "right")
TARGETS = {"left": (0.7, 0.1, 1.1), "right": (0.7, -0.1, 1.1)}
"""The sides of a box, in m; the hands cannot both reach it."""

ROOM = {"x": (-0.3, 1.0), "y": (-0.9, 0.9), "z": (0.4, 1.7)}
"""The range of a target, in m."""


@dataclass(frozen=True)
class Walk:
    """Steps until the body rests, until the constraints are infeasible, or up to `STEPS`."""

    q: Array  # configurations, from the first to the last, (steps + 1, 15), rad
    active: list[tuple[str, ...]]  # for each step the names of the joints at their limits
    rests: bool  # the last step was short enough to be the last
    refused: bool  # a step was infeasible


@derived_once
def _source() -> str:
    from lessons_lib.codegen import js_plain
    from lessons_lib.course.live.tree_kernel import bounded_least_squares, tree_kernel

    body = two_hands.body()
    frames = dict.fromkeys(part.frame for part in parts_of(body))
    kernel = tree_kernel(body, frames, points=two_hands.HANDS, name="two_hands_kernel")
    text: str = codegen.source([kernel], "javascript")
    return f"{text}\n{js_plain.source([bounded_least_squares()])}"


class HandsFigure(LiveFigure):
    """Two hands that share a waist, and the remaining error of each when the body rests.

    Attributes:
        hands: Whether the hands are "tasks with costs" or "constraints", which have neither costs nor damping.
        left: Cost of the left hand, [cost]/m; likewise right.
        posture: Cost of the posture, [cost]/rad.
        left_x: Position of the left hand's target, in m; likewise left_y and left_z.
        right_x: Position of the right hand's target; likewise right_y and right_z.
        gain: Fraction of its error that each task aims to remove per step.
        damping: λ₀² of both hands, `lm_damping`.
    """

    view = "hands"
    bundle = "widget3d"
    folded = tuple(f"{side}_{axis}" for side in ("left", "right") for axis in "xyz")
    title = "Two hands, one waist"
    about = (
        "A torso with two arms on a pedestal. A dashed line connects each hand to its target, which has the same "
        "colour; a grey line shows the initial posture. A halo marks every joint whose limit restricts the step."
    )
    question = "Raise the cost of one hand. Which hand gives way? Then divide all three costs by ten. What moves?"
    answer = (
        "The hand with the lower cost gives way. If you divide all three costs by ten, nothing moves, because only "
        "their ratios matter."
    )

    def __init__(self, **values: float | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        square, soft = "κ²", ("hands", SOFT)
        controls: list[Choice | Control | LogSlider] = [
            Choice("hands", "hands", (SOFT, HARD), SOFT),
            LogSlider("left", "left cost", "κ", "1/m", COSTS, 1.0, soft, square),
            LogSlider("right", "right cost", "κ", "1/m", COSTS, 1.0, soft, square),
            LogSlider("posture", "posture cost", "κ", "1/rad", COSTS[1:], 0.1, square=square),
        ]
        for side, place in TARGETS.items():
            for (axis, ends), at in zip(ROOM.items(), place, strict=True):
                controls.append(Control(f"{side}_{axis}", f"{side} target", axis, "m", *ends, 0.01, at))
        controls.append(Control("gain", "gain", "α", "", 0.05, 1.0, 0.05, 1.0))
        controls.append(LogSlider("damping", "damping", "λ₀²", "", DAMPINGS, 3.0, soft))
        body = two_hands.body()
        seats = [body.frame_names[body.arrays.carriers.tolist().index(1 + i)] for i in range(body.nv)]
        data = {
            "tree": tree_data(body, parts_of(body)),
            "hands": two_hands.HANDS,
            "hard": HARD,
            "limbs": two_hands.LIMBS,
            "seats": seats,
            "ready": two_hands.ready().tolist(),
            "period": PERIOD,
            "steps": STEPS,
            "rest": REST,
        }
        super().__init__(controls, _source(), values, data)

    @property
    def targets(self) -> Array:
        """Targets of the left and the right hand, shape (2, 3), m."""
        return np.array([[getattr(self, f"{side}_{axis}") for axis in ROOM] for side in SIDES])

    def walk(self) -> Walk:
        """Return the steps of `solve_ik` from the posture until the body rests, or a step is infeasible."""
        body = two_hands.body()
        costs = (1.0, 1.0) if self.hands == HARD else (self.left, self.right)  # a constraint of cost 0 is ignored
        hands = [
            PointTask(hand, cost, self.gain, self.damping) for hand, cost in zip(two_hands.HANDS, costs, strict=True)
        ]
        for hand, target in zip(hands, self.targets, strict=True):
            hand.set_target(target)
        posture = two_hands.posture_task(self.posture, self.gain)
        soft: list[Task] = [*hands, posture]
        tasks, constraints = (soft[2:], soft[:2]) if self.hands == HARD else (soft, [])
        at, rows, rests = Configuration(body, two_hands.ready()), [two_hands.ready()], False
        active: list[tuple[str, ...]] = []
        while not rests and len(rows) <= STEPS:
            try:
                step = PERIOD * solve_ik(at, tasks, PERIOD, constraints=constraints)
            except NoSolutionFound:
                return Walk(np.array(rows), active, rests=False, refused=True)
            active.append(_active(at, step))
            at.integrate_inplace(step, 1.0)
            rows.append(at.q)
            rests = bool(np.abs(step).max() < REST)
        return Walk(np.array(rows), active, rests, refused=False)

    def residuals(self, q: Array) -> Array:
        """Return the errors of both hands, m, and of the posture, rad, shape (3,)."""
        ends = np.array([two_hands.body().forward_kinematics(q, hand)[:3, 3] for hand in two_hands.HANDS])
        off = np.linalg.norm(ends - self.targets, axis=1)
        return np.array([*off, np.linalg.norm(q - two_hands.ready())])


def _active(at: Configuration, step: Array) -> tuple[str, ...]:
    """Return the names of the joints whose limits restrict a step."""
    names, restricted = at.model.v_names, set[int]()
    for limit in (ConfigurationLimit(at.model), VelocityLimit(at.model)):
        low, high = limit.compute_bounds(at, PERIOD)
        here = step[limit.indices]
        restricted |= set(limit.indices[(here <= low + ROUNDING) | (here >= high - ROUNDING)].tolist())
    return tuple(names[i].replace("_", " ") for i in sorted(restricted))
