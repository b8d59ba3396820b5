"""Lesson 24: a reachability map, the schedule of its steps on lanes and cores, and Amdahl's law."""

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
"""The maximum values of the controls."""

PLACES = np.linspace(0.1, 1.36, 8), np.linspace(0.89, -1.09, 12)
"""The x of the UR10's hand, and its z from top to bottom, in m; y is zero, and the hand points down."""

SEED = 19
"""The seed for the starts."""


@dataclass(frozen=True)
class Schedule:
    """A batch scheduled on cores and lanes."""

    begins: Array  # start tick of each pose, (k,)
    lanes: Integers  # lane of each pose, numbered through all cores, (k,)
    ends: Array  # tick after which each core is done, (cores,)

    @property
    def ticks(self) -> float:
        """Ticks until the last core is done."""
        return float(self.ends.max())


class LanesFigure(LiveFigure):
    """A map's poses on SIMD lanes, each with its own number of steps; the reached poses, and the speed-up.

    Attributes:
        measured: Measured speed-ups by number of cores.
        most: Largest number of starts per pose.
        lanes: Lanes per core.
        cores: Number of cores that share the batch.
        serial: s, the serial fraction of the time on one core.
        refill: Whether a free lane takes the next pose at once.
    """

    view = "lanes"
    title = "A reachability map, and the time that it takes"
    about = (
        "On the left are a row for each lane and a bar for each pose of the map; the length of a bar is the number of "
        "steps that its pose takes. Where a row is empty, the lane is idle. The first bar, across all rows, is the "
        "serial part. On the right is the map: a position is blue if the hand reaches it, and vermilion if it does "
        "not. Below, the speed-up is plotted against the number of cores, with dots for the counted values and a curve "
        "for Amdahl’s law."
    )
    question = (
        "Give every pose one start, and then more. After how many starts does the map stop changing, and which poses "
        "take most of the time?"
    )
    answer = (
        "With one start the arm reaches 52 of 96 poses, and with three it reaches 61. With eight starts it still "
        "reaches 61, but now the poses that it does not reach take 89 % of all steps. When one of them begins late, it "
        "keeps the other lanes waiting: with four starts, four cores are 2.76 times as fast as one, whereas Amdahl's "
        "law predicts 3.48."
    )

    def __init__(
        self, measured: Mapping[int, float] | Sequence[Sequence[float]] | None = None, **values: float | bool
    ) -> None:
        """Create the figure.

        Args:
            measured: Measured speed-ups by number of cores, or their form in `arguments`.
            **values: Initial values of controls, as in the attributes.

        Raises:
            ParameterError: A name is not that of a control.
        """
        pairs = measured.items() if isinstance(measured, Mapping) else measured or ()
        self.measured = {int(cores): float(gained) for cores, gained in pairs}
        controls: list[Control | Switch] = [
            Control("serial", "serial share", "s", "", 0, 0.9, 0.01, 0.05),
            Control("most", "starts, at most", "", "", 1, MOST_STARTS, 1, 4),
            Control("lanes", "lanes", "", "", 1, MOST_LANES, 1, 4),
            Control("cores", "cores", "p", "", 1, MOST_CORES, 1, 4),
            Switch("refill", "a free lane takes the next pose", True),
        ]
        tries, reached = _tries()
        places = [[x, z] for z in PLACES[1].tolist() for x in PLACES[0].tolist()]
        data = {"tries": tries, "reached": reached, "places": places, "measured": list(self.measured.items())}
        super().__init__(controls, _source(), values, data)

    @property
    def arguments(self) -> dict[str, Any]:
        """The measurements and initial values from which this figure can be created again."""
        return {"measured": [list(pair) for pair in self.measured.items()], **super().arguments}

    @property
    def steps(self) -> Array:
        """Steps of each pose over all of its starts, shape (k,)."""
        return np.array([sum(each[: _whole(self.most)]) for each in _tries()[0]], dtype=np.float64)

    @property
    def reached(self) -> Array:
        """Whether one of its starts reaches each pose, shape (k,), 0 or 1."""
        tries, reached = _tries()
        pairs = zip(tries, reached, strict=True)
        return np.array([last and len(each) <= _whole(self.most) for each, last in pairs], dtype=np.float64)

    def schedule(self, cores: int) -> Schedule:
        """Return the schedule on some cores, each with its part of the batch."""
        steps, width = self.steps, _whole(self.lanes)
        begins, lanes, ends = np.zeros(len(steps)), np.zeros(len(steps), dtype=np.intp), np.zeros(cores)
        for core in range(cores):
            first, last = (len(steps) * edge // cores for edge in (core, core + 1))
            ends[core] = fill_lanes(steps, first, last, width, self.refill, np.zeros(width), begins, lanes)
            lanes[first:last] += core * width
        return Schedule(begins, lanes, ends)

    def busy(self, cores: int) -> float:
        """Return the fraction of lane ticks that are used while the cores share the batch."""
        return float(self.steps.sum() / (cores * _whole(self.lanes) * self.schedule(cores).ticks))

    def time(self, cores: int) -> float:
        """Return the total number of ticks on some cores, including the serial part."""
        alone = self.schedule(1).ticks * self.serial / (1.0 - self.serial)
        return float(alone + self.schedule(cores).ticks)


def _whole(number: float) -> int:
    """Round to the nearest integer, halves up, as the page does."""
    return int(number + 0.5)


@lru_cache(maxsize=1)
def _tries() -> tuple[list[list[int]], list[bool]]:
    """Return for each pose of the map the steps of its starts up to the first success, and whether one succeeds."""
    # a pose that is proven to be out of reach has only the descent from its first start, as in the library
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
    from lessons_lib.course.scaling import amdahl

    s, p = sp.symbols("s p", positive=True)
    inputs = {"share": sp.Matrix([s]), "cores": sp.Matrix([p])}
    kernels = [codegen.Kernel("law_kernel", inputs, {"gained": sp.Matrix([amdahl.speed_up(s, p)])})]
    count = "fill_lanes", native(fill_lanes), ("f1", "i", "i", "i", "b", "f1", "f1", "i1")
    return f"{codegen.source(kernels, 'javascript')}\n{js_plain.source([count])}"
