"""The quadratic program: minimize ½ xᵀHx + cᵀx subject to Gx ≤ h.

Lesson 16 derives its optimality conditions (Karush 1939, Kuhn and Tucker 1951).
"""

import sympy as sp


def objective(H: sp.Matrix, c: sp.Matrix, x: sp.Matrix) -> sp.Expr:  # noqa: N803
    """Return ½ xᵀHx + cᵀx.

    Args:
        H: Symmetric, n×n.
        c: n×1.
        x: n×1.
    """
    return ((x.T * H * x)[0] / 2 + (c.T * x)[0]).expand()


def lagrangian(H: sp.Matrix, c: sp.Matrix, G: sp.Matrix, h: sp.Matrix, x: sp.Matrix, mu: sp.Matrix) -> sp.Expr:  # noqa: N803
    """Return the Lagrangian, the objective plus μᵀ(Gx − h).

    Args:
        H: Symmetric, n×n.
        c: n×1.
        G: Constraint rows, m×n.
        h: m×1.
        x: n×1.
        mu: Multipliers, m×1.
    """
    return (objective(H, c, x) + (mu.T * (G * x - h))[0]).expand()


def solve_equalities(H: sp.Matrix, c: sp.Matrix, G: sp.Matrix, h: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:  # noqa: N803
    """Minimize the objective subject to Gx = h; return x (n×1) and the multipliers μ (m×1).

    Both follow from one linear system: the gradient of the Lagrangian is zero, and Gx = h.

    Args:
        H: Symmetric, n×n.
        c: n×1.
        G: m×n, rows linearly independent; m = 0 gives the unconstrained minimum.
        h: m×1.

    Source: Nocedal and Wright, Numerical Optimization (2006), equation 16.4.
    """
    n, m = H.rows, G.rows
    system = sp.Matrix(sp.BlockMatrix([[H, G.T], [G, sp.zeros(m, m)]])) if m else H
    solution = system.LUsolve(sp.Matrix.vstack(-c, h) if m else -c).applyfunc(sp.cancel)
    return solution[:n, :], solution[n:, :]
