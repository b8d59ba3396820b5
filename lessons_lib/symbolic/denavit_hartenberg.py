"""Denavit-Hartenberg rows: a row is a product of two screw motions, a table a product of exponentials."""
# With Z = (0, 0, θ, 0, 0, d) along a joint's axis and X = (α, 0, 0, a, 0, 0) along the common normal to the next one:
# standard A = e^[Z] e^[X] (Siciliano et al., Robotics (2009), §2.8.2), modified A = e^[X] e^[Z] (Craig, Introduction to
# Robotics, §3.4).

from collections.abc import Sequence

import sympy as sp

from lessons_lib.errors import ConventionError
from lessons_lib.symbolic import se3
from lessons_lib.symbolic.open_chain import joint_exp

ROTATE_Z = sp.ImmutableMatrix([0, 0, 1, 0, 0, 0])
"""The screw of a revolute joint in its own frame."""

TRANSLATE_Z = sp.ImmutableMatrix([0, 0, 0, 0, 0, 1])
ROTATE_X = sp.ImmutableMatrix([1, 0, 0, 0, 0, 0])
TRANSLATE_X = sp.ImmutableMatrix([0, 0, 0, 1, 0, 0])

CONVENTIONS = ("standard", "modified")

Row = Sequence[sp.Expr]


def about_z(theta: sp.Expr, d: sp.Expr) -> sp.Matrix:
    """Return e^[(0, 0, θ, 0, 0, d)], a rotation about z and a translation along it: the joint's part of a row."""
    return joint_exp(ROTATE_Z, theta) * joint_exp(TRANSLATE_Z, d)


def about_x(alpha: sp.Expr, a: sp.Expr) -> sp.Matrix:
    """Return e^[(α, 0, 0, a, 0, 0)], a rotation about x and a translation along it: the link's part of a row."""
    return joint_exp(ROTATE_X, alpha) * joint_exp(TRANSLATE_X, a)


def row_pose(row: Row, convention: str) -> sp.Matrix:
    """Return the 4×4 matrix A of one row (a, α, d, θ), m and rad; ConventionError if neither standard nor modified."""
    a, alpha, d, theta = row
    joint, link = about_z(theta, d), about_x(alpha, a)
    return joint * link if _is_standard(convention) else link * joint


def table_pose(rows: Sequence[Row], convention: str) -> sp.Matrix:
    """Return the product A₁ … Aₙ of the rows, 4×4, the identity for no rows."""
    T = sp.eye(4)
    for row in rows:
        T = T * row_pose(row, convention)
    return T


def regroup(rows: Sequence[Row]) -> tuple[sp.Matrix, list[Row]]:
    """Convert modified rows to standard rows and a fixed pose before them; the product of factors is the same."""
    first, links = rows[0], [*(row[:2] for row in rows[1:]), (sp.Integer(0), sp.Integer(0))]
    standard: list[Row] = [(*link, *row[2:]) for link, row in zip(links, rows, strict=True)]
    return about_x(first[1], first[0]), standard


def screws(rows: Sequence[Row], convention: str) -> tuple[sp.Matrix, sp.Matrix]:
    """Return the screw axes, 6×n, and the home pose M, 4×4, of revolute joints with these rows."""
    # column i is Ad(B) z, where B is the product of all factors before joint i at q = 0; the joint angle adds to θ
    columns = []
    for i, (a, alpha, _, _) in enumerate(rows):
        before = table_pose(rows[:i], convention)
        columns.append(se3.adjoint(before if _is_standard(convention) else before * about_x(alpha, a)) * ROTATE_Z)
    return sp.Matrix.hstack(*columns), table_pose(rows, convention)


def _is_standard(convention: str) -> bool:
    if convention not in CONVENTIONS:
        raise ConventionError(f"unknown DH convention {convention!r}; valid are {' and '.join(map(repr, CONVENTIONS))}")
    return convention == "standard"
