"""The support polygon of a robot, and the distance of its centre of mass from its edges."""
# On level ground, with feet that push and cannot pull, a robot can stand still if and only if its centre of mass is
# above the convex hull of its feet (McGhee & Frank, On the stability properties of quadruped creeping gaits, 1968).

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
    """Return the corners of the convex hull of feet, (n, 2 or 3), seen from above, counter-clockwise, (k, 2), in m."""
    hull = _hull(feet)
    corners: Array = hull.points[hull.vertices]
    return corners


def support_margin(feet: ArrayLike, point: ArrayLike) -> float:
    """Return the distance of a point from the nearest edge of the support polygon, in m; negative outside."""
    # outside, it is minus the largest distance to the line through an edge; heights are ignored
    above = floats(point, "point must be two or three numbers in m", ParameterError)
    if above.shape not in ((2,), (3,)) or not np.isfinite(above).all():
        raise ParameterError(f"point must be two or three finite numbers in m, got {point!r}")
    outward = _hull(feet).equations  # a row (n, c) for each edge with unit outward normal n: n·x + c ≤ 0
    return float(-np.max(outward[:, :2] @ above[:2] + outward[:, 2]))


def _hull(feet: ArrayLike) -> ConvexHull:
    need("tasks", "course.floating_base.support", "scipy")
    from scipy.spatial import ConvexHull, QhullError

    points = floats(feet, "feet must be points in m, of shape (n, 2) or (n, 3)", ParameterError)
    if points.ndim != 2 or points.shape[1] not in (2, 3):
        raise ParameterError(f"feet must be points in m, of shape (n, 2) or (n, 3), got shape {points.shape}")
    for foot in points[~np.isfinite(points).all(axis=1)]:
        raise ParameterError(f"feet must be finite points in m, got {foot.tolist()}")
    if len(points) < 3:
        raise ParameterError(f"a support polygon needs at least three feet, got {len(points)}")
    try:
        return ConvexHull(points[:, :2])
    except QhullError:
        raise ParameterError(f"the {len(points)} feet must not lie on one line") from None
