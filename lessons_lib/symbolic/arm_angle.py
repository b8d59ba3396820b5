"""The arm angle: the angle of the elbow about the line from shoulder to wrist."""
# Source: Shimizu et al., Analytical inverse kinematic computation for 7-DOF redundant manipulators (2008), with another
# reference plane.

import sympy as sp


def sine_and_cosine(elbow: sp.Matrix, wrist: sp.Matrix, up: sp.Matrix) -> sp.Matrix:
    """Return (sin ψ, cos ψ) times a common positive factor, 2×1; both are zero if ψ is undefined."""
    # elbow and wrist are seen from the shoulder; at ψ = 0 the elbow is above the line, in the plane of the line and
    # `up`; ψ is right-handed about the line towards the wrist
    length = sp.sqrt((wrist.T * wrist)[0])
    side = wrist.cross(up)
    return sp.Matrix([length * (wrist.T * up.cross(elbow))[0], (side.T * wrist.cross(elbow))[0]])


def arm_angle(elbow: sp.Matrix, wrist: sp.Matrix, up: sp.Matrix) -> sp.Expr:
    """Return ψ in (−π, π]; arguments as in `sine_and_cosine`."""
    return sp.atan2(*sine_and_cosine(elbow, wrist, up))
