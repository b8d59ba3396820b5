"""Time scalings s(τ) from s(0) = 0 to s(1) = 1 with zero velocity at both ends."""
# Source: Lynch & Park, Modern Robotics (2017), §9.2.2.

import sympy as sp

from lessons_lib.symbolic.formulas import formula


@formula
def polynomial(tau: sp.Symbol, derivatives: int) -> sp.Expr:
    """Return the s(τ) of lowest degree whose derivatives up to an order vanish at both ends: 1 cubic, 2 quintic."""
    coefficients = sp.symbols(f"a0:{2 * derivatives + 2}")
    s = sum(a * tau**k for k, a in enumerate(coefficients))
    conditions = [s.subs(tau, 0), s.subs(tau, 1) - 1]
    for order in range(1, derivatives + 1):
        conditions += [s.diff(tau, order).subs(tau, end) for end in (0, 1)]
    (solution,) = sp.linsolve(conditions, *coefficients)
    return sp.expand(s.subs(dict(zip(coefficients, solution, strict=True))))


@formula
def trapezoid(tau: sp.Symbol, ramp: sp.Symbol) -> sp.Expr:
    """Return s(τ) with trapezoidal velocity; `ramp`: share of the duration of each of the two ramps, in (0, 1/2]."""
    a, u = sp.symbols("a u")
    velocity = [a * u, a * ramp, a * (1 - u)]
    ends = [sp.Integer(0), ramp, 1 - ramp, sp.Integer(1)]
    pieces, so_far = [], sp.Integer(0)
    for rate, begin, end in zip(velocity, ends[:-1], ends[1:], strict=True):
        pieces.append(so_far + sp.integrate(rate, (u, begin, tau)))
        so_far = so_far + sp.integrate(rate, (u, begin, end))
    (acceleration,) = sp.solve(so_far - 1, a)  # s(1) = 1
    rising, steady, falling = (sp.factor(piece.subs(a, acceleration)) for piece in pieces)
    return sp.Piecewise((rising, tau < ramp), (steady, tau <= 1 - ramp), (falling, True))
