"""Singular value decomposition of a small matrix on a page, by the Jacobi rotations of the library's undamped step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons_lib.arrays import Array
from lessons_lib.robots.pseudoinverse import rotate_columns

if TYPE_CHECKING:
    from lessons_lib.course.live.search import Entry


def rotate_rows(J: Array, turned: Array, U: Array) -> None:
    """Write Jᵀ U with orthogonal columns, and the rotation U; the column lengths are the singular values of J."""
    rows, columns = J.shape[0], J.shape[1]
    for i in range(rows):
        for j in range(columns):
            turned[j, i] = J[i, j]
        for j in range(rows):
            U[j, i] = 1.0 if i == j else 0.0
    for _sweep in range(60):
        if not rotate_columns(turned, U, columns):
            break


def singular_values() -> Entry:
    """Return the printed `rotate_rows`."""
    from lessons_lib.codegen import linker
    from lessons_lib.codegen.linker import Plain, Recipe

    parts = Plain("lessons_lib.robots.pseudoinverse"), Plain(__name__, only=("rotate_rows",))
    return "rotate_rows", linker.load(Recipe("live_svd", parts)).rotate_rows, ("f2", "f2", "f2")
