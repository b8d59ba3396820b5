"""Why a pose was not reached, of any result."""

from __future__ import annotations

from numpy.typing import ArrayLike

from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.arguments import check_target
from lessons_lib.pose_ik.causes.explanation import Explanation
from lessons_lib.pose_ik.causes.order import explained
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.one_pose import solve
from lessons_lib.pose_ik.result import Result
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.robots import Chain


def explain(
    arm: Chain,
    target: ArrayLike,
    result: Result,
    *,
    goal: Goal | None = None,
    method: Stepping | None = None,
    stop: Stop | None = None,
) -> Explanation:
    """Return why a solve did not reach a pose: causes in order, each with the number that shows it, or none.

    `result.explain()` asks the same of what `solve` returned; this serves a row of a batch. Some hundredths of a second
    at most, warm. Causes that leave no other way are proven and come first; of the others only what is established is
    named. Of a goal that leaves components out it is not known whether all configurations were seen.

    Args:
        arm: The arm.
        target: T_sd, shape (4, 4), position in m.
        result: What was returned for this target.
        goal: As in `solve`.
        method: As in `solve`.
        stop: As in `solve`.

    Raises:
        TransformError: The target is not a pose.
        ParameterError: Another argument is not what it should be.
    """
    if not isinstance(result, Result):
        raise ParameterError(f"result is a {type(result).__name__}; it is what pose_ik.solve returned")
    return explained(solve, arm, check_target(target), goal, method, stop, result)
