"""The picture of the solver explorer: the arm on its way on the left, the errors of every iterate on the right."""

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from lessons_lib.arrays import Array
from lessons_lib.plots.arm import ArmArtist, FrameArtist, draw_arm, is_planar
from lessons_lib.plots.convergence import ConvergenceArtist
from lessons_lib.plots.stick_figure import skeleton
from lessons_lib.plots.theme import BLUE, GREEN, GREY, INK, VERMILION, style
from lessons_lib.pose_ik import Result, Stop
from lessons_lib.robots import Chain


class SolverPicture:
    """The artists of one solve: made once, moved at every change."""

    def __init__(self, figure: Figure, chain: Chain, target: Array, stop: Stop) -> None:
        """Fill an empty figure.

        Args:
            figure: Where to draw.
            chain: The arm.
            target: T_sd, shape (4, 4), position in m.
            stop: Its tolerances are drawn beside the errors.
        """
        self._chain, self._skeleton = chain, skeleton(chain)
        with style():
            grid = figure.add_gridspec(1, 2, width_ratios=(1.0, 0.85))
            arms = figure.add_subplot(grid[0], projection=None if is_planar(chain) else "3d")
            curves = figure.add_subplot(grid[1])
            self._trail = _trail(arms)
            self._start = draw_arm(arms, chain, np.zeros(chain.dof), colour=GREY, alpha=0.35, frame=False)
            self._goal = FrameArtist(arms, 0.16 * self._skeleton.reach, linewidth=6.0, alpha=0.35)
            self._goal.update(target)
            self._arm = ArmArtist(arms, chain, colour=INK)
            self._errors = ConvergenceArtist(curves, stop)
            curves.minorticks_off()
            self._text = figure.suptitle(" ", x=0.01, ha="left", fontsize=12)
        self._space = arms.name == "3d"

    def show(self, result: Result, iteration: int) -> None:
        """Show a result that has a trace, at one of its iterates."""
        trace = result.trace
        assert trace is not None  # the explorer asks for it
        self._start.update(trace.q[0])
        self._arm.update(trace.q[iteration])
        self._errors.update(trace, iteration)
        _set_trail(self._trail, [self._skeleton.at(self._chain, q) for q in trace.q], self._space)
        steps = f"{result.iterations} step{'' if result.iterations == 1 else 's'}"
        longest = float(np.abs(np.diff(trace.q, axis=0)).max(initial=0.0))
        verdict = "converged in" if result.converged else f"{result.status.name.lower().replace('_', ' ')} after"
        self.say(f"{verdict} {steps}; longest step of a joint {longest:.2f} rad", good=result.converged)

    @property
    def moving(self) -> list[Artist]:
        """Every artist that a new result changes, from the back to the front."""
        curves = [*self._errors.curves.values(), *self._errors.markers.values()]
        arms = [self._trail, *self._start.artists, *self._goal.artists, *self._arm.artists]
        return [*sorted(arms, key=lambda artist: float(artist.zorder)), *curves, self._text]

    @property
    def text(self) -> str:
        """The line above the picture."""
        return str(self._text.get_text())

    @property
    def tip(self) -> Array:
        """The last corner of the drawn arm, m, shape (2,) or (3,)."""
        links = self._arm.links
        corners = np.array(links.get_data_3d() if self._space else links.get_data())
        last: Array = corners[:, -1]
        return last

    def say(self, text: str, good: bool) -> None:
        """Write a line above the picture."""
        self._text.set_text(text)
        self._text.set_color(GREEN if good else VERMILION)


def _trail(ax: Any) -> Any:
    nothing: tuple[list[float], ...] = ([], [], []) if ax.name == "3d" else ([], [])
    return ax.plot(*nothing, color=BLUE, linewidth=1.2, alpha=0.35, zorder=2)[0]


def _set_trail(line: Any, arms: list[Array], space: bool) -> None:
    """Draw all iterates as one line that is broken between them."""
    gap = np.full((1, 3), np.nan)
    points = np.concatenate([part for corners in arms for part in (corners, gap)])
    if space:
        line.set_data_3d(*points.T)
    else:
        line.set_data(*points.T[:2])
