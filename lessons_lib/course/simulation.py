"""Run a diagram of bdsim blocks without a window, and record its signals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import Array, Integers, ReadOnly
from lessons_lib.errors import LessonsError

__all__ = [
    "simulate",
    "simulator",
]


BLOCKS = frozenset({"POSESOURCE", "DAMPEDLEASTSQUARESIK", "DIFFERENTIALIK", "FORWARDKINEMATICS", "POSEERROR"})
"""The blocks of this library by their names in a diagram."""


class SimulationError(LessonsError):
    """A diagram could not be compiled, or a block failed; the message is the block's own."""


@dataclass(frozen=True, eq=False, repr=False)
class Run(ReadOnly):
    """Recorded signals of a simulation, one row per time; all arrays are read-only."""

    t: Array  # (m,), s
    q: Array  # joint positions, (m, n), rad or m
    command: Array  # joint commands, (m, n): positions, rad or m, or velocities
    error: Array  # angle and distance from the tip to the current target pose, (m, 2), rad and m
    reached: NDArray[np.bool_] | None = None  # whether the IK block reached the pose; None without such a block
    iterations: Integers | None = None  # steps of the IK block

    def error_at(self, moments: ArrayLike) -> Array:
        """Return the errors at the last recorded time up to each of some times [s], shape (k, 2)."""
        rounding = 1e-9  # [s] bdsim counts clock ticks in whole nanoseconds
        places = np.searchsorted(self.t, np.asarray(moments, dtype=np.float64) + rounding, side="right") - 1
        return self.error[np.maximum(places, 0)]


def simulator() -> Any:
    """Return a bdsim without graphics that knows this library's blocks.

    bdsim reads its block libraries once per process; if another BDSim was created first, they are read again.
    """
    from bdsim import BDSim

    quiet = {"sysargs": False, "graphics": False, "progress": False, "quiet": True, "hold": False}
    sim = BDSim(packages=__package__.partition(".")[0], toolboxes=False, banner=False, **quiet)
    if not set(sim.block_library) >= BLOCKS:
        BDSim._blocklibrary = sim.load_blocks(verbose=False, toolboxes=False)
    return sim


def simulate(sim: Any, bd: Any, duration: float, watch: dict[str, Any], **times: float) -> Run:
    """Compile and simulate a diagram.

    Args:
        sim: Simulator from `simulator`.
        bd: Diagram.
        duration: Duration of the simulation, s.
        watch: Ports to record: "q", "command" and "error", and "counts" (reached, iterations) of an IK block.
        **times: `dt` and `max_step` of `BDSim.run`, s.

    Raises:
        SimulationError: The diagram could not be compiled, or a block failed.
    """
    try:
        bd.compile()
        out = sim.run(bd, T=duration, watch=list(watch.values()), **times)
    except (RuntimeError, AssertionError) as error:  # bdsim checks diagrams by assertions
        raise SimulationError(f"the simulation failed: {error.__cause__ or error}") from (error.__cause__ or error)
    joints = (out.y.shape[1] - 2 * (len(watch) - 2)) // 2  # q and command have as many columns as there are joints
    widths = {"q": joints, "command": joints, "error": 2, "counts": 2}
    columns = np.split(out.y.astype(np.float64), np.cumsum([widths[name] for name in watch])[:-1], axis=1)
    signals = {name: column.copy() for name, column in zip(watch, columns, strict=True)}
    counts = signals.pop("counts", None)
    if counts is None:
        return Run(np.array(out.t, dtype=np.float64), **signals)
    reached, iterations = counts[:, 0] == 1.0, counts[:, 1].astype(np.int64)
    return Run(np.array(out.t, dtype=np.float64), **signals, reached=reached, iterations=iterations)
