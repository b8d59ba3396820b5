"""A typical mistake, to be put in place of the solution: the halves are swapped, the lever arm is forgotten."""

from lessons_lib import lie


def space_jacobian_from_aligned(J_a, T_sb):
    """Bring the rows into the order (ω, v), and take the frame for the same."""
    return lie.swap_halves(J_a)
