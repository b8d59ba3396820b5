"""Follow a row of poses, each from the configuration before it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib import lie, pose_ik
from lessons_lib.errors import ParameterError
from lessons_lib.robots import Chain
from lessons_lib.trajectories.path import Path
from lessons_lib.trajectories.turns import nearest_turns
from lessons_lib.trajectories.waypoints import check_waypoints

Array = NDArray[np.float64]

CHOICES = ("stop", "skip", "go on")
"""What to do when a waypoint is not reached."""


def trace(
    chain: Chain,
    waypoints: ArrayLike | Iterable[ArrayLike],
    q0: ArrayLike | None = None,
    *,
    on_failure: str = "stop",
    warm: bool = True,
    rng: np.random.Generator | None = None,
    progress: bool = False,
    **how: Any,
) -> Path:
    """Return a configuration for each waypoint, each solved from the one before it.

    A waypoint is not reached where `pose_ik.solve` does not converge. That is a status, never an exception, and
    everything traced so far is in the path that comes back; `print(path)` shows the account.

    Args:
        chain: The arm.
        waypoints: Poses T_sd, shape (k, 4, 4), k ≥ 1, or any finite row of poses; position in m. All are checked
            before the first is solved.
        q0: Where the arm stands, within the limits, shape (n,), rad or m; zero, clipped into the limits, if left out.
        on_failure: When a waypoint is not reached: "stop" leaves the rest untried, "skip" goes to the next one from
            the last that was reached, "go on" goes to the best configuration that was seen and on from there.
        warm: Whether each waypoint starts from the configuration before it; otherwise all start from q0.
        rng: Where the seeds of random restarts are drawn from, one integer a waypoint; as in `pose_ik.solve`.
        progress: Whether to show a progress bar on stderr.
        **how: `method`, `stop`, `initial`, `compiled`: see `pose_ik.solve`.

    Returns:
        The path. Each joint of a solution is turned by whole turns to where it is nearest to the configuration before,
        as far as its limits allow, and the errors are those of the configuration so turned.

    Raises:
        TransformError: There is no waypoint, or one is not a pose, NaN among them; the message names it.
        ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        ParameterError: Another argument is not what it should be.
    """
    if on_failure not in CHOICES:
        raise ParameterError(f"on_failure is {on_failure!r}; valid are {', '.join(map(repr, CHOICES))}")
    if "trace" in how:
        raise ParameterError("trace=… is of pose_ik.solve; a path keeps one configuration a waypoint, not each iterate")
    if not isinstance(chain, Chain):
        raise ParameterError(f"chain is a {type(chain).__name__}; make one with robots.ur10(), robots.from_screws(), …")
    poses = check_waypoints(waypoints)
    start = _start(chain, q0)
    here, found = start, []
    for pose in _watched(poses, progress):
        result = _solve(chain, pose, here, here if warm else start, rng, how)
        found.append(result)
        if result.converged or on_failure == "go on":
            here = result.q
        elif on_failure == "stop":
            break
    return _path(chain, start, poses, found, on_failure)


def _start(chain: Chain, q0: ArrayLike | None) -> Array:
    if q0 is None:
        return np.clip(np.zeros(chain.dof), *chain.limits.T)
    return chain.check_within_limits(q0)


def _watched(poses: Array, progress: bool) -> Iterable[Array]:
    if not progress:
        return poses
    from tqdm import tqdm

    bar: Iterable[Array] = tqdm(poses, desc="tracing", unit="pose")
    return bar


def _solve(
    chain: Chain, pose: Array, here: Array, start: Array, rng: np.random.Generator | None, how: dict[str, Any]
) -> pose_ik.Result:
    """Return the answer to one waypoint, its joints turned to where they are nearest to `here`."""
    result = pose_ik.solve(chain, pose, start, rng=rng, **how)
    q = nearest_turns(chain, result.q, here)
    if (q == result.q).all():
        return result
    error_twist = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ pose)
    angle, distance = (float(np.linalg.norm(part)) for part in (error_twist[:3], error_twist[3:]))
    return pose_ik.Result(
        q, result.status, result.converged, result.iterations, result.restarts, angle, distance, result.trace
    )


def _path(chain: Chain, start: Array, poses: Array, found: list[pose_ik.Result], on_failure: str) -> Path:
    """Return the answers as a path, with nothing known of the waypoints that were not tried."""
    rest = len(poses) - len(found)

    def filled(values: list[Any], empty: Any, dtype: Any) -> Any:
        return np.array(values + [empty] * rest, dtype=dtype)

    reached = filled([result.converged for result in found], False, np.bool_)
    tried = np.arange(len(poses)) < len(found)
    return Path(
        chain=chain,
        start=start,
        waypoints=poses,
        q=filled([result.q for result in found], np.full(chain.dof, np.nan), np.float64),
        status=filled([result.status for result in found], None, np.object_),
        reached=reached,
        on_path=tried if on_failure == "go on" else reached.copy(),
        iterations=filled([result.iterations for result in found], 0, np.int64),
        restarts=filled([result.restarts for result in found], 0, np.int64),
        orientation_error=filled([result.orientation_error for result in found], np.nan, np.float64),
        position_error=filled([result.position_error for result in found], np.nan, np.float64),
    )
