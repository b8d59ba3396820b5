"""A damping policy that fades."""

import numpy as np
import sympy as sp

from lessons_lib.pose_ik import Damping


def w(J):
    return sp.sqrt((J * J.T).det())


def policy(rule):
    """A solution made of a rule."""
    return {"fading_damping": lambda r, w0: Damping(rule, r=r, w0=w0)}


def root_of_a_piecewise(E, J, r, w0):
    fading = sp.Piecewise((1 - w(J) / w0, w(J) < w0), (0, True))
    return (sp.sqrt(2 * E) / (2 * r) * fading) ** 2


def in_matrices(V, W, J, r, w0):
    return V.T * sp.diag(*W) * V / (4 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2


def half_of_a_sum(V, W, J, r, w0):
    fading = 1 - w(J) / w0
    weighted = sum(weight * v * v for weight, v in zip(W, V, strict=True))
    return weighted * ((fading + sp.Abs(fading)) / (4 * r)) ** 2


def branches(E, J, r, w0):
    if w(J) < w0:
        return E / (2 * r**2) * (1 - w(J) / w0) ** 2
    return 0


class InPython:
    def __init__(self, r, w0):
        self.r = r

    def matrix_value(self, error, weights):
        return error @ (weights * error) / (4 * self.r**2)


RIGHT = {
    "the root of a Piecewise": policy(root_of_a_piecewise),
    "V and W as matrices": policy(in_matrices),
    "half of x + |x|": policy(half_of_a_sum),
    "numbers in the formula": {
        "fading_damping": lambda r, w0: Damping(lambda E, J: E / (2 * r**2) * (1 - sp.Min(1, w(J) / w0)) ** 2)
    },
}
WRONG = {
    "if": policy(branches),
    "NumPy's square root": policy(lambda E, J, r, w0: (np.sqrt(2 * E) / (2 * r)) ** 2),
    "a policy in plain Python": {"fading_damping": InPython},
    "no formula of the engine": policy(
        lambda E, J, r, w0: E / (2 * r**2) * sp.Heaviside(1 - w(J) / w0) * (1 - w(J) / w0) ** 2
    ),
}
SLIPS = {
    "that is λ, in rad or m a radian": policy(lambda E, J, r, w0: sp.sqrt(E / 2) / r * sp.Max(0, 1 - w(J) / w0)),
    "so the fading is squared, too": policy(lambda E, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - w(J) / w0)),
    "the fading is not cut off": policy(lambda E, J, r, w0: E / (2 * r**2) * (1 - w(J) / w0) ** 2),
    "W weighs radians against metres": policy(
        lambda V, J, r, w0: V.dot(V) / (4 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2
    ),
    "E is only half of VᵀWV": policy(lambda E, J, r, w0: E / (4 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2),
    "it is twice the right one": policy(lambda E, J, r, w0: E / r**2 * sp.Max(0, 1 - w(J) / w0) ** 2),
    "its sign is turned round": policy(lambda E, J, r, w0: -E / (2 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2),
    "its root is missing": policy(lambda E, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - w(J) ** 2 / w0) ** 2),
    "Beyond w₀ λ is zero, and so is D": policy(lambda E, J, r, w0: E / (2 * r**2) * (1 - w(J) / w0)),
    "`if`, `max` and NumPy's functions ask for": policy(branches),
    "What it returns is one number": policy(
        lambda E, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2 * np.eye(6)
    ),
    "the damping does not fade at all": {"fading_damping": lambda r, w0: Damping(lambda E, r: E / (2 * r**2), r=r)},
    "your function returns None": {"fading_damping": lambda r, w0: None},
}
UNNAMED = {
    "a little off": policy(lambda E, J, r, w0: E / (2.01 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2 + E / 1000),
}
