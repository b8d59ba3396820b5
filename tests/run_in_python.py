"""Methods that run in Python, because compiled code supports only the library's classes, and a comparison of steps."""

from dataclasses import fields
from typing import Any

import numpy as np

from lessons_lib.pose_ik import Goal, LevenbergMarquardt, Method, Result, solve
from lessons_lib.pose_ik.goal import WeightedMethod
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain


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
