"""Lesson 23: the motors of the planar arm follow the printed solver's solutions, with a delay, rounding and a gain."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons_lib import codegen
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Choice, Control, LogSlider, Switch
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.pose_ik import Stop, lanes, layout, position_only
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.robots import planar_2r

if TYPE_CHECKING:
    from lessons_lib.codegen import Kernel
    from lessons_lib.pose_ik.problem import Problem

__all__ = ["ServoFigure"]

BEGIN, END = (1.3, -0.9), (0.7, 1.3)
"""The ends of the line that the hand follows, in m."""

ELBOW = (-1.2723, 1.3)
"""A guess near the first configuration, in rad; it selects one of the two solutions."""

MOVING, LASTS = 2.0, 2.5
"""The duration of the motion, without and with the rest after it, in s."""

FASTEST, REFLEX = 10.0, 20.0
"""The velocity limit of a motor, in rad/s, and the acceleration, in rad/s², at which the arm's reflex stops it."""

TOLERANCES = {"1 mm": 1e-3, "0.1 mm": 1e-4, "10 µm": 1e-5, "1 nm": 1e-9}
"""The solver's tolerances, in m."""

RATES = (20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
"""The cycle rates, in Hz."""

EVALUATIONS, LINK = 100, 1
"""The maximum number of steps per solve, and the length of each link, in m."""


def problem(tolerance: float = 1e-9) -> Problem:
    """Return the inputs of the solver; the tolerance in m."""
    return check_problem(planar_2r(), None, Stop(tolerance, tolerance), None, position_only())


def room(tolerance: float = 1e-9) -> Array:
    return lanes.make_scratch(problem(tolerance), EVALUATIONS * 2, 1)


@cache
def loop() -> Any:
    """Return the module of `servo_loop`, with the search that it calls."""
    from lessons_lib.codegen import linker
    from lessons_lib.codegen.linker import Plain, Recipe
    from lessons_lib.pose_ik.variant import variant_of

    asked = problem()
    parts = lanes.recipe(asked.chain, variant_of(asked.method), 1).parts
    return linker.load(Recipe("live_servo", (*parts, Plain("lessons_lib.course.robot.servo_loop"))), owner=asked.chain)


class ServoFigure(LiveFigure):
    """The planar arm along a line, solved in each cycle; the hand's error and the requested accelerations.

    Attributes:
        rate: Cycle rate, in Hz.
        delay: Age of the measurement, in cycles.
        gain: Proportional gain, in 1/s.
        bits: Encoder resolution, bits per revolution.
        tolerance: Tolerance of the solver, one of four.
        forward: Whether the speed of the solutions is fed forward.
        t: Time of the drawn arm, in s.
    """

    view = "servo"
    title = "A loop and its motors"
    about = (
        "On the left, the hand of an arm should follow a line, and a pale arm shows where it should be. On the right, "
        "the error of the hand and the acceleration that each motor must produce are plotted over time; above the "
        "dashed line, the arm stops."
    )
    question = (
        "The hand is less than 1 mm off, but the arm stops. Which solver tolerance prevents that? Then set a "
        "delay of three cycles: what is the largest product of gain and cycle time for which the loop is stable?"
    )
    answer = (
        "With a tolerance of 0.1 mm, the solutions jump, and the jumps require accelerations of hundreds of rad/s², "
        "because they are divided by the square of a millisecond. At 1000 Hz, even a tolerance of 10 µm is too loose; "
        "with 1 nm, accelerations of about 6 rad/s² suffice. With a delay of three cycles, the loop is stable as long "
        "as the product is below 0.445. This allows gains up to 222 per second at 500 Hz, and up to 22 at 50 Hz."
    )

    def __init__(self, **values: float | bool | str) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        controls: list[Control | LogSlider | Choice | Switch] = [
            Control("delay", "delay", "d", "cycles", 0, 10, 1, 1),
            LogSlider("rate", "rate", "", "Hz", RATES, 1000.0),
            Control("gain", "gain", "K", "1/s", 1, 400, 1, 20),
            Control("bits", "encoder resolution", "", "bits", 8, 24, 1, 17),
            Choice("tolerance", "solver tolerance", tuple(TOLERANCES), "0.1 mm"),
            Switch("forward", "speed feedforward", True),
            Control("t", "time", "t", "s", 0, LASTS, 0.01, 1.0),
        ]
        data = {
            "lasts": LASTS,
            "moving": MOVING,
            "ends": [list(BEGIN), list(END)],
            "elbow": list(ELBOW),
            "report": layout.JOINTS + 4,
            "fastest": FASTEST,
            "reflex": REFLEX,
        }
        super().__init__(controls, _source(), values, data)

    @property
    def times(self) -> Array:
        """Times of all cycles, shape (m,), s."""
        moments: Array = np.arange(round(LASTS * self.rate) + 1) / self.rate
        return moments

    @property
    def places(self) -> Array:
        """Desired hand position in each cycle, shape (m, 2), m."""
        from lessons_lib.trajectories import time_scaling

        s = time_scaling(self.times / MOVING, "quintic")
        return np.array(BEGIN) + s[:, None] * np.subtract(END, BEGIN)

    @property
    def answers(self) -> Array:
        """The solver's solution in each cycle, shape (m, 2), rad."""
        solutions = np.tile(first(), (len(self.times), 1))
        report = np.zeros(layout.JOINTS + 4)
        loop().answer_places(self.places, np.eye(4), solutions, room(TOLERANCES[self.tolerance]), report)
        return solutions

    @property
    def run(self) -> tuple[Array, Array]:
        """Joint positions and requested accelerations: two of shape (m, 2), rad and rad/s²."""
        answers = self.answers
        q, accelerations = np.zeros_like(answers), np.zeros_like(answers)
        step = 2.0 * np.pi / 2.0**self.bits
        parameters = np.array([1.0 / self.rate, int(self.delay + 0.5), self.gain, step, float(self.forward), FASTEST])
        loop().follow_answers(answers, parameters, q, accelerations)
        return q, accelerations

    @property
    def off(self) -> Array:
        """Error of the hand in each cycle, shape (m,), m."""
        positions = planar_2r().forward_kinematics(self.run[0])[:, :2, 3]
        away: Array = np.linalg.norm(positions - self.places, axis=1)
        return away


@cache
def first() -> Array:
    """Return the initial configuration of the motion, shape (2,), rad."""
    answers, target, report = np.tile(np.array(ELBOW), (2, 1)), np.eye(4), np.zeros(layout.JOINTS + 4)
    loop().answer_places(np.array([BEGIN, BEGIN]), target, answers, room(), report)
    answers.setflags(write=False)
    start: Array = answers[1]
    return start


def kernels() -> list[Kernel]:
    """Return time fraction → path fraction; q → corners of the arm; delay → largest stable gain times cycle."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.course.robot import servo
    from lessons_lib.symbolic import time_scaling
    from lessons_lib.symbolic.planar_2r import corners

    tau, d, q_1, q_2 = sp.symbols("tau d q_1 q_2", real=True)
    drawn = sp.Matrix.hstack(*corners(q_1, q_2, sp.Integer(LINK), sp.Integer(LINK))).T
    way = sp.Matrix([time_scaling.polynomial(tau, 2)])
    bound = sp.Matrix([servo.largest_gain(d)])
    return [
        Kernel("way_kernel", {"part": sp.Matrix([tau])}, {"way": way}, summary="s(τ), the quintic."),
        Kernel("arm_kernel", {"q": sp.Matrix([q_1, q_2])}, {"corners": drawn}, summary="Elbow and hand."),
        Kernel(
            "bound_kernel",
            {"delay": sp.Matrix([d])},
            {"gain": bound},
            summary="Largest stable gain times the cycle time.",
        ),
    ]


@derived_once
def _source() -> str:
    from lessons_lib.codegen import js_plain

    entries = [
        ("answer_places", loop().answer_places, ("f2", "f2", "f2", "f1", "f1")),
        ("follow_answers", loop().follow_answers, ("f2", "f1", "f2", "f2")),
    ]
    rooms = json.dumps({name: room(tolerance).tolist() for name, tolerance in TOLERANCES.items()})
    own = f"function room_for(tolerance) {{\n  return {rooms}[tolerance];\n}}\n"  # Infinity is not JSON
    return "\n".join([codegen.source(kernels(), "javascript"), js_plain.source(entries), own])
