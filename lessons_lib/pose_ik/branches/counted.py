"""How many answers six hinges have at most, with proof: the zeros of a determinant, each counted once.

Every answer makes the determinant of reading.py zero at its kept angle, a polynomial of degree 12 in the sine and
cosine of it. Where a zero is simple the null vector is the only one, and with it the two other angles of the three; and
where the fourteen equations have rank eight, the two that are undone. So there are no more answers than simple zeros.
As many that are certified (certificates/ball.py) are all.

Here every number is a middle and a radius in which the exact one is, of the exact arm and the exact target, with all
rounding. Of the circle, cut into ARCS, each arc has a value that cannot be zero, or a slope that cannot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.branches.determinant import line_equations
from lessons_lib.pose_ik.branches.reading import TO_HALF, TO_PRODUCTS, Reading

U = 2.0**-53
GROW = 1.0 + 1e-12
"""Radii are made so much larger at each step: more than their own rounding."""

EXACT_ARM, EXACT_POSE = 8e-16, 4e-15
"""How far an axis of the exact arm may be from its numbers, and a rotation, besides what it shows itself."""

DEGREE, ARCS, ASIDE = 12, 4096, 0.1
"""Of the polynomial; parts of the circle; where it is begun, rad: determinants may be zero where an angle is."""

PLACES = 2 * DEGREE + 1


class Near:
    """Arrays of numbers, each known to a radius."""

    __array_priority__ = 1.0

    def __init__(self, middle: Any, radius: Any = 0.0) -> None:
        """Keep the middles and the radii."""
        self.middle = np.asarray(middle, dtype=np.float64)
        given = np.asarray(radius)
        self.radius = given if given.shape == self.middle.shape else np.broadcast_to(given, self.middle.shape)

    def __getitem__(self, at: Any) -> Near:
        """Return a part."""
        return Near(self.middle[at], self.radius[at])

    def __neg__(self) -> Near:
        """Return −x."""
        return Near(-self.middle, self.radius)

    def __add__(self, other: Any) -> Near:
        """Return x + y."""
        y = near(other)
        middle = self.middle + y.middle
        return Near(middle, (self.radius + y.radius + U * np.abs(middle)) * GROW)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Near:
        """Return x − y."""
        return self + -near(other)

    def __rsub__(self, other: Any) -> Near:
        """Return y − x."""
        return near(other) + -self

    def __mul__(self, other: Any) -> Near:
        """Return x y, entry by entry."""
        y = near(other)
        middle = self.middle * y.middle
        radius = np.abs(self.middle) * y.radius + self.radius * (np.abs(y.middle) + y.radius) + U * np.abs(middle)
        return Near(middle, radius * GROW + 1e-300)

    __rmul__ = __mul__

    def __matmul__(self, other: Any) -> Near:
        """Return the product of two matrices."""
        y = near(other)
        large = np.abs(self.middle)
        size = (self.middle.shape[-1] + 2) * U
        radius = large @ y.radius + self.radius @ (np.abs(y.middle) + y.radius) + size * (large @ np.abs(y.middle))
        return Near(self.middle @ y.middle, radius * GROW + 1e-300)

    def __rmatmul__(self, other: Any) -> Near:
        """Return the product of two matrices."""
        return near(other) @ self

    @property
    def largest(self) -> Array:
        """What the absolute values are at most."""
        found: Array = (np.abs(self.middle) + self.radius) * GROW
        return found

    def apply(self, function: Any) -> Near:
        """Return what only moves entries about, of middles and radii."""
        return Near(function(self.middle), function(self.radius))


def near(x: Any) -> Near:
    """Return numbers with a radius; plain ones are exact."""
    return x if isinstance(x, Near) else Near(x)


def stacked(parts: Any, axis: int = -1) -> Near:
    """Return some as one."""
    parts = [near(part) for part in parts]
    shape = np.broadcast_shapes(*(part.middle.shape for part in parts))
    spread = [part.apply(lambda x: np.broadcast_to(x, shape)) for part in parts]
    return Near(*(np.stack([getattr(part, name) for part in spread], axis) for name in ("middle", "radius")))


MOVED = np.array([[0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
"""Entries of the matrix of a twist that are not zero for all."""

ROOT = 0.75**0.5
SINES, COSINES = Near([0.0, ROOT, -ROOT], [0.0, 2 * U, 2 * U]), Near([1.0, -0.5, -0.5])
PRODUCTS = Near(TO_PRODUCTS, 4 * U)


def pose(T: Array, length: float) -> tuple[Near, Near]:
    """Return a rotation and a place, shape (3, 1), in lengths of the arm, as near as the exact pose is."""
    R = T[:3, :3]
    return Near(R, np.abs(R.T @ R - np.eye(3)).sum() + EXACT_POSE), Near(
        T[:3, 3:] / length, U * np.abs(T[:3, 3:] / length)
    )


def motion(target: Array, home: Array, length: float, backwards: bool) -> Near:
    """Return the motion of the tip from home to the target, T M⁻¹, in lengths of the arm, or the inverse of it."""
    (R, p), (M, m) = pose(target, length), pose(home, length)
    R = R @ M.apply(np.transpose)
    p = p - R @ m
    if backwards:
        R = R.apply(np.transpose)
        p = -(R @ p)
    middle, radius = np.eye(4), np.zeros((4, 4))
    middle[:3], radius[:3] = np.hstack([R.middle, p.middle]), np.hstack([R.radius, p.radius])
    return Near(middle, radius)


class Counted:
    """A reading of an arm, in lengths of the arm, and how many answers it can have."""

    def __init__(self, reading: Reading) -> None:
        """Work out what belongs to the arm alone: the left sides of the fourteen equations."""
        self.reading, screws = reading, reading.screws
        self.turns = [self._turns(screws[:, joint]) for joint in range(6)]
        first = reading.first
        directions = Near(screws[:3].T, EXACT_ARM)
        feet = np.cross(screws[:3].T, screws[3:].T)
        points = Near(feet, 4 * EXACT_ARM * (1.0 + np.abs(feet)))
        self.origin, self.point, self.line = points[first - 1], points[first + 3], directions[first + 3]
        a, b, c = (self.turns[first + n] for n in range(3))
        T = (a[:, None, None] @ b[None, :, None]) @ c[None, None]
        found = self._equations(T)
        for axis in range(3):
            found = along(PRODUCTS, found, axis)
        others = [axis for axis in range(3) if axis != reading.kept]
        moved = found.apply(lambda x: np.transpose(x, (3, reading.kept, *others)))
        for axis in (2, 3):
            moved = along(near(TO_HALF), moved, axis)
        self.left = moved.apply(lambda x: x.reshape(14, 3, 9))

    def _turns(self, screw: Array) -> Near:
        """Return the three motions by a third of a turn each, shape (3, 4, 4)."""
        w, v = screw[:3], screw[3:]
        A = np.zeros((4, 4))
        A[:3, :3], A[:3, 3] = [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]], v
        exact = Near(A, 4 * EXACT_ARM * (1.0 + np.abs(v).max()) * MOVED)
        s, c = SINES[:, None, None], COSINES[:, None, None]
        return np.eye(4) + (s * exact + (1.0 - c) * (exact @ exact))

    def _equations(self, T: Near) -> Near:
        """Return the fourteen expressions of the point and the direction that motions carry."""
        p = (T[..., :3, :3] @ self.point.apply(lambda x: x[:, None]))[..., 0] + T[..., :3, 3] - self.origin
        line = (T[..., :3, :3] @ self.line.apply(lambda x: x[:, None]))[..., 0]
        found = np.empty((14, 1), dtype=object)
        point, direction = (tuple(one[..., k] for k in range(3)) for one in (p, line))
        equations: Any = line_equations  # written for numbers, and as right for these
        equations(point, direction, found, 0)
        return stacked(found[:, 0])

    def right(self, motion: Near) -> Near:
        """Return factors of the fourteen expressions of both that are undone, (14, 9)."""
        inverse = [turns[[0, 2, 1]] for turns in self.turns]
        if self.reading.first == 2:
            T = inverse[1][None, :] @ (inverse[0][:, None] @ motion)
        else:
            T = inverse[0][None, :] @ (motion @ inverse[5][:, None])
        found = self._equations(T)
        for axis in range(2):
            found = along(PRODUCTS, found, axis)
        return found.apply(lambda x: x.reshape(9, 14).T)

    def most(self, motion: Near) -> int | None:
        """Return how many answers there are at most, or None where rounding hides it."""
        right = self.right(motion)
        ones = np.outer([1.0, 0.0, 1.0], [1.0, 0.0, 1.0]).ravel()
        left = stacked([self.left[:, 0], self.left[:, 1], self.left[:, 2] - right[:, 8:] * ones], 1)
        eight, Q = right[:, :8], np.linalg.qr(right.middle[:, :8], mode="complete")[0]
        X, N = np.linalg.pinv(right.middle[:, :8]), Q[:, 8:].T
        off = (np.eye(8) - X @ eight).largest.sum(axis=1).max()
        if not off < 0.5:
            return None
        flat = left.apply(lambda x: x.reshape(14, 27))
        moved = (X @ flat).largest.max(axis=0) / (1.0 - off) * GROW  # by the rank that the exact ones have
        leak = (N @ eight).largest.sum(axis=1)
        free = N @ flat
        free = Near(free.middle, (free.radius + leak[:, None] * moved) * GROW).apply(lambda x: x.reshape(6, 3, 9))
        try:
            return zeros(*determinants(free))
        except np.linalg.LinAlgError:  # singular all around: the reading does not tell the angles apart
            return None


def along(matrix: Near, values: Near, axis: int) -> Near:
    """Return values with a matrix applied along an axis."""
    moved = values.apply(lambda x: np.moveaxis(x, axis, 0))
    shape = moved.middle.shape
    done = matrix @ moved.apply(lambda x: x.reshape(shape[0], -1))
    return done.apply(lambda x: np.moveaxis(x.reshape(-1, *shape[1:]), 0, axis))


def determinants(free: Near) -> tuple[Array, Array]:
    """Return the determinant at PLACES angles around the circle, and by how much each may be off."""
    angles = ASIDE + 2 * np.pi * np.arange(PLACES) / PLACES
    waves = Near(np.stack([np.sin(angles), np.cos(angles), np.ones(PLACES)], axis=1), [16 * U, 16 * U, 0.0])
    rows = (waves @ free.apply(lambda x: x.transpose(1, 0, 2).reshape(3, 54))).apply(lambda x: x.reshape(-1, 6, 9))

    def twice(x: Array) -> Array:
        A = np.zeros((PLACES, 12, 12))
        A[:, :6, :9], A[:, 6:, 3:] = x, x
        return A

    A = rows.apply(twice)
    Q, R = np.linalg.qr(A.middle)
    X = np.linalg.inv(A.middle)
    product = near(Q) @ R
    apart = np.abs(X) @ (A - product).largest
    turned = (np.eye(12) - near(np.swapaxes(Q, 1, 2)) @ Q).largest.sum(axis=2).max(axis=1)
    off = (np.eye(12) - X @ product).largest.sum(axis=2).max(axis=1)
    part = apart.sum(axis=2).max(axis=1) / np.maximum(1.0 - off, 1e-3) * GROW
    found = np.sign(np.linalg.det(Q)) * np.prod(np.diagonal(R, axis1=1, axis2=2), axis=1)
    large = np.where(off < 0.5, (1.0 + part) ** 12 * (1.0 + turned) ** 12 * (1.0 + 40 * U) - 1.0, np.inf)
    return found, np.abs(found) * large * GROW + 1e-290


def zeros(values: Array, off: Array) -> int | None:
    """Return how many zeros a function of an angle has, all of them simple, or None where it cannot be told."""
    if not np.isfinite(off).all():
        return None
    harmonics = np.fft.rfft(values) / PLACES
    error = off.mean() * GROW + 64 * U * np.abs(values).mean()
    size, k = np.abs(harmonics) + error, np.arange(DEGREE + 1)
    bounds = [2.0 * float((size * k**n).sum()) for n in range(4)]
    errors = [2.0 * error * float((k**n).sum() + (n == 0)) + 64 * ARCS * U * bounds[n] / ARCS for n in range(3)]
    padded = np.zeros((3, ARCS // 2 + 1), dtype=complex)
    padded[:, : DEGREE + 1] = harmonics * (1j * k) ** np.arange(3)[:, None]
    f, slope, bend = np.fft.irfft(padded, ARCS, axis=1) * ARCS
    h = np.pi / ARCS * GROW
    away = np.abs(f) - errors[0] - h * (np.abs(slope) + errors[1]) - 0.5 * h * h * bounds[2] > 0.0
    steep = np.abs(slope) - errors[1] - h * (np.abs(bend) + errors[2]) - 0.5 * h * h * bounds[3] > 0.0
    if not (away | steep).all() or not away.any():
        return None
    signs = np.sign(f[away])
    return int((signs != np.roll(signs, 1)).sum())
