"""Ask the tip for a velocity, and see which of the joint rates that are allowed comes nearest to it."""

from typing import Any

import ipywidgets as widgets
import numpy as np

from lessons_lib import plots
from lessons_lib.arrays import Array
from lessons_lib.plots.feasible import FeasibleArtist
from lessons_lib.plots.lesson_16 import VelocitiesArtist, WallArtist
from lessons_lib.plots.theme import INK, VERMILION
from lessons_lib.robots import planar_2r
from lessons_lib.studies.tip_velocity import TipProgram, tip_program
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

SPAN = 4.2
"""Half a side of the page of joint rates, rad/s."""

SHOULDER = np.radians(130.0)
"""The first joint, which no slider moves, rad."""

MISS = 5e-4
"""A velocity missed by less is written as reached, m/s."""


class LimitExplorer(Explorer):
    """The planar arm below a wall, and its joint rates: what is asked, what clipping does, and what is best.

    Attributes:
        direction: Where the tip should go, degrees from the x-axis.
        speed: How fast, m/s.
        elbow: The second joint, degrees; so far from 0 and 180 that every direction can be had.
        gap: How far the wall is above the tip, m.
        program: The `TipProgram` that is drawn.
        best: Its solution, shape (2,), rad/s.
        multipliers: One for each of its rows, shape (9,).
    """

    caption = (
        "The tip's velocity and the joint rates: asked (green), clipped (purple), best (blue). "
        "Allowed rates are shaded; red edges hold the best. The wall stops the tip alone."
    )

    def __init__(self) -> None:
        """Make the sliders and the picture."""
        looks: dict[str, Any] = {"style": {"description_width": "110px"}, "layout": widgets.Layout(width="340px")}
        self.direction = GridSlider(0.0, -180.0, 180.0, 5.0, description="direction [°]", **looks)
        self.speed = GridSlider(1.0, 0.0, 2.0, 0.1, description="speed [m/s]", **looks)
        self.elbow = GridSlider(30.0, 20.0, 160.0, 5.0, description="q2 [°]", **looks)
        self.gap = GridSlider(0.05, 0.0, 1.0, 0.01, description="to the wall [m]", **looks)
        columns = [widgets.VBox([self.direction, self.speed]), widgets.VBox([self.elbow, self.gap])]
        super().__init__([widgets.HBox(columns, layout=widgets.Layout(flex_flow="row wrap"))], size=(7.6, 4.1))
        self._draw()
        self.redraw()

    @property
    def q(self) -> Array:
        """The configuration, shape (2,), rad."""
        return np.array([SHOULDER, np.radians(self.elbow.value)])

    @property
    def velocity(self) -> Array:
        """What is asked of the tip, m/s, shape (2,)."""
        angle = np.radians(self.direction.value)
        asked: Array = self.speed.value * np.array([np.cos(angle), np.sin(angle)])
        return asked

    @property
    def message(self) -> str:
        """The line above the picture: what holds the solution, and by how much it misses what was asked."""
        return str(self._text.get_text())

    def paint(self) -> None:
        """Solve the program of the sliders, and draw it."""
        tip = planar_2r().forward_kinematics(self.q)[:2, 3]
        height = float(tip[1]) + self.gap.value
        self.program = tip_program(self.q, self.velocity, wall=height)
        self.best, self.multipliers = self.program.solve()
        self._arm.update(self.q)
        self._wall.update(height)
        J, clipped = self.program.jacobian, self.program.clipped
        self._arrows.update(tip, self.velocity, J @ clipped, J @ self.best)
        self._rates.update(self.program.objective, self.program.rows, self.best, self.multipliers, clipped)
        self._say(self.program, float(np.linalg.norm(J @ self.best - self.velocity)))

    def _say(self, program: TipProgram, miss: float) -> None:
        """Write the line above the picture."""
        held = " and ".join(program.active(self.multipliers))
        if miss < MISS:
            self._text.set(text="all that is asked is allowed", color=INK)
        else:
            self._text.set(text=f"held by {held}: off by {miss:.2f} m/s", color=VERMILION)

    def _draw(self) -> None:
        """Make the artists."""
        with plots.style():
            grid = self.figure.add_gridspec(1, 2, width_ratios=(1.0, 1.0))
            arms, rates = self.figure.add_subplot(grid[0]), self.figure.add_subplot(grid[1])
            self._arm = plots.draw_arm(arms, planar_2r(), self.q, frame=False)
            arms.set(xlim=(-2.6, 0.9), ylim=(-1.3, 2.2))
            self._wall = WallArtist(arms)
            self._arrows = VelocitiesArtist(arms)
            self._rates = FeasibleArtist(rates, SPAN)
            self._text = self.figure.suptitle(" ", x=0.01, ha="left", fontsize=12)
        self.moving = [
            self._wall.body,
            *self._arm.artists,
            *self._arrows.arrows,
            *self._rates.artists,
            self._text,
        ]
