"""Closed loops of bdsim blocks: poses, inverse kinematics, joints, forward kinematics, and the error of the tip.

The diagram is that of MathWorks' example of tracing an end effector in Simulink, with the blocks of
`lessons_lib.blocks`. bdsim finds them by the name of this package; nothing here imports them.

    POSESOURCE ──→ DAMPEDLEASTSQUARESIK ──→ joints ──┬──→ FORWARDKINEMATICS ──→ POSEERROR ──→ SCOPE
         │                 ↑ InitialGuess            │                             ↑
         │                 └─────────────────────────┘                             │
         └─────────────────────────────────────────────────────────────────────────┘

The joints lag behind (continuous time), or follow one sample later (discrete time). A third loop has no IK block: the
tip's error, times a gain, is a velocity, and DIFFERENTIALIK makes joint rates of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Chain
from lessons_lib.studies.simulation import Run, simulate, simulator

__all__ = [
    "sampled_joints",
]

Poses = Callable[[float], Array] | ArrayLike

EQUAL = np.ones(6)
"""Weights (ω, v) on the IK block's second port."""


def lagging_joints(
    chain: Chain,
    poses: Poses,
    q0: ArrayLike,
    *,
    interval: float = 1.0,
    duration: float | None = None,
    lag: float = 0.05,
    sample: float = 0.02,
    **solver: Any,
) -> Run:
    """Return the run of the loop in continuous time, each joint a servo: q̇ = (command − q)/lag.

    Args:
        chain: The arm.
        poses: T_sd, shape (k, 4, 4), each held for the interval, or a function of time in s.
        q0: Where the joints stand at first, shape (n,), rad or m.
        interval: For how long each pose is held, s.
        duration: Of the simulation, s; k intervals when left out.
        lag: Time constant of the joints, s.
        sample: Time between two moments of the run, s.
        **solver: `damping`, `max_iterations`, `tolerance`, `own_guess`, `restarts` of the IK block.

    Raises:
        ConfigurationError: q0 is no configuration of the chain.
        ParameterError: A time is not positive and finite, or a function of time comes without a duration.
        SimulationError: A block refused what it was given.
    """
    start, length = chain.check_configuration(q0), _duration(poses, interval, duration)
    _check_positive(lag=lag, sample=sample)
    sim = simulator()
    bd = sim.blockdiagram()
    joints = bd.INTEGRATOR(x0=start, name="joints")
    ik, watch = _with_ik(bd, chain, poses, interval, joints, solver)
    gap, servo = bd.SUM("+-", name="gap"), bd.GAIN(1.0 / lag, name="servo")
    bd.connect(ik[0], gap[0])
    bd.connect(joints, gap[1])
    bd.connect(gap, servo)
    bd.connect(servo, joints)
    return simulate(sim, bd, length, watch, dt=sample, max_step=lag)  # or bdsim's steps outgrow the lag


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
    """Return the run of the loop in discrete time: the joints stand, one sample later, where the IK block put them.

    Args:
        chain: The arm.
        poses: As in `lagging_joints`.
        q0: As in `lagging_joints`.
        interval: As in `lagging_joints`.
        duration: As in `lagging_joints`.
        rate: Samples a second, Hz.
        **solver: As in `lagging_joints`.

    Raises:
        ConfigurationError: As `lagging_joints`.
        ParameterError: As `lagging_joints`.
        SimulationError: As `lagging_joints`.
    """
    start, length = chain.check_configuration(q0), _duration(poses, interval, duration)
    _check_positive(rate=rate)
    sim = simulator()
    bd = sim.blockdiagram()
    joints = bd.ZOH(bd.clock(rate, unit="Hz"), x0=start, name="joints")
    ik, watch = _with_ik(bd, chain, poses, interval, joints, solver)
    bd.connect(ik[0], joints)
    return simulate(sim, bd, length, watch)


def steered_joints(
    chain: Chain,
    poses: Poses,
    q0: ArrayLike,
    *,
    interval: float = 1.0,
    duration: float | None = None,
    gain: float = 10.0,
    damping: float = 0.05,
    sample: float = 0.02,
) -> Run:
    """Return the run of a loop that steers: q̇ is the damped inverse of the Jacobian times gain · V_b.

    Args:
        chain: The arm.
        poses: As in `lagging_joints`.
        q0: As in `lagging_joints`.
        interval: As in `lagging_joints`.
        duration: As in `lagging_joints`.
        gain: Part of the error that goes in a second, 1/s.
        damping: λ of the DIFFERENTIALIK block.
        sample: As in `lagging_joints`.

    Raises:
        ConfigurationError: As `lagging_joints`.
        ParameterError: As `lagging_joints`.
        SimulationError: As `lagging_joints`.
    """
    start, length = chain.check_configuration(q0), _duration(poses, interval, duration)
    _check_positive(gain=gain, sample=sample)
    sim = simulator()
    bd = sim.blockdiagram()
    joints = bd.INTEGRATOR(x0=start, name="joints")
    _, miss = _with_tip(bd, chain, poses, interval, joints)
    steer, faster = bd.DIFFERENTIALIK(chain, damping=damping, name="steer"), bd.GAIN(float(gain), name="gain")
    bd.connect(miss[0], faster)
    bd.connect(faster, steer[0])
    bd.connect(joints, steer[1])
    bd.connect(steer, joints)
    return simulate(sim, bd, length, {"q": joints, "command": steer, "error": miss[1]}, dt=sample)


def _with_ik(bd: Any, chain: Chain, poses: Poses, interval: float, joints: Any, solver: dict[str, Any]) -> Any:
    """Add the IK block and all that stands around the joints; return it, and what is to be watched."""
    source, miss = _with_tip(bd, chain, poses, interval, joints)
    ik = bd.DAMPEDLEASTSQUARESIK(chain, name="ik", **solver)
    bd.connect(source, ik[0])
    bd.connect(bd.CONSTANT(EQUAL, name="weights"), ik[1])
    bd.connect(joints, ik[2])
    counts = bd.FUNCTION(lambda info: np.array([info["reached"], info["iterations"]]), name="counts")
    bd.connect(ik[1], counts)
    bd.connect(counts, bd.NULL(name="end of counts"))
    bd.connect(miss[0], bd.NULL(name="end of twist"))
    return ik, {"q": joints, "command": ik[0], "error": miss[1], "counts": counts}


def _with_tip(bd: Any, chain: Chain, poses: Poses, interval: float, joints: Any) -> tuple[Any, Any]:
    """Add the source of poses, the tip, its error and a scope; return the source and the error."""
    source = bd.POSESOURCE(poses, interval=interval, name="poses")
    tip, miss = bd.FORWARDKINEMATICS(chain, name="tip"), bd.POSEERROR(name="miss")
    bd.connect(joints, tip)
    bd.connect(tip, miss[0])
    bd.connect(source, miss[1])
    bd.connect(miss[1], bd.SCOPE(vector=2, labels=["angle [rad]", "distance [m]"], name="error of the tip"))
    return source, miss


def _duration(poses: Poses, interval: float, duration: float | None) -> float:
    _check_positive(interval=interval)
    if duration is None:
        if callable(poses):
            raise ParameterError("poses are a function of time; give the duration of the simulation, in s")
        duration = interval * len(poses)  # type: ignore[arg-type]
    _check_positive(duration=duration)
    return float(duration)


def _check_positive(**quantities: Any) -> None:
    for name, value in quantities.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0.0 < value < np.inf:
            raise ParameterError(f"{name} is {value!r}; it is positive and finite")
