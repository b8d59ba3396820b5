r"""How fast may a joint run at a distance from its end? Bounds on its speed, in symbols.

The first two answer for a joint that may stop at once, the last two for one that brakes at a bounded rate a.
"""

import sympy as sp


def barrier_bound(distance: sp.Expr, gain: sp.Expr) -> sp.Expr:
    """Return the fastest approach that a barrier allows, γ d.

    Args:
        distance: d, what is left, rad or m.
        gain: γ, 1/s.

    Source: Ames et al., Control barrier functions: theory and applications (2019).
    """
    return gain * distance


def damper_bound(distance: sp.Expr, security: sp.Expr, influence: sp.Expr, speed: sp.Expr) -> sp.Expr:
    """Return the fastest approach that a velocity damper allows, v_i (d − d_s)/(d_i − d_s).

    Args:
        distance: d, rad or m.
        security: d_s, the distance to be kept.
        influence: d_i, from where on the damper works, above d_s.
        speed: v_i, the approach (ξ in the paper) allowed there, rad/s or m/s.

    Source: Faverjon and Tournassoud, A local based approach for path planning of manipulators with a high number of
    degrees of freedom (1987).
    """
    return speed * (distance - security) / (influence - security)


def braking_bound(distance: sp.Expr, deceleration: sp.Expr) -> sp.Expr:
    """Return the fastest approach from which a joint can still stop, √(2 a d).

    Found by braking from a speed until it is zero, and solving for the speed whose way is d.

    Args:
        distance: d > 0, rad or m.
        deceleration: a > 0, rad/s² or m/s².
    """
    speed = sp.Dummy("v", nonnegative=True)
    (bound,) = sp.solve(braking_distance(speed, deceleration) - distance, speed)
    return bound


def braking_distance(speed: sp.Expr, deceleration: sp.Expr) -> sp.Expr:
    """Return the way to a stop from a speed, rad or m: the speed integrated until it is zero.

    Args:
        speed: v ≥ 0, rad/s or m/s.
        deceleration: a > 0, rad/s² or m/s².
    """
    t = sp.Dummy("t")
    return sp.expand(sp.integrate(speed - deceleration * t, (t, 0, speed / deceleration)))


def braking_bound_in_steps(distance: sp.Expr, deceleration: sp.Expr, dt: sp.Expr) -> sp.Expr:
    """Return the fastest approach for one step after which a joint can still stop, 2 a d/(a dt + √(a² dt² + 2 a d)).

    It solves v = braking_bound(d − v dt): the way that counts is the one that is left after the step. The root is
    written so that nothing cancels where d is small.

    Args:
        distance: d, rad or m.
        deceleration: a > 0, rad/s² or m/s².
        dt: Duration of the step, s.
    """
    a, d = deceleration, distance
    return 2 * a * d / (a * dt + sp.sqrt(a**2 * dt**2 + 2 * a * d))
