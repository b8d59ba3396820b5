"""Vectors as tuples of three numbers, for compiled text without array allocation."""

from __future__ import annotations

Vector = tuple[float, float, float]


def dot(a: Vector, b: Vector) -> float:
    """Return a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """Return a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def minus(a: Vector, b: Vector) -> Vector:
    """Return a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def combine(A: tuple[Vector, Vector, Vector], u: Vector) -> Vector:
    """Return u[0] A[0] + u[1] A[1] + u[2] A[2], the product A u of the matrix with the columns A."""
    return (
        A[0][0] * u[0] + A[1][0] * u[1] + A[2][0] * u[2],
        A[0][1] * u[0] + A[1][1] * u[1] + A[2][1] * u[2],
        A[0][2] * u[0] + A[1][2] * u[1] + A[2][2] * u[2],
    )


def rotate(k: Vector, c: float, s: float, u: Vector) -> Vector:
    """Return u rotated about the unit vector k by the angle with cosine c and sine s (Rodrigues)."""
    along = (1.0 - c) * dot(k, u)
    across = cross(k, u)
    return (
        c * u[0] + s * across[0] + along * k[0],
        c * u[1] + s * across[1] + along * k[1],
        c * u[2] + s * across[2] + along * k[2],
    )
