"""Convert words of the command line to numbers and poses, and a result to JSON or text."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lessons_lib.errors import ParameterError, decimal_comma

if TYPE_CHECKING:
    from lessons_lib.arrays import Array
    from lessons_lib.pose_ik import Result
    from lessons_lib.robots import Chain


COUNTS = 6, 7, 16
"""Valid numbers of words of a pose."""


def floats_of(words: Sequence[str], what: str) -> list[float]:
    """Return words as numbers; raise ParameterError for one that is not a finite number."""
    values = []
    for word in words:
        try:
            values.append(float(word))
        except ValueError:
            comma = ", which has a decimal comma: write a point" if decimal_comma(f"{word} ", COUNTS) else ""
            raise ParameterError(f"{what} must be numbers such as 0.5 or 5e-1, got {word!r}{comma}") from None
    if not all(map(math.isfinite, values)):
        raise ParameterError(f"{what} must be finite numbers, got {' '.join(map(str, values))}")
    return values


def one_number(word: str) -> float:
    """Return the number of an option; raise argparse.ArgumentTypeError if it is none."""
    try:
        return float(word)
    except ValueError:
        comma = "it has a decimal comma: write a point" if decimal_comma(f"{word} ") else "write it as 0.5 or 5e-1"
        raise argparse.ArgumentTypeError(f"invalid number {word!r}; {comma}") from None


def pose_of(numbers: Sequence[float], what: str) -> Array:
    """Return the 4×4 pose of 6, 7 or 16 numbers; raise ParameterError or TransformError if they are none."""
    import numpy as np

    from lessons_lib import lie

    values = np.array(numbers, dtype=np.float64)
    if len(values) == 16:
        return values.reshape(4, 4)
    if len(values) not in COUNTS:
        raise ParameterError(
            f"{what} must be 6 numbers (x y z rx ry rz, m and rad), 7 (x y z qx qy qz qw) or 16 (a 4x4 matrix, row "
            f"by row), got {len(values)}"
        )
    of_rotation = lie.exp_so3 if len(values) == 6 else lie.quaternion_to_so3
    return lie.pose(of_rotation(values[3:]), values[:3])


def as_dictionary(result: Result) -> dict[str, Any]:
    return {
        "converged": result.converged,
        "status": result.status.name,
        "sentence": result.status.sentence,
        "q": result.q.tolist(),
        "iterations": result.iterations,
        "restarts": result.restarts,
        "orientation_error": _finite(result.orientation_error),
        "position_error": _finite(result.position_error),
    }


def _finite(value: float) -> float | None:
    """Return the value, or None if it is not finite, which JSON cannot write."""
    return value if math.isfinite(value) else None


def as_text(chain: Chain, result: Result) -> str:
    lines = [result.status.sentence]
    width = max(len(name) for name in chain.joint_names)
    for name, unit, value in zip(chain.joint_names, chain.joint_units, result.q, strict=True):
        lines.append(f"  {name.ljust(width)}  {value:12.6f} {unit}")
    lines.append(f"steps: {result.iterations}, restarts: {result.restarts}")
    lines.append(f"errors: {result.orientation_error:.2e} rad, {result.position_error:.2e} {chain.unit_in_words}")
    return "\n".join(lines)
