"""On what a robot stands: the polygon of its feet, and how far inside it the centre of mass is.

On level ground, with feet that push and cannot pull, a robot can stand still if and only if its centre of mass is
above the convex hull of its feet.

Source: McGhee & Frank, On the stability properties of quadruped creeping gaits (1968).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ParameterError
from lessons_lib.extras import need

if TYPE_CHECKING:
    from scipy.spatial import ConvexHull


def support_polygon(feet: ArrayLike) -> Array:
    """Return the corners of the convex hull of some feet seen from above, counter-clockwise, shape (k, 2), m.

    Args:
        feet: Points on the ground, shape (m, 2) or (m, 3), m; a height is ignored.

    Raises:
        ParameterError: Not points, fewer than three of them, or all on a line.
        MissingExtra: SciPy is not installed.
    """
    hull = _hull(feet)
    corners: Array = hull.points[hull.vertices]
    return corners


def support_margin(feet: ArrayLike, point: ArrayLike) -> float:
    """Return how far a point is from the nearest edge of the support polygon, m; negative outside.

    Outside, it is the distance to the nearest line through an edge, with a minus sign: zero at the edge, and below.

    Args:
        feet: Points on the ground, shape (m, 2) or (m, 3), m; a height is ignored.
        point: Such as a centre of mass, shape (2,) or (3,), m; a height is ignored.

    Raises:
        ParameterError: As `support_polygon`; or the point is not finite, or of another shape.
    """
    above = floats(point, "point must be two or three numbers, m", ParameterError)
    if above.shape not in ((2,), (3,)) or not np.isfinite(above).all():
        raise ParameterError(f"point must be two or three finite numbers, m, got {point!r}")
    outward = _hull(feet).equations  # a row (n, c) for each edge, n of length one and pointing outward: n·x + c ≤ 0
    return float(-np.max(outward[:, :2] @ above[:2] + outward[:, 2]))


def _hull(feet: ArrayLike) -> ConvexHull:
    need("tasks", "course.floating_base.support", "scipy")
    from scipy.spatial import ConvexHull, QhullError

    points = floats(feet, "feet must be points, shape (m, 2) or (m, 3), m", ParameterError)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise ParameterError(f"feet must be finite points, shape (m, 2) or (m, 3), m, got shape {points.shape}")
    for foot in points[~np.isfinite(points).all(axis=1)]:
        raise ParameterError(f"feet must be finite points, m, got {foot.tolist()}")
    if len(points) < 3:
        raise ParameterError(f"{len(points)} feet span no area; a support polygon has three corners or more")
    try:
        return ConvexHull(points[:, :2])
    except QhullError:
        raise ParameterError(f"the {len(points)} feet lie on one line; a support polygon has an area") from None
