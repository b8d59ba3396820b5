"""The readable loop: evaluate, check convergence, step, again. The compiled loop does the same arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError, TransformError
from lessons_lib.lie import adjoint, inverse, log_se3
from lessons_lib.pose_ik import split_kernels
from lessons_lib.pose_ik.axes import Axes
from lessons_lib.pose_ik.clamped_steps import hold, hold_more, stop_at_limits
from lessons_lib.pose_ik.layout import STALL
from lessons_lib.pose_ik.methods import FRAMES, Stepping
from lessons_lib.pose_ik.result import Status, Trace
from lessons_lib.pose_ik.steps import Steps, steps_of
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain


@dataclass(frozen=True)
class Iterate:
    """A configuration, and what is evaluated there.

    Attributes:
        q: Configuration, shape (n,), rad or m.
        error_twist: V_b = log(T_sb⁻¹ T_sd), shape (6,), (ω, v) in rad and m; the split error of a method that takes it.
        jacobian: J_b, or J_s for a method of the space frame, shape (6, n); the split error's A, e(q + d) ≈ e − A d.
        error: V_b, or V_s = Ad(T_sb) V_b, or the split error: in the same frame as the Jacobian, shape (6,).
    """

    q: Array
    error_twist: Array
    jacobian: Array
    error: Array


@dataclass
class Run:
    """The iteration from one start: its iterates in order, the damping and the fate of each step, and how it ended."""

    iterates: list[Iterate]
    damping: list[float] = field(default_factory=list)
    accepted: list[bool] = field(default_factory=list)
    status: Status = Status.NOT_FINITE

    @property
    def steps(self) -> int:
        """Number of steps tried."""
        return len(self.accepted)

    def note(self, here: Iterate, damping: float, accepted: bool) -> None:
        """Write one step down."""
        self.iterates.append(here)
        self.damping.append(damping)
        self.accepted.append(accepted)

    def ended(self, status: Status) -> Run:
        """Return the run with its status."""
        self.status = status
        return self

    def trace(self) -> Trace:
        """Return the iterates as arrays."""
        return Trace.of(
            np.array([here.q for here in self.iterates]),
            np.array([here.error_twist for here in self.iterates]),
            np.array(self.damping, dtype=np.float64),
            np.array(self.accepted, dtype=np.bool_),
        )


def evaluate(chain: Chain, target: Array, q: Array, frame: str | Axes = "body", split: bool = False) -> Iterate:
    """Evaluate error and Jacobian at q.

    The split error is e = (ω, r) with ω = log(RᵀR_d) and r = p_d − p, both along the axes of `frame`. Its components
    are rotations about these axes and distances along them, whatever the others are, and A is its exact derivative.

    Args:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        q: Configuration, shape (n,), rad or m.
        frame: "body" or "space", the frame of the Jacobian and of the error that goes with it; for the split error
            also "target" or `Axes`.
        split: Whether to take the split error, as the methods do that leave components out.
    """
    if frame not in ((*FRAMES, "target") if split else FRAMES) and not (split and isinstance(frame, Axes)):
        also = ", with split=True also 'target'" if frame == "target" else ""
        raise ParameterError(f"frame is {frame!r}; valid are 'body' and 'space'{also}")
    T_sb = chain.forward_kinematics(q)
    J_b = chain.body_jacobian(q)
    T_bd = inverse(T_sb) @ target
    V_b = log_se3(T_bd)
    if split:
        e, L = split_kernels.split(V_b, T_bd, target, frame)
        return Iterate(q, e, L @ J_b, e)
    if frame == "space":
        return Iterate(q, V_b, adjoint(T_sb) @ J_b, adjoint(T_sb) @ V_b)
    return Iterate(q, V_b, J_b, V_b)


@np.errstate(over="ignore", invalid="ignore")
def iterate(
    chain: Chain,
    target: Array,
    start: Array,
    method: Stepping,
    stop: Stop,
    joints: Array | None = None,
    over: Callable[[], bool] = lambda: False,
) -> Run:
    """Take steps from one start until the pose is reached or one of the bounds on the work is.

    With `joints` the steps stop at the limits: a joint that stands at one and would leave it is held, the step is that
    of the others, and a joint that would pass its limit stays on it. The run also ends where that lowers no error.

    Args:
        chain: The arm.
        target: T_sd, shape (4, 4), position in m.
        start: Configuration to begin at, shape (n,), rad or m.
        method: What turns a Jacobian and an error into a step.
        stop: The stopping rule.
        joints: The limits at which to stop, as `Arm.joints` has them; None to step through them.
        over: Asked before each step whether to end there, out of time.
    """
    steps = steps_of(method)
    here = evaluate_if_finite(chain, target, start, steps)
    if here is None:
        return Run([Iterate(start, np.full(6, np.inf), np.zeros((6, chain.dof)), np.zeros(6))])
    run, stalled = Run([here]), False
    while not stop.reached(here.error_twist, steps.counted):
        if stalled:
            return run.ended(Status.STALLED)
        if run.steps == stop.max_iterations:
            return run.ended(Status.MAX_ITERATIONS)
        if over():
            return run.ended(Status.OUT_OF_TIME)
        free, held = here.jacobian, np.zeros(chain.dof)
        if joints is not None:
            if hold(*steps.model(here.jacobian, here.error), here.q, joints, held):
                return run.ended(Status.STALLED)
            free = np.where(held > 0.0, 0.0, here.jacobian)
        damping, step = steps.damping_value(free, here.error), steps.propose(free, here.error)
        while joints is not None and hold_more(here.q, step, joints, held):
            free = np.where(held > 0.0, 0.0, here.jacobian)
            step = steps.propose(free, here.error)
        there = here.q + step
        if joints is not None:
            stop_at_limits(here.q, step, joints, there)
        ahead = evaluate_if_finite(chain, target, there, steps)
        if ahead is None:
            run.note(here, damping, False)
            return run.ended(Status.NOT_FINITE)
        stalled = np.max(np.abs(step)) <= STALL * max(1.0, np.max(np.abs(here.q)))
        accepted = steps.accepts(free, here.error, step, ahead.error)
        here = ahead if accepted else here
        run.note(here, damping, accepted)
    return run.ended(Status.CONVERGED)


def evaluate_if_finite(chain: Chain, target: Array, q: Array, steps: Steps) -> Iterate | None:
    """Evaluate what a method needs at q; None where that is no longer finite."""
    if not np.isfinite(q).all():
        return None
    try:
        ahead = evaluate(chain, target, q, steps.frame, steps.split)
    except TransformError:  # the tip is so far away that its pose overflows
        return None
    return ahead if np.isfinite(np.sum(ahead.jacobian**2) + np.sum(ahead.error**2)) else None
