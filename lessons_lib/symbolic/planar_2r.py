"""The planar 2R arm: forward kinematics by two sums, inverse kinematics in closed form (derived in lesson 01)."""
# With the gaps g_out = (L₁ + L₂)² − r² and g_in = r² − (L₁ − L₂)², tan²(q₂/2) = g_out / g_in. They add up to 4 L₁L₂, so
# at most one is negative, and the arm reaches exactly the annulus in which neither is. The half angle replaces the arc
# cosine of Lynch & Park, Modern Robotics (2017), ch. 6, which loses up to half of its digits where a gap is small.

import sympy as sp


def corners(q_1: sp.Expr, q_2: sp.Expr, L_1: sp.Expr, L_2: sp.Expr) -> tuple[sp.Matrix, sp.Matrix]:  # noqa: N803
    """Return elbow and tip in the plane, 2×1 each."""
    elbow = L_1 * _direction(q_1)
    return elbow, elbow + L_2 * _direction(q_1 + q_2)


def gaps(r: sp.Expr, stretched: sp.Expr, folded: sp.Expr) -> sp.Matrix:
    """Return (g_out, g_in), 2×1, as products, which keep the digits that a difference of squares loses."""
    # stretched and folded are L₁ + L₂ and ±(L₁ − L₂)
    return sp.Matrix([(stretched - r) * (stretched + r), (r - folded) * (r + folded)])


def count_solutions(r: sp.Expr, stretched: sp.Expr, folded: sp.Expr, tolerance: sp.Expr) -> sp.Matrix:
    """Return (k, g_out, g_in), 3×1: the number of configurations at distance r, and the gaps that determine them."""
    # Within `tolerance` of a limit of the reach one gap is set to 0 and the other to 1, because only their ratio
    # matters and the small one has no correct digits. Outside the reach k is 0 and the gaps have no meaning.
    g_out, g_in = gaps(r, stretched, folded)
    beyond = sp.Or(r > stretched + tolerance, r < sp.Abs(folded) - tolerance)
    outer, inner = r >= stretched - tolerance, r <= sp.Abs(folded) + tolerance
    return sp.Matrix(
        [
            sp.Piecewise((0, beyond), (1, sp.Or(outer, inner)), (2, True)),
            sp.Piecewise((0, outer), (1, inner), (g_out, True)),
            sp.Piecewise((1, outer), (0, inner), (g_in, True)),
        ]
    )


def elbow_angle(g_out: sp.Expr, g_in: sp.Expr, elbow: sp.Expr) -> sp.Expr:
    """Return q₂ in [−π, π]; `elbow` is +1 or −1, the sign of q₂."""
    return 2 * sp.atan2(elbow * sp.sqrt(g_out), sp.sqrt(g_in))


def lever(g_out: sp.Expr, g_in: sp.Expr, L_1: sp.Expr, L_2: sp.Expr, elbow: sp.Expr) -> sp.Matrix:  # noqa: N803
    """Return the tip in the frame of the first link times 4 L₁L₂, (L₁ + L₂ cos q₂, L₂ sin q₂), without a division."""
    return sp.Matrix([(L_1 + L_2) * g_in + (L_1 - L_2) * g_out, 2 * L_2 * elbow * sp.sqrt(g_out * g_in)])


def shoulder_direction(tip: sp.Matrix, lever: sp.Matrix) -> sp.Matrix:
    """Return a multiple of (cos q₁, sin q₁), 2×1, which rotates the lever to the tip; zero for a tip at the base."""
    (x, y), (along, across) = tip, lever
    return sp.Matrix([x * along + y * across, y * along - x * across])


def angles(
    tip: sp.Matrix,
    gaps: sp.Matrix,
    lengths: sp.Matrix,
    elbow: sp.Expr,
) -> sp.Matrix:
    """Return (q₁, q₂), 2×1, in [−π, π], for the gaps (g_out, g_in) up to a factor; elbow = ±1 is the sign of q₂."""
    (g_out, g_in), (L_1, L_2) = gaps, lengths
    cosine, sine = shoulder_direction(tip, lever(g_out, g_in, L_1, L_2, elbow))
    return sp.Matrix([sp.atan2(sine, cosine), elbow_angle(g_out, g_in, elbow)])


def _direction(angle: sp.Expr) -> sp.Matrix:
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])
