"""Bounds on the speed of a joint near its limit: by a barrier, and by a bound on its deceleration."""

import sympy as sp


def barrier_bound(distance: sp.Expr, gain: sp.Expr) -> sp.Expr:
    """Return the largest approach speed of a control barrier, γ d, at distance d (rad or m) with the gain γ, 1/s."""
    # Source: Ames et al., Control barrier functions: theory and applications (2019).
    return gain * distance


def braking_bound(distance: sp.Expr, deceleration: sp.Expr) -> sp.Expr:
    """Return the largest speed from which a joint can stop within d, √(2 a d), solved from `braking_distance`."""
    speed = sp.Dummy("v", nonnegative=True)
    (bound,) = sp.solve(braking_distance(speed, deceleration) - distance, speed)
    return bound


def braking_distance(speed: sp.Expr, deceleration: sp.Expr) -> sp.Expr:
    """Return the distance to a stop, rad or m, the integral of the speed until it is zero."""
    t = sp.Dummy("t")
    return sp.expand(sp.integrate(speed - deceleration * t, (t, 0, speed / deceleration)))
