"""Lesson 21: all solutions of the UR10 for one pose, and a draggable post; colliding ones are red."""

from __future__ import annotations

import numpy as np

from lessons_lib import codegen
from lessons_lib.all_solutions.module import module
from lessons_lib.arrays import Array
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.collisions import Capsule, Scene, fitted_links
from lessons_lib.collisions.module import module as collision_module
from lessons_lib.course.branches.live import (
    BEGIN,
    CLOSED_FORM,
    closed_data,
    elbow_kernel,
    limited_ur10,
    pointing_down,
    target_kernel,
)
from lessons_lib.course.live.arm_data import arm_data
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.live.link_shapes import ASIDE
from lessons_lib.pose_ik import Solutions, all_solutions
from lessons_lib.robots import ur10

__all__ = ["ObstacleFigure"]

RADII = (0.06, 0.06, 0.055, 0.05, 0.045, 0.045, 0.04)
"""The radii of the arm's bodies, in m."""

POST = 0.06
"""The radius of the post, in m."""

STILL = (("link 3", "link 5"), ("link 4", "link 6"))
"""Pairs of links a constant distance apart, which would otherwise limit the clearance of a solution."""

HAND = (-34.0, 180.0)
"""The tilt and the rotation of the hand, in degrees."""

DISTANCES = ("f2", "f2", "i1", "f2", "i1", "i1", "f1", "f2", "f2")
"""The input types of `carried_bodies.distances_of`."""


def scene(x: float, y: float, height: float) -> Scene:
    """Return the UR10 beside a post that stands on the floor at a position, m."""
    arm = limited_ur10()
    post = Capsule(np.array([x, y, 0.0]), np.array([x, y, height]), POST, "post")
    return Scene(arm, fitted_links(arm, RADII, ASIDE["ur10"]), (post,), STILL)


@derived_once
def script() -> str:
    """Return the drawing of the UR10, `all_solutions` and the distances as JavaScript."""
    from lessons_lib.codegen import js_plain
    from lessons_lib.course.live.arm_kernel import arm_kernel

    arm = ur10()
    kernels = [arm_kernel(arm, "arm_ur10"), target_kernel(), elbow_kernel(arm)]
    texts = [
        ("solve_closed_form", module().solve_closed_form, CLOSED_FORM),
        ("distances_of", collision_module().distances_of, DISTANCES),
    ]
    return f"{codegen.source(kernels, 'javascript')}\n{js_plain.source(texts)}"


class ObstacleFigure(LiveFigure):
    """All configurations of the UR10 for one pose, beside a post; those in collision are red.

    Attributes:
        x: Target position along x of {s}, in m; likewise y and z.
        px: Position of the post, in m; likewise py.
        height: Height of the post, in m.
    """

    view = "obstacle"
    bundle = "widget3d"
    shapes = ("ur10",)
    title = "An obstacle in the way"
    about = (
        "A UR10 reaches a target frame next to a post. Thin pale arms show all other solutions: the blue ones touch "
        "nothing, and the red ones touch something. The floor does not count as an obstacle. The post and the target "
        "can be dragged. A table lists the clearance of each solution."
    )
    question = "Where must the post stand so that only the elbow-up solutions remain? And where does it leave none?"
    answer = (
        "For the initial target, a low post about 15 to 40 cm nearer to the base than the hand leaves only the "
        "elbow-up solutions, because in the others the upper arm comes down to it. For every target above the floor, a "
        "post at the hand's position, and just as high, leaves none, because every solution brings the hand there. A "
        "post at the base leaves none either."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        self.chain = limited_ur10()
        start = {"x": -0.8, "y": -0.1, "z": 0.5, "px": -0.4, "py": 0.0, "height": 0.3}
        words = {"x": "target", "y": "target", "z": "target", "px": "post", "py": "post"}
        controls = [
            *(Control(one, word, one[-1], "m", -1.3, 1.3, 0.01, start[one]) for one, word in words.items()),
            Control("height", "height of the post", "", "m", 0.05, 1.5, 0.01, start["height"]),
        ]
        around = scene(0.0, 0.0, 1.0)
        data = {
            **arm_data(self.chain, "ur10"),
            "eye": [1.0, -3.1, 1.6],
            "centre": [-0.33, -0.1, 0.33],
            "begin": list(BEGIN),
            "closed": closed_data(self.chain),
            "hand": np.radians(HAND).tolist(),
            "post": POST,
            "scene": {
                "joints": around.joints.tolist(),
                "carriers": around.carriers.tolist(),
                "bodies": around.bodies.tolist(),
                "first": around.ends[0].tolist(),
                "second": around.ends[1].tolist(),
                "pairs": [list(pair) for pair in around.pairs],
            },
        }
        super().__init__(controls, script(), values, data)

    @property
    def target(self) -> Array:
        """T_sd, shape (4, 4), position in m."""
        return pointing_down(np.array([self.x, self.y, self.z]), *HAND)

    @property
    def scene(self) -> Scene:
        """The arm and the post."""
        return scene(self.px, self.py, self.height)

    @property
    def answers(self) -> Solutions:
        """All solutions for the target, colliding or not."""
        return all_solutions(self.chain, self.target)

    @property
    def facts(self) -> dict[str, float]:
        """The control values, and the numbers of solutions and of collision-free solutions."""
        solutions, free = self.answers, 0
        if len(solutions):
            free = int(np.count_nonzero(self.scene.clearance(solutions.q) > 0.0))
        return {**super().facts, "count": float(len(solutions)), "free": float(free)}
