"""Lesson 24: a map of reach, its steps counted across lanes and cores, beside Amdahl's law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib import codegen, pose_ik, robots
from lessons_lib.arrays import Array, Integers
from lessons_lib.codegen.native import native
from lessons_lib.codegen.scripts import derived_once
from lessons_lib.course.live.control import Control, Switch
from lessons_lib.course.live.figure import LiveFigure
from lessons_lib.course.scaling.lane_schedule import fill_lanes

__all__ = ["LanesFigure"]

MOST_STARTS, MOST_LANES, MOST_CORES = 8, 8, 8
"""Where the controls end."""

PLACES = np.linspace(0.1, 1.36, 8), np.linspace(0.89, -1.09, 12)
"""Where the map asks for the UR10's hand, pointing down: x and, from the top, z, in m; y is zero."""

SEED = 19
"""Of the starts."""


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
    """A map's poses side by side in lanes, each with its own number of steps; what is reached, and what cores gain.

    Attributes:
        measured: Speed-ups that were measured, by the number of cores.
        most: How many starts a pose has, at most.
        lanes: Lanes of a core.
        cores: How many cores share the batch.
        serial: s, the share of the time on one core that no other core can take over.
        refill: Whether a lane that is done takes the next pose at once.
    """

    view = "lanes"
    title = "A map of reach, and what it takes"
    about = (
        "Left, a row for each lane and a bar for each pose of the map, as long as the steps that it takes. Where a row "
        "is empty, the lane is idle. A first bar across all rows is the serial part. Right, the map: a place is blue "
        "when the hand reaches it, vermilion when its starts are used up. Below, the speed-up over the cores: dots as "
        "counted, a curve by Amdahl’s law."
    )
    question = (
        "Let every pose have one start, and then more: when does the map no longer change, and which poses take the "
        "time? Four cores are not four times as fast: for whom do they wait?"
    )
    answer = (
        "One start reaches 52 of 96 poses, three reach 61, and eight no more: the others then take 89 % of all steps. "
        "With four starts the map takes 607.4 ticks on one core and 270.4 on four: 2.25 times as fast, where the law "
        "says 3.48. What is out of reach lies together, and the cores that have it keep the others waiting. So with "
        "s = 0 it is 2.40, and not four, which claim 24.6 blames on a serial share."
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
            Control("most", "starts, at most", "", "", 1, MOST_STARTS, 1, 4),
            Control("lanes", "lanes", "", "", 1, MOST_LANES, 1, 4),
            Control("cores", "cores", "p", "", 1, MOST_CORES, 1, 4),
            Switch("refill", "a lane that is done takes the next pose", True),
        ]
        tries, reached = _tries()
        places = [[x, z] for z in PLACES[1].tolist() for x in PLACES[0].tolist()]
        told = {"tries": tries, "reached": reached, "places": places, "measured": list(self.measured.items())}
        super().__init__(controls, _source(), values, told)

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes this figure again: what was measured, and the values it began with."""
        return {"measured": [list(pair) for pair in self.measured.items()], **super().arguments}

    @property
    def steps(self) -> Array:
        """Steps of each pose in all of its starts, shape (k,)."""
        return np.array([sum(each[: _whole(self.most)]) for each in _tries()[0]], dtype=np.float64)

    @property
    def found(self) -> Array:
        """Which poses one of their starts reaches, shape (k,), 0 or 1."""
        tries, reached = _tries()
        pairs = zip(tries, reached, strict=True)
        return np.array([last and len(each) <= _whole(self.most) for each, last in pairs], dtype=np.float64)

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


def _whole(number: float) -> int:
    """Return the nearest whole number, of a half the larger, as the page counts."""
    return int(number + 0.5)


@lru_cache(maxsize=1)
def _tries() -> tuple[list[list[int]], list[bool]]:
    """Return of each pose of the map the steps of its starts, to the first that reaches it, and whether one does.

    A pose that is proven to be out of reach has one start, as in the library.
    """
    arm, rng = robots.ur10(), np.random.default_rng(SEED)
    q_0 = np.array([arm.random_configuration(rng) for _ in range(MOST_STARTS * PLACES[0].size * PLACES[1].size)])
    target, once = np.diag([1.0, -1.0, -1.0, 1.0]), pose_ik.Restarts(0)
    tries, reached = list[list[int]](), list[bool]()
    for pose, (z, x) in enumerate((z, x) for z in PLACES[1] for x in PLACES[0]):
        target[[0, 2], 3] = x, z
        steps, hit = list[int](), False
        for start in q_0[pose * MOST_STARTS : (pose + 1) * MOST_STARTS]:
            result = pose_ik.solve(arm, target, start, starts=once)
            steps.append(result.iterations)
            hit = result.converged
            if hit or result.status is pose_ik.Status.UNREACHABLE:
                break
        tries.append(steps)
        reached.append(hit)
    return tries, reached


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
