"""A Jacobian in another frame."""

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
}
WRONG = {
    "lever arm turned round": {NAME: wrong_lever},
    "only swapped": {NAME: lambda J_a, T_sb: lie.swap_halves(J_a)},
    "Ad of T_sb": {NAME: lambda J_a, T_sb: lie.adjoint(T_sb) @ lie.swap_halves(J_a)},
}
