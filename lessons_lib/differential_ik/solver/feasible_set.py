"""The feasible set: the steps that limits, barriers and constraints allow, and the proof where there are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.differential_ik import kernels

RANK = 1e-12
"""A singular value of the constraints, their rows of length one, below this is rounding."""

TOLERANCE = 1e-9
"""By which part of its bound a row may be off, and by which part of what they ask for constraints may differ."""

ROUNDING = 1e-15
"""What is rounding in a row of length one, of the length of the step."""

NOTHING = 1e-12
"""A difference of two constraints that is rounding, rad or m for a row of length one: poses are right to 1e-15."""


FAR = 1e4
"""How many times as far as the farthest bound a step is searched for, where nothing bounds it."""


SHORT = 1e-9
"""What a squared step costs beside the squares of what is missed, of the longest row."""

MOST_PROGRAMS = 6
"""How often what is missed is made less: each time leaves about SHORT of what the one before had left."""


class Infeasible(ValueError):
    """There is no step that all rows allow; the message says which rows were shown to contradict each other."""


@dataclass(frozen=True)
class FeasibleSet:
    """The steps x with C x ≤ d and A x = b.

    Attributes:
        C: Inequalities, shape (m, n).
        d: Their bounds, shape (m,); inf for none.
        A: Equalities, shape (k, n).
        b: Their values, shape (k,).
        names: Returns the source of each inequality, and then of each equality; for messages alone.
    """

    C: Array
    d: Array
    A: Array
    b: Array
    names: Callable[[], Sequence[str]]

    @cached_property
    def _equal(self) -> tuple[Array, Array]:
        """The shortest x with A x = b, and an orthonormal basis of what can be added to it.

        Raises:
            Infeasible: The equalities contradict each other.
        """
        n = self.A.shape[1]
        if len(self.A) == 0:
            return np.zeros(n), np.eye(n)
        lengths = np.linalg.norm(self.A, axis=1)
        units = np.where(lengths > 0.0, lengths, 1.0)
        b = self.b / units
        U, s, Vt = np.linalg.svd(self.A / units[:, None], full_matrices=True)  # noqa: N806
        rank = int(np.count_nonzero(s > RANK * max(self.A.shape)))
        wanted = U[:, :rank].T @ b
        misses = b - U[:, :rank] @ wanted
        if np.any(np.abs(misses) > TOLERANCE * np.linalg.norm(b) + NOTHING):
            worst = int(np.argmax(np.abs(misses)))
            raise Infeasible(
                f"no step meets all constraints: the nearest one misses row {worst + 1} of them, of "
                f"{self.names()[len(self.d) + worst]}, by {abs(misses[worst]) * units[worst]:.3g}"
            )
        return Vt[:rank].T @ (wanted / s[:rank]), Vt[rank:].T.reshape(n, n - rank)

    @property
    def offset(self) -> Array:
        """The shortest step that meets the equalities, shape (n,)."""
        return self._equal[0]

    @property
    def basis(self) -> Array:
        """An orthonormal basis of the steps that change nothing of them, shape (n, n − rank)."""
        return self._equal[1]

    @cached_property
    def reduced(self) -> tuple[Array, Array, Integers]:
        """Rows C and bounds d of C y ≤ d for x = offset + basis y, rows of length one, and the inequalities' numbers.

        Raises:
            Infeasible: The equalities force a step beyond one of the inequalities.
        """
        C = self.C @ self.basis
        at = self.C @ self.offset
        d = self.d - at
        if (self.d == -np.inf).any():
            raise Infeasible(f"nothing is as small as {self.names()[int(np.argmin(self.d))]} asks for, −inf")
        lengths, full = np.linalg.norm(C, axis=1), np.linalg.norm(self.C, axis=1)
        fixed = lengths <= RANK * len(self.offset) * full
        sizes = np.abs(self.C) @ np.abs(self.offset)
        beyond = fixed & (d < -TOLERANCE * (sizes + np.where(np.isfinite(self.d), np.abs(self.d), 0.0)))
        if beyond.any():
            i = int(np.argmin(np.where(beyond, d, np.inf)))
            cause = f"the constraints leave {at[i]:.3g} where" if sizes[i] > 0.0 else "no step helps where"
            raise Infeasible(f"{cause} {self.names()[i]} allows at most {self.d[i]:.3g}")
        numbers = np.flatnonzero(~fixed & np.isfinite(self.d))
        return C[numbers] / lengths[numbers, None], d[numbers] / lengths[numbers], numbers

    def feasible_point(self, guesses: Sequence[Array]) -> Array:
        """Return a y that meets all of `reduced`: that of the first guess x that does, or any.

        Raises:
            Infeasible: There is none; a certificate of it was found.
            ArithmeticError: Neither a y nor a certificate was found.
        """
        C, d, numbers = self.reduced
        tolerance = TOLERANCE * np.abs(d)
        for x in guesses:
            y = self.basis.T @ (x - self.offset)
            if (C @ y <= d + tolerance).all():
                return y
        return _phase_one(C, d, lambda: [self.names()[i] for i in numbers])


def _phase_one(C: Array, d: Array, names: Callable[[], Sequence[str]]) -> Array:  # noqa: N803
    """Return a y with C y ≤ d, or prove that there is none: the least squares of what is missed, r = max(0, C y − d).

    Where the least r is not 0 it is itself the proof, as Farkas has it: Cᵀr = 0 there, so these rows add up to
    0 ≤ r·d = −|r|².

    Raises:
        Infeasible: There is none.
        ArithmeticError: Neither was shown.
    """
    n, before = C.shape[1], None
    y, nothing, everywhere = np.zeros(n), (np.zeros((0, n)), np.zeros(0)), (np.full(n, -np.inf), np.full(n, np.inf))
    for _ in range(MOST_PROGRAMS + 1):  # each from where the last one ended, in a unit of what is still missing
        slack = d - C @ y
        if (slack >= -TOLERANCE * np.abs(d) - ROUNDING * np.linalg.norm(y)).all():
            return y
        if before is not None:
            _certify_infeasible(C, *before, names)
        unit = float(-slack.min())
        near = np.minimum(slack / unit, FAR)
        nearer = least_missed(*nothing, C, near, *everywhere)
        before = slack / unit, np.maximum(C @ nearer - near, 0.0)
        y = y + unit * nearer
    raise ArithmeticError("neither a step that is allowed was found nor a proof that there is none")


def least_missed(A: Array, b: Array, G: Array, h: Array, lower: Array, upper: Array) -> Array:  # noqa: N803
    """Return the x within the box with the least |A x − b|² + |max(0, G x − h)|², the shortest where there are many."""
    n, rows = A.shape[1], np.vstack([G, A])
    longest = max(float(np.sum(rows**2, axis=1).max(initial=0.0)), 1e-12)
    x, multipliers = np.empty(n), np.empty(n + len(rows))
    ends = np.concatenate([upper, h, b])
    damping = SHORT * longest * np.eye(n)
    if not kernels.module().least_step(damping, np.zeros(n), lower, ends, rows, len(A), 1.0, x, multipliers):
        raise ArithmeticError("rounding kept what is missed from being made least")
    return x


def _certify_infeasible(C: Array, d: Array, multipliers: Array, names: Callable[[], Sequence[str]]) -> None:  # noqa: N803
    """Raise Infeasible with the rows that contradict each other, if these multipliers prove it; else return.

    Their sum reads ρ·y ≤ −gap. It is no proof where a y could be so long that the little that is left of ρ matters.

    Raises:
        Infeasible: They prove it.
    """
    chosen = np.flatnonzero(multipliers > 1e-9 * multipliers.max(initial=0.0))
    multipliers = multipliers[chosen]
    sums = C[chosen].T
    multipliers = np.maximum(multipliers - np.linalg.lstsq(sums, sums @ multipliers, rcond=1e-10)[0], 0.0)
    gap, left = -float(multipliers @ d[chosen]), float(np.linalg.norm(sums @ multipliers))
    if not gap > FAR * left:
        return
    whose = sorted({names()[i] for i in chosen[multipliers > 1e-6 * multipliers.max()]})
    raise Infeasible(f"these contradict {'each other' if len(whose) > 1 else 'themselves'}: {', '.join(whose)}")
