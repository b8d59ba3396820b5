"""The quadratic program of one step: assembly, solution by DAQP, and explanation of infeasibility."""

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

    def problem(self, user: str) -> qpsolvers.Problem:
        """Return the program as an object of qpsolvers; `user` is named if qpsolvers is not installed."""
        need("tasks", user, "qpsolvers")
        import qpsolvers  # importing it takes half a second

        return qpsolvers.Problem(self.P, self.q, self.G, self.h, self.A, self.b)
