"""Methods that run in Python, because compiled code supports only the library's classes, and comparisons of results."""

from dataclasses import fields
from typing import Any

import numpy as np

from lessons_lib.pose_ik import Goal, LevenbergMarquardt, Method, Result, pose, solve
from lessons_lib.pose_ik.goal import WeightedMethod
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain
from lessons_lib.trajectories import Path


class _Own(Method):
    pass


class _OwnWeighted(WeightedMethod):
    pass


def in_python(method: Method | None = None, goal: Goal | None = None) -> Method:
    """Return an equal method of a derived class, with the weights of a goal; default: the default method in metres."""
    chosen = LevenbergMarquardt() if method is None else method
    weighed: Method = chosen if goal is None else goal.of(chosen)
    kind = _OwnWeighted if isinstance(weighed, WeightedMethod) else _Own
    return kind(**{field.name: getattr(weighed, field.name) for field in fields(weighed)})


def damped_least_squares(policy: Any, goal: Goal = pose(), **stated: Any) -> Method:  # noqa: B008 (it is frozen)
    """Return damped least squares for a goal."""
    return goal.of(LevenbergMarquardt(policy, **stated))


def assert_same(result: Result, other: Result) -> None:
    """Check that two results are equal to the last bit."""
    np.testing.assert_array_equal(result.q, other.q)
    for name in ("status", "converged", "iterations", "restarts", "orientation_error", "position_error"):
        assert getattr(result, name) == getattr(other, name), name


def check_same(first: Path, second: Path) -> None:
    """Check that two paths have equal counts, and numbers that agree to rounding."""
    assert list(first.status) == list(second.status)
    for name in ("reached", "on_path", "tried", "iterations", "restarts"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    np.testing.assert_allclose(first.q, second.q, atol=1e-9)
    np.testing.assert_allclose(first.position_error, second.position_error, atol=1e-11)
    np.testing.assert_allclose(first.orientation_error, second.orientation_error, atol=1e-11)


def check_iterates(
    chain: Chain, target: Any, start: Any, of_simd: float = 1e-9, of_damping: float = 1e-6, **options: Any
) -> Result:
    """Check that the Python, the sequential and the SIMD search make the same steps; return the sequential result."""
    readable, compiled = (search(chain, target, start, **options, trace=True) for search in (solve_in_python, solve))
    simd = solve(chain, target, start, **options)
    for name in ("status", "iterations", "restarts"):
        assert getattr(compiled, name) == getattr(readable, name) == getattr(simd, name), name
    # rounding 1e-16, about ten steps, condition of the normal matrix up to 50² each: well below 1e-9
    for name in ("q", "error_twists", "orientation_errors", "position_errors"):
        np.testing.assert_allclose(getattr(compiled.trace, name), getattr(readable.trace, name), atol=1e-9, rtol=0)
    np.testing.assert_allclose(compiled.trace.damping, readable.trace.damping, atol=1e-9, rtol=of_damping)
    np.testing.assert_array_equal(compiled.trace.accepted, readable.trace.accepted)
    np.testing.assert_allclose(compiled.q, readable.q, atol=1e-9, rtol=0)
    np.testing.assert_allclose(simd.q, readable.q, atol=of_simd, rtol=0)
    return compiled
