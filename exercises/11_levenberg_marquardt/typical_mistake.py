"""The typical mistake: E is squared and the fading is not, so beyond w₀ the damping is negative."""

import sympy as sp

from lessons_lib import pose_ik


def fading_damping(r, w0):
    """Return E/(2r²) (1 − w/w₀) for λ² = E/(2r²) max(0, 1 − w/w₀)²."""
    return pose_ik.Damping(lambda E, J, r, w0: E / (2 * r**2) * (1 - sp.sqrt((J * J.T).det()) / w0), r=r, w0=w0)
