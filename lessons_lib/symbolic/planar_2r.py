r"""The planar arm with two revolute joints in symbols: forwards by two sums, backwards in closed form.

With r the distance from the base to the tip, and the gaps between its square and the squares of the two ends of the
arm's reach,

    g_out = (L₁ + L₂)² − r²,    g_in = r² − (L₁ − L₂)²,    tan²(q₂/2) = g_out / g_in.

The gaps add up to 4 L₁L₂, so they are never negative both, and the arm reaches exactly the ring in which neither is.
The half angle takes the place of the arc cosine, which loses up to half of its digits where a gap is small.

Lesson 01 derives and proves it. Lynch & Park, Modern Robotics (2017), ch. 6, solve the same arm by arc cosines.
"""

import sympy as sp


def corners(q_1: sp.Expr, q_2: sp.Expr, L_1: sp.Expr, L_2: sp.Expr) -> tuple[sp.Matrix, sp.Matrix]:  # noqa: N803
    """Return elbow and tip in the plane, each 2×1: a link's length in its direction, one link after the other."""
    elbow = L_1 * _direction(q_1)
    return elbow, elbow + L_2 * _direction(q_1 + q_2)


def gaps(r: sp.Expr, stretched: sp.Expr, folded: sp.Expr) -> sp.Matrix:
    """Return (g_out, g_in), 2×1, in factors: a difference of squares would lose the digits that the factors keep.

    Args:
        r: Distance from the base to the tip.
        stretched: L₁ + L₂, the reach of the stretched arm.
        folded: L₁ − L₂, the reach of the folded arm; its sign does not matter here.
    """
    return sp.Matrix([(stretched - r) * (stretched + r), (r - folded) * (r + folded)])


def count_solutions(r: sp.Expr, stretched: sp.Expr, folded: sp.Expr, blur: sp.Expr) -> sp.Matrix:
    """Return (k, g_out, g_in), 3×1: how many configurations reach the distance r, and the gaps that they are made of.

    At an edge of the ring one gap is zero, and as only their ratio matters the other one is put to 1: the difference of
    two nearly equal lengths is not asked for more digits than it has. Beyond the ring k is 0 and the gaps mean nothing.

    Args:
        r: Distance from the base to the tip.
        stretched: L₁ + L₂, the reach of the stretched arm.
        folded: L₁ − L₂, the reach of the folded arm; its sign does not matter here.
        blur: How far from an edge r still counts as on it.
    """
    g_out, g_in = gaps(r, stretched, folded)
    beyond = sp.Or(r > stretched + blur, r < sp.Abs(folded) - blur)
    outer, inner = r >= stretched - blur, r <= sp.Abs(folded) + blur
    return sp.Matrix(
        [
            sp.Piecewise((0, beyond), (1, sp.Or(outer, inner)), (2, True)),
            sp.Piecewise((0, outer), (1, inner), (g_out, True)),
            sp.Piecewise((1, outer), (0, inner), (g_in, True)),
        ]
    )


def elbow_angle(g_out: sp.Expr, g_in: sp.Expr, elbow: sp.Expr) -> sp.Expr:
    """Return q₂ in [−π, π]; `elbow` is +1 or −1, and the sign of q₂."""
    return 2 * sp.atan2(elbow * sp.sqrt(g_out), sp.sqrt(g_in))


def lever(g_out: sp.Expr, g_in: sp.Expr, L_1: sp.Expr, L_2: sp.Expr, elbow: sp.Expr) -> sp.Matrix:  # noqa: N803
    """Return the tip as the first link sees it, 4 L₁L₂ (L₁ + L₂ cos q₂, L₂ sin q₂), 2×1, without a division."""
    return sp.Matrix([(L_1 + L_2) * g_in + (L_1 - L_2) * g_out, 2 * L_2 * elbow * sp.sqrt(g_out * g_in)])


def shoulder_direction(tip: sp.Matrix, lever: sp.Matrix) -> sp.Matrix:
    """Return a multiple of (cos q₁, sin q₁), 2×1: the turn that carries the lever to the tip.

    Both are zero for a tip at the base, where every q₁ will do.
    """
    (x, y), (along, across) = tip, lever
    return sp.Matrix([x * along + y * across, y * along - x * across])


def angles(
    tip: sp.Matrix,
    gaps: sp.Matrix,
    lengths: sp.Matrix,
    elbow: sp.Expr,
) -> sp.Matrix:
    """Return (q₁, q₂), 2×1, in [−π, π].

    Args:
        tip: (x, y), 2×1.
        gaps: (g_out, g_in), 2×1; only their ratio matters.
        lengths: (L₁, L₂), 2×1.
        elbow: +1 or −1, the sign of q₂.
    """
    (g_out, g_in), (L_1, L_2) = gaps, lengths
    cosine, sine = shoulder_direction(tip, lever(g_out, g_in, L_1, L_2, elbow))
    return sp.Matrix([sp.atan2(sine, cosine), elbow_angle(g_out, g_in, elbow)])


def _direction(angle: sp.Expr) -> sp.Matrix:
    return sp.Matrix([sp.cos(angle), sp.sin(angle)])
