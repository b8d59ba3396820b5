"""A closed loop of bdsim blocks: target poses, inverse kinematics, joints, forward kinematics, tip error."""
# The diagram is that of MathWorks' example of tracing an end effector in Simulink, with the blocks of
# `lessons_lib.blocks`; bdsim finds them by the name of this package. The page *From here on* builds one with lagging
# joints. POSESOURCE → DAMPEDLEASTSQUARESIK (InitialGuess: the joints) → joints → FORWARDKINEMATICS → POSEERROR (to
# POSESOURCE) → SCOPE

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, is_real
from lessons_lib.course.simulation import Run, simulate, simulator
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Chain

__all__ = [
    "sampled_joints",
]

Poses = Callable[[float], Array] | ArrayLike


def sampled_joints(
    chain: Chain,
    poses: Poses,
    q0: ArrayLike,
    *,
    interval: float = 1.0,
    duration: float | None = None,
    rate: float = 100.0,
    **solver: Any,
) -> Run:
    """Simulate the loop in discrete time: one sample later, the joints are where the IK block put them.

    Args:
        chain: The arm.
        poses: T_sd, shape (k, 4, 4), each held for the interval, or a function of time in s.
        q0: Initial configuration, shape (n,), rad or m.
        interval: Duration of each pose, s.
        duration: Duration of the simulation, s; by default k intervals.
        rate: Sampling rate, Hz.
        **solver: `damping`, `max_iterations`, `tolerance`, `own_guess`, `restarts` of the IK block.

    Raises:
        ConfigurationError: q0 is not a configuration of the chain.
        ParameterError: A time is not positive and finite, or a function of time comes without a duration.
        SimulationError: A block raised an error.
    """
    start = chain.check_configuration(q0)
    _check_positive(interval=interval, rate=rate)
    if duration is None:
        if callable(poses):
            raise ParameterError("duration must be given in s if poses is a function of time")
        duration = interval * len(poses)  # type: ignore[arg-type]
    _check_positive(duration=duration)
    sim = simulator()
    bd = sim.blockdiagram()
    joints = bd.ZOH(bd.clock(rate, unit="Hz"), x0=start, name="joints")
    source, ik = bd.POSESOURCE(poses, interval=interval, name="poses"), bd.DAMPEDLEASTSQUARESIK(chain, **solver)
    tip, miss = bd.FORWARDKINEMATICS(chain, name="tip"), bd.POSEERROR(name="miss")
    counts = bd.FUNCTION(lambda info: np.array([info["reached"], info["iterations"]]), name="counts")
    scope = bd.SCOPE(vector=2, labels=["angle [rad]", "distance [m]"], name="error of the tip")
    into_ik = (source, ik[0]), (bd.CONSTANT(np.ones(6), name="weights"), ik[1]), (joints, ik[2])
    around = (ik[0], joints), (joints, tip), (tip, miss[0]), (source, miss[1]), (miss[1], scope)
    ends = (miss[0], bd.NULL(name="end of twist")), (ik[1], counts), (counts, bd.NULL(name="end of counts"))
    for begin, end in (*into_ik, *around, *ends):
        bd.connect(begin, end)
    return simulate(sim, bd, float(duration), {"q": joints, "command": ik[0], "error": miss[1], "counts": counts})


def _check_positive(**quantities: Any) -> None:
    for name, value in quantities.items():
        if not is_real(value) or not 0.0 < value < np.inf:
            raise ParameterError(f"{name} must be positive and finite, got {value!r}")
