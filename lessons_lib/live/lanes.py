"""Lesson 19: the steps of a batch counted across lanes and cores, beside Amdahl's law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from lessons_lib import codegen, course, pose_ik, robots
from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.native import native
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.live.control import Control, Switch
from lessons_lib.live.figure import LiveFigure
from lessons_lib.live.lane_schedule import fill_lanes
from lessons_lib.pose_ik.one_pose import solve_in_python

__all__ = ["LanesFigure"]

MOST_POSES, MOST_LANES, MOST_CORES = 64, 8, 8
"""Where the controls end."""

SEED = 19
"""Of the lesson's two thousand poses."""


@dataclass(frozen=True)
class Schedule:
    """A batch laid out over cores and lanes.

    Attributes:
        begins: The tick in which each pose begins, shape (k,).
        lanes: Its lane, counted through all cores, shape (k,).
        ends: The tick after which each core is done, shape (cores,).
    """

    begins: Array
    lanes: Integers
    ends: Array

    @property
    def ticks(self) -> float:
        """Until the last core is done."""
        return float(self.ends.max())


class LanesFigure(LiveFigure):
    """Poses side by side in lanes, each with its own number of steps; how busy the lanes are, and what cores gain.

    Attributes:
        measured: Speed-ups that were measured, by the number of cores.
        poses: How many poses are in the batch.
        lanes: Lanes of a core.
        cores: How many cores share the batch.
        serial: s, the share of the time on one core that no other core can take over.
        refill: Whether a lane that is done takes the next pose at once.
    """

    view = "lanes"
    title = "Lanes, and what is idle"
    about = (
        "A row for each lane and a bar for each pose, as long as the steps that it takes. Where a row is empty, the "
        "lane is idle. A first bar across all rows is the serial part. Below, the speed-up over the cores: dots as "
        "counted, a curve by Amdahl’s law."
    )
    question = (
        "Four cores share 64 poses, and are not four times as fast as one: for what do the lanes wait? Set s = 0: is "
        "it the serial share? Then give each core fewer lanes."
    )
    answer = (
        "64 poses take 85.3 ticks on one core and 33.3 on four: 2.56 times as fast, where the law says 3.48. Each core "
        "has two poses for a lane, and lasts as long as its longest lane while the others wait. So with s = 0 it is "
        "2.79, and not four, which claim 19.6 blames on a serial share. With two lanes a core has eight poses for "
        "each, and it is 3.73."
    )

    def __init__(
        self, measured: Mapping[int, float] | Sequence[Sequence[float]] | None = None, **values: float | bool
    ) -> None:
        """Make the figure.

        Args:
            measured: Speed-ups that were measured, by the number of cores, or what `arguments` holds of them.
            **values: Where controls stand at first, as in the attributes.

        Raises:
            ParameterError: There is no such control.
        """
        pairs = measured.items() if isinstance(measured, Mapping) else measured or ()
        self.measured = {int(cores): float(gained) for cores, gained in pairs}
        controls: list[Control | Switch] = [
            Control("serial", "serial share", "s", "", 0, 0.9, 0.01, 0.05),
            Control("poses", "poses", "k", "", 8, MOST_POSES, 8, MOST_POSES),
            Control("lanes", "lanes", "", "", 1, MOST_LANES, 1, MOST_LANES),
            Control("cores", "cores", "p", "", 1, MOST_CORES, 1, 4),
            Switch("refill", "a lane that is done takes the next pose", True),
        ]
        told = {"steps": _steps(), "measured": list(self.measured.items())}
        super().__init__(controls, _source(), values, told)

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes this figure again: what was measured, and the values it began with."""
        return {"measured": [list(pair) for pair in self.measured.items()], **super().arguments}

    @property
    def steps(self) -> Array:
        """Steps of each pose of the batch, shape (k,)."""
        return np.array(_steps()[: _whole(self.poses)], dtype=np.float64)

    def schedule(self, cores: int) -> Schedule:
        """Return how the batch is laid out over some cores, each with its piece of the batch."""
        steps, width = self.steps, _whole(self.lanes)
        begins, lanes, ends = np.zeros(len(steps)), np.zeros(len(steps), dtype=np.intp), np.zeros(cores)
        for core in range(cores):
            first, last = (len(steps) * edge // cores for edge in (core, core + 1))
            ends[core] = fill_lanes(steps, first, last, width, self.refill, np.zeros(width), begins, lanes)
            lanes[first:last] += core * width
        return Schedule(begins, lanes, ends)

    def busy(self, cores: int) -> float:
        """Return the share of the lanes' ticks in which they work, while the cores share the batch."""
        return float(self.steps.sum() / (cores * _whole(self.lanes) * self.schedule(cores).ticks))

    def time(self, cores: int) -> float:
        """Return all ticks on some cores, those of the serial part among them."""
        alone = self.schedule(1).ticks * self.serial / (1.0 - self.serial)
        return float(alone + self.schedule(cores).ticks)

    def draw(self, figure: Figure) -> None:
        """Draw the lanes, and the speed-up over the cores."""
        rows, curve = figure.subplots(1, 2, width_ratios=(1.2, 1.0))
        cores = _whole(self.cores)
        found, alone = self.schedule(cores), self.time(1) - self.schedule(1).ticks
        course.draw_lanes(rows, self.steps, found.begins, found.lanes, cores * _whole(self.lanes), alone)
        course.draw_speed_up(curve, {f"s = {self.serial:g}": self.serial}, self.measured)


def _whole(number: float) -> int:
    """Return the nearest whole number, of a half the larger, as the page counts."""
    return int(number + 0.5)


@lru_cache(maxsize=1)
def _steps() -> list[int]:
    """Return how many steps the first poses of the lesson take, of those that their first start reaches."""
    arm, rng = robots.ur10(), np.random.default_rng(SEED)
    there, starts = (np.array([arm.random_configuration(rng) for _ in range(2000)]) for _ in range(2))
    once, found = pose_ik.Restarts(0), list[int]()
    for q_d, q_0 in zip(there, starts, strict=True):
        result = solve_in_python(arm, arm.forward_kinematics(q_d), q_0, starts=once)
        found += [result.iterations] if result.converged else []
        if len(found) == MOST_POSES:
            break
    return found


@derived_once
def _source() -> str:
    import sympy as sp

    from lessons_lib.codegen import js_plain
    from lessons_lib.symbolic import amdahl

    s, p, gained = sp.symbols("s p S", positive=True)
    pair, betrayed = {"cores": sp.Matrix([p])}, amdahl.serial_share(gained, p)
    kernels = [
        codegen.Kernel("law_kernel", {"share": sp.Matrix([s]), **pair}, {"gained": sp.Matrix([amdahl.speed_up(s, p)])}),
        codegen.Kernel("share_kernel", {"gained": sp.Matrix([gained]), **pair}, {"share": sp.Matrix([betrayed])}),
    ]
    count = "fill_lanes", native(fill_lanes), ("f1", "i", "i", "i", "b", "f1", "f1", "i1")
    return f"{codegen.source(kernels, 'javascript')}\n{js_plain.source([count])}"
