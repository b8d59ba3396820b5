"""Steps that end at a joint's limit: what is held there, and where a joint stops on its way out.

A joint whose range covers a whole period needs none of this: some revolution always brings it back. `joints` is that
of joint_ranges.py.
"""

from __future__ import annotations

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import FLAT, LOWER, PERIOD, UPPER


def covers_period(lower: float, upper: float, period: float) -> bool:
    """Return whether a joint can come back from anywhere by whole revolutions."""
    return period > 0.0 and upper - lower >= period


def hold(A: Array, e: Array, q: Array, joints: Array, held: Array) -> bool:
    """Write 1 for each joint that stands at a limit and would leave it downhill, 0 for the others.

    The error ½|e|², with e - A d after a step d, falls along Aᵀe. This is the active set of a projected gradient.

    Returns:
        Whether no joint that is free lowers the error: e is orthogonal to its column of A, to FLAT.

    Source: Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J. Control
    Optim. 20 (1982), with the whole of each limit's neighbourhood shrunk to the limit itself.
    """
    flat, square = True, 0.0
    for row in range(6):
        square += e[row] * e[row]
    for i in range(q.shape[0]):
        downhill, length = 0.0, 0.0
        for row in range(6):
            downhill += A[row, i] * e[row]
            length += A[row, i] * A[row, i]
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        out = (q[i] >= upper and downhill > 0.0) or (q[i] <= lower and downhill < 0.0)
        held[i] = 1.0 if out and not covers_period(lower, upper, joints[i, PERIOD]) else 0.0
        if held[i] == 0.0 and downhill * downhill > FLAT * FLAT * length * square:
            flat = False
    return flat


def hold_more(q: Array, step: Array, joints: Array, held: Array) -> bool:
    """Hold the free joints that stand at a limit and that a step would take out of it; return whether there are any.

    Downhill for a joint alone need not be where a step of all takes it. Stopped, it would spoil the step of the others.
    """
    more = False
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        out = (q[i] >= upper and step[i] > 0.0) or (q[i] <= lower and step[i] < 0.0)
        if out and held[i] == 0.0 and not covers_period(lower, upper, joints[i, PERIOD]):
            held[i], more = 1.0, True
    return more


def stop_at_limits(q: Array, step: Array, joints: Array, ahead: Array) -> None:
    """Write q + step into `ahead`, each joint stopped at the limit that it would pass, and shorten the step to that."""
    for i in range(q.shape[0]):
        lower, upper = joints[i, LOWER], joints[i, UPPER]
        ahead[i] = q[i] + step[i]
        if not covers_period(lower, upper, joints[i, PERIOD]) and not (lower <= ahead[i] and ahead[i] <= upper):
            if ahead[i] > upper:  # and not NaN, which stays what it is
                ahead[i] = upper
            elif ahead[i] < lower:
                ahead[i] = lower
            step[i] = ahead[i] - q[i]


def has_limits_to_stop_at(joints: Array) -> bool:
    """Return whether a joint of the chain can be stopped at all."""
    for i in range(joints.shape[0]):
        if not covers_period(joints[i, LOWER], joints[i, UPPER], joints[i, PERIOD]):
            return True
    return False
