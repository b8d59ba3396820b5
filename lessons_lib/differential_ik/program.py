"""A quadratic program as numbers; qpsolvers, an extra, has a class for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lessons_lib.arrays import Array
from lessons_lib.extras import need

if TYPE_CHECKING:
    import qpsolvers


@dataclass(frozen=True, eq=False)
class QuadraticProgram:
    """Minimise ½ Δqᵀ P Δq + qᵀ Δq subject to G Δq ≤ h and A Δq = b, by the names of qpsolvers; None for no rows."""

    P: Array
    q: Array
    G: Array | None
    h: Array | None
    A: Array | None
    b: Array | None

    def problem(self, asking: str) -> qpsolvers.Problem:
        """Return it as qpsolvers knows it, for what `asking` names.

        Raises:
            MissingExtra: qpsolvers is not installed.
        """
        need("tasks", asking, "qpsolvers")
        import qpsolvers  # takes half a second, which a script that solves nothing need not wait

        return qpsolvers.Problem(self.P, self.q, self.G, self.h, self.A, self.b)
