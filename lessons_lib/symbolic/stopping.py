"""Bounds on the speed of a joint near its limit: without and with a bound on its deceleration."""

import sympy as sp


def barrier_bound(distance: sp.Expr, gain: sp.Expr) -> sp.Expr:
    """Return the largest approach speed of a control barrier, γ d.

    Args:
        distance: d to the limit, rad or m.
        gain: γ, 1/s.

    Source: Ames et al., Control barrier functions: theory and applications (2019).
    """
    return gain * distance


def damper_bound(distance: sp.Expr, security: sp.Expr, influence: sp.Expr, speed: sp.Expr) -> sp.Expr:
    """Return the largest approach speed of a velocity damper, v_i (d − d_s)/(d_i − d_s).

    Args:
        distance: d, rad or m.
        security: d_s, the safety distance.
        influence: d_i > d_s, the distance at which the damper begins.
        speed: v_i (ξ in the paper), the approach speed allowed there, rad/s or m/s.

    Source: Faverjon and Tournassoud, A local based approach for path planning of manipulators with a high number of
    degrees of freedom (1987).
    """
    return speed * (distance - security) / (influence - security)


def braking_bound(distance: sp.Expr, deceleration: sp.Expr) -> sp.Expr:
    """Return the largest speed from which a joint can stop within a distance, √(2 a d), solved from `braking_distance`.

    Args:
        distance: d > 0, rad or m.
        deceleration: a > 0, rad/s² or m/s².
    """
    speed = sp.Dummy("v", nonnegative=True)
    (bound,) = sp.solve(braking_distance(speed, deceleration) - distance, speed)
    return bound


def braking_distance(speed: sp.Expr, deceleration: sp.Expr) -> sp.Expr:
    """Return the distance to a stop, rad or m, the integral of the speed until it is zero.

    Args:
        speed: v ≥ 0, rad/s or m/s.
        deceleration: a > 0, rad/s² or m/s².
    """
    t = sp.Dummy("t")
    return sp.expand(sp.integrate(speed - deceleration * t, (t, 0, speed / deceleration)))


def braking_bound_in_steps(distance: sp.Expr, deceleration: sp.Expr, dt: sp.Expr) -> sp.Expr:
    """Return the largest speed during one time step after which a joint can stop, 2 a d/(a dt + √(a² dt² + 2 a d)).

    It solves v = braking_bound(d − v dt) without cancellation for small d.

    Args:
        distance: d, rad or m.
        deceleration: a > 0, rad/s² or m/s².
        dt: Duration of the step, s.
    """
    a, d = deceleration, distance
    return 2 * a * d / (a * dt + sp.sqrt(a**2 * dt**2 + 2 * a * d))
