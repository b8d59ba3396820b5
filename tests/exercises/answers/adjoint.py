import numpy as np

from lessons_lib import lie


def from_the_hand(J_s, T_sb, T_bc):
    J_b = lie.adjoint(lie.inverse(T_sb)) @ J_s
    return lie.adjoint(lie.inverse(T_bc)) @ J_b


RIGHT = {
    "cross product": {
        "space_jacobian_from_aligned": lambda J_a, T_sb: np.vstack(
            [J_a[3:], J_a[:3] + np.cross(T_sb[:3, 3], J_a[3:], axis=0)]
        )
    },
    "over the hand": {"camera_jacobian": from_the_hand},
}
SLIPS = {
    "your rows are still in the order (v, ω)": {"space_jacobian_from_aligned": lambda J_a, _: J_a},
    "the length of v depends on the origin": {"frame_free": lambda w, v: sum(a**2 for a in v)},
    "mixes radians and metres": {"frame_free": lambda w, v: sum(a**2 for a in w + v)},
}
