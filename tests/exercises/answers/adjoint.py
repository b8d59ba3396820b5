"""Convert a Jacobian to another frame and order."""

import numpy as np

from lessons_lib import lie


def by_cross_product(J_a, T_sb):
    v, omega = J_a[:3], J_a[3:]
    return np.vstack([omega, v + np.cross(T_sb[:3, 3], omega, axis=0)])


def over_the_body(J_a, T_sb):
    R = T_sb[:3, :3]
    J_b = np.vstack([R.T @ J_a[3:], R.T @ J_a[:3]])
    return lie.adjoint(T_sb) @ J_b


def swapped_at_the_end(J_a, T_sb):
    T_sa = np.eye(4)
    T_sa[:3, 3] = T_sb[:3, 3]
    return lie.swap_halves(lie.swap_map(lie.adjoint(T_sa)) @ J_a)


def wrong_lever(J_a, T_sb):
    v, omega = J_a[:3], J_a[3:]
    return np.vstack([omega, v - np.cross(T_sb[:3, 3], omega, axis=0)])


NAME = "space_jacobian_from_aligned"
RIGHT = {
    "cross product": {NAME: by_cross_product},
    "over the body frame": {NAME: over_the_body},
    "swapped at the end": {NAME: swapped_at_the_end},
    "a list": {NAME: lambda J_a, T_sb: by_cross_product(J_a, T_sb).tolist()},
}


def changed(change):
    return {NAME: lambda J_a, T_sb: change(by_cross_product(J_a, T_sb), T_sb)}


SLIPS = {
    "your lever arm has the wrong sign": {NAME: wrong_lever},
    "you swapped the halves and left the frame": {NAME: lambda J_a, T_sb: lie.swap_halves(J_a)},
    "you took the adjoint of T_sb, yet {a} has": {NAME: lambda J_a, T_sb: lie.adjoint(T_sb) @ lie.swap_halves(J_a)},
    "your rows are still (v, ω)": {NAME: lambda J_a, T_sb: J_a},
    "your rows are (v, ω): the halves": {NAME: lambda J_a, T_sb: lie.swap_halves(by_cross_product(J_a, T_sb))},
    "you took the adjoint of the inverse of T_sb": {
        NAME: lambda J_a, T_sb: lie.adjoint(lie.inverse(T_sb)) @ lie.swap_halves(J_a)
    },
    "the sign is flipped": changed(lambda J, T: -J),
    "your answer is in degrees": changed(lambda J, T: np.degrees(J)),
    "expected an array of shape (6, 3); your function returned shape (3, 6)": changed(lambda J, T: J.T),
    "your function returned None": {NAME: lambda J_a, T_sb: None},
}
UNNAMED = {
    "a little off": changed(lambda J, T: J + 1e-2),
    "both halves turned back, which for a wrist at the origin is also the inverse's adjoint": {
        NAME: lambda J_a, T_sb: np.vstack([T_sb[:3, :3].T @ J_a[3:], T_sb[:3, :3].T @ J_a[:3]])
    },
}


def camera(change):
    """An answer to the second one, made of the space Jacobian and both poses."""
    return {"camera_jacobian": change}


def from_the_hand(J_s, T_sb, T_bc):
    J_b = lie.adjoint(lie.inverse(T_sb)) @ J_s
    return lie.adjoint(lie.inverse(T_bc)) @ J_b


def point_by_point(J_s, T_sb, T_bc):
    T_sc, (omega, v) = T_sb @ T_bc, (J_s[:3], J_s[3:])
    at_camera = v + np.cross(omega, T_sc[:3, 3], axisa=0, axisb=0, axisc=0)
    return np.vstack([T_sc[:3, :3].T @ omega, T_sc[:3, :3].T @ at_camera])


RIGHT |= {
    "over the hand": {"camera_jacobian": from_the_hand},
    "the velocity of the camera's origin": {"camera_jacobian": point_by_point},
}
SLIPS |= {
    "the camera is left out": camera(lambda J, T, C: lie.adjoint(lie.inverse(T)) @ J),
    "this is the space Jacobian": camera(lambda J, T, C: J),
    "leads the inverse of T_sc": camera(lambda J, T, C: lie.adjoint(T @ C) @ J),
    "T_bc is the wrong way round": camera(lambda J, T, C: lie.adjoint(lie.inverse(T @ lie.inverse(C))) @ J),
    "the factors are exchanged": camera(lambda J, T, C: lie.adjoint(lie.inverse(C @ T)) @ J),
    "and Ad(T_bc) leads from {c} to {b}": camera(lambda J, T, C: lie.adjoint(C) @ lie.adjoint(lie.inverse(T)) @ J),
    "the camera's lever arm is missing": camera(
        lambda J, T, C: np.kron(np.eye(2), C[:3, :3].T) @ lie.adjoint(lie.inverse(T)) @ J
    ),
    "the two halves are swapped": camera(lambda J, T, C: lie.swap_halves(lie.adjoint(lie.inverse(T @ C)) @ J)),
}
UNNAMED["a camera a little off"] = camera(lambda J, T, C: lie.adjoint(lie.inverse(T @ C)) @ J + 1e-5)
RIGHT |= {
    "stated 1": {"frame_free": lambda w, v: sum(a**2 for a in w)},
    "stated 2": {
        "frame_free": lambda w, v: 3 * (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]) - (w[0] ** 2 + w[1] ** 2 + w[2] ** 2)
    },
}
SLIPS |= {
    "the length of v depends on the origin": {"frame_free": lambda w, v: sum(a**2 for a in v)},
    "mixes radians and metres": {"frame_free": lambda w, v: sum(a**2 for a in w + v)},
    "about its own axis alone": {"frame_free": lambda w, v: w[2]},
}
UNNAMED["another formula"] = {"frame_free": lambda w, v: w[0] * v[0]}
