"""Kinematics of a chain in multiple precision, by Rodrigues' formula; vectors are lists, matrices lists of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.robots import Chain


def nearest_pose(target: Array) -> tuple[Any, Any]:
    """Return the rotation nearest to that of a target, by Newton's iteration, and its position."""
    R = mpmath.matrix(target[:3, :3].tolist())
    for _ in range(4):  # each iteration squares an error of 1e-15
        R = (R + mpmath.inverse(R).T) / 2
    return R, mpmath.matrix(target[:3, 3].tolist())


def kinematics(chain: Chain, home: Any, q: Sequence[Any]) -> tuple[Any, Any, list[list[Any]]]:
    """Return rotation and position of the tip, and the angular and linear velocity that each joint gives it.

    `home` is the exact rotation of the home pose.
    """
    R, p, axes = [[mpmath.mpf(i == k) for i in range(3)] for k in range(3)], [mpmath.mpf(0)] * 3, []
    for screw, kind, value in zip(chain.screws.T.tolist(), chain.joint_types, q, strict=True):
        w, v = list(map(mpmath.mpf, screw[:3])), list(map(mpmath.mpf, screw[3:]))
        if kind == "prismatic":
            along = rotate(R, v)
            axes.append(([mpmath.mpf(0)] * 3, along, p))
            p = plus(p, along, value)
            continue
        size = mpmath.sqrt(sum(x * x for x in w))
        w = [x / size for x in w]
        point, pitch = cross(w, v), sum(a * b for a, b in zip(w, v, strict=True)) if kind == "helical" else 0
        axis, center = rotate(R, w), plus(rotate(R, point), p)
        axes.append((axis, [pitch * x for x in axis], center))
        c, s = mpmath.cos_sin(value)
        R = [plus(plus([c * a for a in r], cross(axis, r), s), axis, (1 - c) * k) for r, k in zip(R, w, strict=True)]
        p = plus(plus(center, rotate(R, point), -1), axis, pitch * value)
    tip = plus(rotate(R, list(map(mpmath.mpf, chain.home[:3, 3].tolist()))), p)
    columns = [[*axis, *plus(along, cross(axis, plus(tip, point, -1)))] for axis, along, point in axes]
    return [rotate(R, [home[i, k] for i in range(3)]) for k in range(3)], tip, columns


def pose_residual(R: Any, p: Any, wanted: tuple[Any, Any]) -> list[Any]:
    """Return half the sum of the columns of R × those wanted, and the position error; zero at a solution."""
    turns = [cross(r, [wanted[0][i, k] for i in range(3)]) for k, r in enumerate(R)]
    return [sum(turn[i] for turn in turns) / 2 for i in range(3)] + [wanted[1][i] - p[i] for i in range(3)]


def rotate(R: Any, a: Any) -> list[Any]:
    """Return R a."""
    return [R[0][i] * a[0] + R[1][i] * a[1] + R[2][i] * a[2] for i in range(3)]


def plus(a: Any, b: Any, by: Any = 1) -> list[Any]:
    """Return a + by·b."""
    return [x + by * y for x, y in zip(a, b, strict=True)]


def cross(a: Any, b: Any) -> list[Any]:
    """Return a × b."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def doubles(columns: list[list[Any]]) -> Array:
    """Return the Jacobian of `kinematics` in doubles, shape (6, n)."""
    return np.array([[float(x) for x in column] for column in columns]).T
