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
    fading = 1 - w(J) / w0
    return V.T * sp.diag(*W) * V * ((fading + sp.Abs(fading)) / (4 * r)) ** 2


def numbers_in_the_formula(r, w0):
    def rule(V, W, J):
        weighted = sum(weight * v * v for weight, v in zip(W, V, strict=True))
        return weighted / (4 * r**2) * (1 - sp.Min(1, w(J) / w0)) ** 2

    return Damping(rule)


def branches(E, J, r, w0):
    if w(J) < w0:
        return E / (2 * r**2) * (1 - w(J) / w0) ** 2
    return 0


class InPython:
    def __init__(self, r, w0):
        self.r = r

    def matrix_value(self, error, weights):
        return error @ (weights * error) / (4 * self.r**2)


RIGHT = {  # few and each of many parts, for each formula is compiled for the UR10
    "the root of a Piecewise": policy(root_of_a_piecewise),
    "V and W as matrices, half of x + |x|": policy(in_matrices),
    "a sum, a Min, and numbers in the formula": {"fading_damping": numbers_in_the_formula},
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
