"""Every configuration of the planar 2R that brings its tip to a point: the formulas of `symbolic.planar_2r` as numbers.

What the formulas cannot decide is decided here: which points the arm reaches, and which of them are on an edge of the
ring that it reaches, where rounding would turn one posture into two that differ by 1e-8 rad, or into none.
"""

from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lessons_lib.arrays import floats
from lessons_lib.codegen import cache
from lessons_lib.errors import ConfigurationError, TransformError
from lessons_lib.robots.library import check_length

Array = NDArray[np.float64]

EDGE = 4 * float(np.finfo(np.float64).eps)
"""How far from an edge of the ring a tip still counts as on it, over L₁ + L₂: what rounding does to a straight arm."""

BOTH_ELBOWS = np.array([1.0, -1.0])
"""The sign of q₂ in the rows of an answer."""


def planar_2r_solutions(tip: ArrayLike, length_1: float = 1.0, length_2: float = 1.0) -> Array:
    """Return every configuration of the planar 2R whose tip is at the given point.

    Inside the ring |L₁ − L₂| < r < L₁ + L₂ there are two, the one with q₂ > 0 first. On its edges (to 4 units in the
    last place of L₁ + L₂) they are one, and outside there is none. Where the tip of an arm with equal links is at its
    base, q₂ = π with any q₁ will do; the one row that comes back then has q₁ = 0.

    Args:
        tip: Position (x, y) in {s}, shape (2,), m.
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.

    Returns:
        Shape (k, 2), k = 0, 1 or 2: a row (q₁, q₂) for each configuration, rad, q₁ in (−π, π] and q₂ in [−π, π].

    Raises:
        TransformError: `tip` has another shape or is not finite.
        ParameterError: A length is not positive and finite.

    Source: lesson 01, which derives it; Lynch & Park (2017), ch. 6, solve the same arm with the arc cosine.
    """
    point = _check_point(tip)
    lengths = np.array([check_length("length_1", length_1), check_length("length_2", length_2)])
    exponent = int(np.frexp(lengths.max())[1])
    with np.errstate(over="ignore"):  # a tip out of all proportion to the arm is out of its reach
        point, lengths = np.ldexp(point, -exponent), np.ldexp(lengths, -exponent)  # angles know no scale
        count, *gaps = _kernels().answers_kernel(np.array([np.hypot(*point)]), lengths)
    elbows = BOTH_ELBOWS[: int(count), None]
    q: Array = _kernels().angles_kernel(point, np.array(gaps), lengths, elbows)
    q[q[:, 0] == -np.pi, 0] = np.pi  # half a turn has two names
    return q


def planar_2r_corners(q: ArrayLike, length_1: float = 1.0, length_2: float = 1.0) -> Array:
    """Return base, elbow and tip of the planar 2R, for one configuration or many.

    Args:
        q: Configurations, shape (..., 2), rad.
        length_1: Length of the first link, m.
        length_2: Length of the second link, m.

    Returns:
        Shape (..., 3, 2): points (x, y) in {s}, m.

    Raises:
        ConfigurationError: q has another shape or holds a value that is not finite.
        ParameterError: A length is not positive and finite.
    """
    angles = floats(q, "q of the planar 2R must be numbers", ConfigurationError)
    if angles.shape[-1:] != (2,):
        raise ConfigurationError(f"q of the planar 2R must have shape (..., 2), got {angles.shape}")
    if not np.isfinite(angles).all():
        raise ConfigurationError(f"q of the planar 2R must be finite, got {angles.tolist()}")
    lengths = np.array([check_length("length_1", length_1), check_length("length_2", length_2)])
    points: Array = _kernels().corners_kernel(angles, lengths)
    return points


def _check_point(tip: ArrayLike) -> Array:
    point = floats(tip, "tip must be 2 numbers (x, y)", TransformError)
    if point.shape != (2,):
        raise TransformError(f"tip must have shape (2,), the point (x, y) in m; got {point.shape}")
    if not np.isfinite(point).all():
        raise TransformError(f"tip must be finite, got {point.tolist()}")
    return point


def planar_2r_source(target: str) -> str:
    """Return the generated code of both directions: answers_kernel, angles_kernel and corners_kernel.

    Args:
        target: "numpy" (vectorised) or "javascript" (for a browser).

    Raises:
        CodegenError: Unknown target.
    """
    import sympy as sp

    from lessons_lib import codegen
    from lessons_lib.symbolic import planar_2r

    r, elbow, stretched, folded, blur = sp.symbols("r elbow stretched folded blur", real=True)
    tip, q = sp.Matrix(sp.symbols("tip_x tip_y", real=True)), sp.Matrix(sp.symbols("q_1 q_2", real=True))
    gaps = sp.Matrix(sp.symbols("g_out g_in", nonnegative=True))
    L_1, L_2 = sp.symbols("L_1 L_2", positive=True)
    lengths = sp.Matrix([L_1, L_2])
    ring = {"distance": sp.Matrix([r]), "lengths": lengths}
    edges = [(stretched, L_1 + L_2), (folded, L_1 - L_2), (blur, sp.Float(EDGE) * stretched)]
    counted = {"answers": planar_2r.answers(r, stretched, folded, blur)}
    given = {"tip": tip, "gaps": gaps, "lengths": lengths, "sign": sp.Matrix([elbow])}
    angles = {"q": planar_2r.angles(tip, gaps, lengths, elbow)}
    points = sp.Matrix.vstack(sp.zeros(1, 2), *(point.T for point in planar_2r.corners(*q, *lengths)))
    text: str = codegen.source(
        [
            codegen.Kernel("answers_kernel", ring, counted, edges, "How many answers, g_out and g_in."),
            codegen.Kernel("angles_kernel", given, angles, summary="q_1 and q_2."),
            codegen.Kernel(
                "corners_kernel", {"q": q, "lengths": lengths}, {"points": points}, summary="Base, elbow and tip."
            ),
        ],
        target,
    )
    return text


def _kernels() -> ModuleType:
    """Return the generated module of `planar_2r_source`, vectorised."""
    make = partial(planar_2r_source, "numpy")
    return cache.load("planar_2r", "closed form", make, rooms=("symbolic", "codegen", "robots"))
