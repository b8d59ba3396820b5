"""Lesson 01 and the front page: drag a target, and see the two, one or no arms that reach it."""

from math import hypot

from lessons_lib import robots
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control
from lessons_lib.course.live.figure import LiveFigure

__all__ = ["ElbowFigure"]

LENGTH_1 = 1.0
"""The length of the first link, in m."""

CONTROLS = (
    Control("x", "target", "x", "m", -2.3, 2.3, 0.01, 1.1),
    Control("y", "target", "y", "m", -2.3, 2.3, 0.01, 0.7),
    Control("length_2", "link", "L₂", "m", 0.1, 1.2, 0.01, 0.7),
)


@derived_once
def script() -> str:
    """Return both solutions of the 2R in closed form as JavaScript."""
    return robots.planar_2r_source("javascript")


class ElbowFigure(LiveFigure):
    """The annulus that a planar 2R reaches, a draggable target, and an arm for each solution.

    Attributes:
        x: The target's x, in m.
        y: The target's y, in m.
        length_2: The second link's length, in m; the first link is 1 m long.
    """

    view = "elbow"
    title = "Two solutions, one, or none"
    about = (
        "A ring around the base of a two-link arm shows all the points that its tip can reach. Each solution is "
        "drawn as an arm that reaches the target, a draggable dot."
    )
    question = "Where do the two arms become one?"
    answer = (
        "On the two edges of the ring: the arm is outstretched on the outer edge and folded on the inner one. There "
        "q₂ is 0° or 180°, and −q₂ is the same angle. If L₂ = 1 m, the inner edge is a single point, the base, where "
        "every q₁ is a solution."
    )

    def __init__(self, **values: float) -> None:
        """Create the figure; see `LiveFigure` for the arguments."""
        super().__init__(CONTROLS, script(), values, {"length_1": LENGTH_1})

    @property
    def facts(self) -> dict[str, float]:
        """The numbers, and the distance of the target outside the inner and inside the outer edge, m."""
        distance, edges = hypot(self.x, self.y), (abs(LENGTH_1 - self.length_2), LENGTH_1 + self.length_2)
        return {**super().facts, "inner": distance - edges[0], "outer": edges[1] - distance}
