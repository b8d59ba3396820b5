"""The quadratic program: minimize ½ xᵀHx + cᵀx subject to Gx ≤ h (optimality conditions: lesson 16)."""

import sympy as sp


def objective(H: sp.Matrix, c: sp.Matrix, x: sp.Matrix) -> sp.Expr:  # noqa: N803
    return ((x.T * H * x)[0] / 2 + (c.T * x)[0]).expand()


def lagrangian(H: sp.Matrix, c: sp.Matrix, G: sp.Matrix, h: sp.Matrix, x: sp.Matrix, mu: sp.Matrix) -> sp.Expr:  # noqa: N803
    """Return the Lagrangian, the objective plus μᵀ(Gx − h)."""
    return (objective(H, c, x) + (mu.T * (G * x - h))[0]).expand()


def solve_equalities(H: sp.Matrix, c: sp.Matrix, G: sp.Matrix, h: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:  # noqa: N803
    """Minimize the objective subject to Gx = h, rows of G independent; return x and the multipliers μ (m×1)."""
    # One linear system: the gradient of the Lagrangian is zero, and Gx = h. Source: Nocedal and Wright (2006), eq.
    # 16.4.
    n, m = H.rows, G.rows
    system = sp.Matrix(sp.BlockMatrix([[H, G.T], [G, sp.zeros(m, m)]])) if m else H
    solution = system.LUsolve(sp.Matrix.vstack(-c, h) if m else -c).applyfunc(sp.cancel)
    return solution[:n, :], solution[n:, :]
