import numpy as np

from lessons_lib import lie


def by_cross_product(J_a, T_sb):
    v, omega = J_a[:3], J_a[3:]
    return np.vstack([omega, v + np.cross(T_sb[:3, 3], omega, axis=0)])


NAME = "space_jacobian_from_aligned"
RIGHT = {
    "cross product": {NAME: by_cross_product},
}


def from_the_hand(J_s, T_sb, T_bc):
    J_b = lie.adjoint(lie.inverse(T_sb)) @ J_s
    return lie.adjoint(lie.inverse(T_bc)) @ J_b


RIGHT |= {
    "over the hand": {"camera_jacobian": from_the_hand},
}
SLIPS = {
    "the length of v depends on the origin": {"frame_free": lambda w, v: sum(a**2 for a in v)},
    "mixes radians and metres": {"frame_free": lambda w, v: sum(a**2 for a in w + v)},
}
