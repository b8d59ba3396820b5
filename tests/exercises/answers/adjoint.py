"""Convert a Jacobian to another frame and order."""

import numpy as np

from lessons_lib import lie


def by_cross_product(J_a, T_sb):
    v, omega = J_a[:3], J_a[3:]
    return np.vstack([omega, v + np.cross(T_sb[:3, 3], omega, axis=0)])


def wrong_lever(J_a, T_sb):
    v, omega = J_a[:3], J_a[3:]
    return np.vstack([omega, v - np.cross(T_sb[:3, 3], omega, axis=0)])


NAME = "space_jacobian_from_aligned"
RIGHT = {
    "cross product": {NAME: by_cross_product},
}


def changed(change):
    return {NAME: lambda J_a, T_sb: change(by_cross_product(J_a, T_sb), T_sb)}


SLIPS = {
    "your lever arm has the wrong sign": {NAME: wrong_lever},
    "the sign is flipped": changed(lambda J, T: -J),
    "your answer is in degrees": changed(lambda J, T: np.degrees(J)),
}
UNNAMED = {
    "a little off": changed(lambda J, T: J + 1e-2),
}


def camera(change):
    """An answer to the second one, made of the space Jacobian and both poses."""
    return {"camera_jacobian": change}


def from_the_hand(J_s, T_sb, T_bc):
    J_b = lie.adjoint(lie.inverse(T_sb)) @ J_s
    return lie.adjoint(lie.inverse(T_bc)) @ J_b


RIGHT |= {
    "over the hand": {"camera_jacobian": from_the_hand},
}
SLIPS |= {
    "T_sb is missing": camera(lambda J, T, C: lie.adjoint(lie.inverse(C)) @ J),
    "the camera is left out": camera(lambda J, T, C: lie.adjoint(lie.inverse(T)) @ J),
    "the two halves are swapped": camera(lambda J, T, C: lie.swap_halves(lie.adjoint(lie.inverse(T @ C)) @ J)),
}
UNNAMED["a camera a little off"] = camera(lambda J, T, C: lie.adjoint(lie.inverse(T @ C)) @ J + 1e-5)
SLIPS |= {
    "the length of v depends on the origin": {"frame_free": lambda w, v: sum(a**2 for a in v)},
    "mixes radians and metres": {"frame_free": lambda w, v: sum(a**2 for a in w + v)},
}
