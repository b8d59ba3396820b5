"""The planar arm's hand on a straight line past its base: joint angles and their derivatives along the line."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.codegen import linker
from lessons_lib.codegen.linker import Derived, Recipe
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel

__all__ = [
    "joints_on_line",
    "line_kernels",
]


REACH = 2.0
"""The reach of the arm, in m; each link is half as long."""


def joints_on_line(s: ArrayLike, distance: float) -> tuple[Array, Array, Array]:
    """Return q, q′ and q″ of the planar arm with its hand at (s, d) and q₂ > 0: three of shape (m, 2).

    Args:
        s: Positions along the line, m, shape (m,).
        distance: Distance d of the line from the base, m, positive.

    Returns:
        q in rad, q₁ continuous along the line; its first and second derivative with respect to s, rad/m and rad/m².

    Raises:
        ParameterError: A position is out of reach or not finite, or the distance is not positive.
    """
    places = floats(s, "s must be positions along the line in m, numbers of shape (m,)", ParameterError)
    reached = places.ndim == 1 and distance > 0.0 and bool((np.hypot(places, distance) < REACH).all())
    if not reached:
        given = f"s = {places.tolist()}, d = {distance}"
        raise ParameterError(f"d must be positive and all (s, d) must be within 2 m of the base, got {given}")
    q, first, second = _kernels().line_kernel(places[:, None], np.array([float(distance)]))
    return q, first, second


def line_kernels() -> list[Kernel]:
    """Return line_kernel: (s, d) → q, q′, q″."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.course.retime import straight_line_motion

    s, d = sp.symbols("s d", real=True)
    first, second = straight_line_motion.slopes(s, d)
    outputs = {"q": straight_line_motion.joints(s, d), "first": first, "second": second}
    inputs = {"place": sp.Matrix([s]), "line": sp.Matrix([d])}
    by = [straight_line_motion.joints, straight_line_motion.slopes]
    return [
        Kernel("line_kernel", inputs, outputs, summary="The joint angles along a line, and their derivatives.", by=by)
    ]


@lru_cache(maxsize=1)
def _kernels() -> ModuleType:
    """Return the generated module with line_kernel, vectorised."""
    return linker.load(Recipe("line_past_base", (Derived(line_kernels, "numpy"),)))
