"""Where an elbow stands, in symbols: the angle by which it has turned about the line from shoulder to wrist.

Source: Shimizu et al., Analytical inverse kinematic computation for 7-DOF redundant manipulators with joint limits and
its application to redundancy resolution (2008), who measure from another plane.
"""

import sympy as sp


def sine_and_cosine(elbow: sp.Matrix, wrist: sp.Matrix, up: sp.Matrix) -> sp.Matrix:
    """Return (sin ψ, cos ψ) times one and the same positive number, 2×1; both zero where there is no such angle.

    ψ = 0 has the elbow above the line, in the plane of the line and `up`; a positive ψ turns it right-handed about the
    line towards the wrist.

    Args:
        elbow: From the shoulder to the elbow, 3×1.
        wrist: From the shoulder to the wrist, 3×1.
        up: Any vector that is not along the line, 3×1.
    """
    length = sp.sqrt((wrist.T * wrist)[0])
    side = wrist.cross(up)
    return sp.Matrix([length * (wrist.T * up.cross(elbow))[0], (side.T * wrist.cross(elbow))[0]])


def arm_angle(elbow: sp.Matrix, wrist: sp.Matrix, up: sp.Matrix) -> sp.Expr:
    """Return ψ in (−π, π]; arguments as in `sine_and_cosine`."""
    return sp.atan2(*sine_and_cosine(elbow, wrist, up))
