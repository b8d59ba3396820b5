"""Check the arrays that tasks, limits and barriers return, including user-defined ones."""

from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.errors import ParameterError

Pair = tuple[Array, Array]


def read_error(task: Any, configuration: Configuration, size: int) -> Array:
    """Return the error of a task, shape (size,), finite or not; raise ParameterError if it has another shape."""
    e = _writable(task.compute_error(configuration))
    if e.shape != (size,):
        raise ParameterError(
            f"the error of {task!r} must have shape ({size},) for {configuration.model.name}, got {e.shape}"
        )
    return e


def read_linearization(task: Any, configuration: Configuration) -> Pair:
    """Return J, shape (k, nv), and e, shape (k,), of a task, finite or not; raise ParameterError for other shapes."""
    J, e = map(_writable, task.linearize(configuration))
    if e.ndim != 1 or J.shape != (e.size, configuration.model.nv):
        raise ParameterError(
            f"error and Jacobian of {task!r} must have shapes (k,) and (k, {configuration.model.nv}) for "
            f"{configuration.model.name}, got {e.shape} and {J.shape}"
        )
    return J, e


def read_weighted_rows(task: Any, configuration: Configuration) -> Pair:
    """Return J, (k, nv), and e, (k,), of the rows with a positive cost; raise ParameterError if they are not finite."""
    J, e = read_linearization(task, configuration)
    weighted = np.broadcast_to(task.costs_for(len(e)) > 0.0, len(e))
    J, e = J[weighted], e[weighted]
    check_finite(bool(np.isfinite(J).all() and np.isfinite(e).all()), task)
    return J, e


def _writable(value: Any) -> Array:
    """Return a writable C-contiguous float64 copy for compiled code."""
    return np.array(value, dtype=np.float64, order="C")


def check_finite(finite: bool, task: Any) -> None:
    """Raise ParameterError if the error or Jacobian of a task, or a square of them, is not finite."""
    if not finite:
        raise ParameterError(f"error and Jacobian of {task!r}, and their squares, must be finite")


def read_objective(source: Any, configuration: Configuration) -> Pair:
    """Return H, shape (nv, nv), and c, shape (nv,), of a task or barrier; raise ParameterError for other shapes."""
    H, c = (np.asarray(part, dtype=np.float64) for part in source.compute_qp_objective(configuration))
    model = configuration.model
    if H.shape != (model.nv, model.nv) or c.shape != (model.nv,):
        raise ParameterError(
            f"H and c of {source!r} must have shapes {(model.nv, model.nv)} and {(model.nv,)} for {model.name}, got "
            f"{H.shape} and {c.shape}"
        )
    if not (np.isfinite(H).all() and np.isfinite(c).all()):
        raise ParameterError(f"H and c of {source!r} must be finite")
    return H, c


def read_inequalities(source: Any, configuration: Configuration, dt: float) -> Pair | None:
    """Return G, shape (k, nv), and h, shape (k,), of a limit or barrier, or None if nothing is limited."""
    pair = source.compute_qp_inequalities(configuration, dt)
    if pair is None:
        return None
    G, h = np.atleast_2d(np.asarray(pair[0], dtype=np.float64)), np.atleast_1d(np.asarray(pair[1], dtype=np.float64))
    if G.shape != (h.size, configuration.model.nv):
        raise ParameterError(
            f"G and h of {source!r} must have shapes (k, {configuration.model.nv}) and (k,) for "
            f"{configuration.model.name}, got {G.shape} and {h.shape}"
        )
    if not np.isfinite(G).all() or np.isnan(h).any():
        raise ParameterError(f"G of {source!r} must be finite, and h must not be NaN")
    return G, h


def read_bounds(limit: Any, configuration: Configuration, dt: float) -> Pair:
    """Return the lower and upper bounds of a `RateLimit`, each of shape (k,)."""
    low, high = (_writable(bound) for bound in limit.compute_bounds(configuration, dt))
    if low.shape != limit.indices.shape or high.shape != limit.indices.shape:
        raise ParameterError(
            f"both bounds of {limit!r} must have shape {limit.indices.shape}, one for each limited rate, got "
            f"{low.shape} and {high.shape}"
        )
    if np.isnan(low).any() or np.isnan(high).any():
        raise ParameterError(f"the bounds of {limit!r} must not be NaN")
    return low, high
