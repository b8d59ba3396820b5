"""State a damping policy of your own."""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

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

    def value(self, error, weights, jacobian=None):
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
    "which weighs radians against metres": policy(
        lambda V, J, r, w0: V.dot(V) / (4 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2
    ),
    "[half]: your answer is": policy(lambda E, J, r, w0: E / (4 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2),
    "your answer is twice the right one": policy(lambda E, J, r, w0: E / r**2 * sp.Max(0, 1 - w(J) / w0) ** 2),
    "the sign is flipped": policy(lambda E, J, r, w0: -E / (2 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2),
    "the root is missing": policy(lambda E, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - w(J) ** 2 / w0) ** 2),
    "Beyond w₀ λ is zero, and so is D": policy(lambda E, J, r, w0: E / (2 * r**2) * (1 - w(J) / w0)),
    "and sp.Piecewise for a choice": policy(branches),
    "a damping is one number": policy(lambda E, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2 * np.eye(6)),
    "the damping does not fade at all": {"fading_damping": lambda r, w0: Damping(lambda E, r: E / (2 * r**2), r=r)},
    "your function returned None": {"fading_damping": lambda r, w0: None},
}
UNNAMED = {
    "a little off": policy(lambda E, J, r, w0: E / (2.01 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2 + E / 1000),
}


def sizes(J, V, size=np.linalg.norm):
    """Return the size of the damped step as a function of D, zero included."""
    return lambda D: size(
        J.T @ np.linalg.solve(J @ J.T + D * np.eye(len(J)), V) if D else np.linalg.lstsq(J, V, rcond=None)[0]
    )


def halved(change=lambda D, *_: D, size=np.linalg.norm):
    """An answer to the second one, by halving; a slip changes what is held to r, or the D in the end."""

    def answer(J, V, r):
        of, low, high = sizes(J, V, size), 0.0, 1e6
        for _ in range(120 if of(0) > r else 0):
            middle = (low + high) / 2
            low, high = (middle, high) if of(middle) > r else (low, middle)
        return change(high if of(0) > r else 0.0, J, V, r)

    return {"least_damping": answer}


def by_a_root_finder(J, V, r):
    size = sizes(J, V)
    return brentq(lambda D: size(D) - r, 0, V @ V / r**2, xtol=1e-14) if size(0) > r else 0


def by_hebden(J, V, r):
    """Newton's method on 1/‖δ‖, with the singular values: what trust regions do."""
    U, s, _ = np.linalg.svd(J, full_matrices=False)
    kept = s > 1e-12 * s[0]
    s, parts, D = s[kept], (U.T @ V)[kept], 0.0
    for _ in range(100):
        step = s * parts / (s**2 + D)
        size = np.sqrt(step @ step)
        D = max(0.0, D + size**2 / (step**2 @ (1 / (s**2 + D))) * (size - r) / r)
    return np.float64(D)


def bound(D, J, V, r):
    return V @ V / (4 * r**2)


# with a policy that is there: each is compiled, and that takes longest
RIGHT["the root of a Piecewise"] |= halved()
RIGHT["V and W as matrices, half of x + |x|"]["least_damping"] = by_a_root_finder
RIGHT["a sum, a Min, and numbers in the formula"]["least_damping"] = by_hebden
without_a_policy = {"fading_damping": lambda r, w0: None}
SLIPS |= {
    said: without_a_policy | answer
    for said, answer in {
        "claim 10.4's D is enough for every V": halved(bound),
        "that is claim 10.4's λ": halved(lambda *given: np.sqrt(bound(*given))),
        "nothing is damped": halved(lambda *_: 0.0),
        "the largest entry of the step is r": halved(size=lambda step: np.abs(step).max()),
        "the square of the step's length is r": halved(size=lambda step: step @ step),
        "JᵀJ is missing": halved(lambda D, J, V, r: np.linalg.norm(J.T @ V) / r),
        "this is λ; the diagonal": halved(lambda D, *_: np.sqrt(D)),
        "your answer is half the right one": halved(lambda D, *_: D / 2),
        "Hint [sign]": halved(lambda D, *_: -D),
    }.items()
}
UNNAMED["a tenth more damping than it takes"] = RIGHT["the root of a Piecewise"] | halved(lambda D, *_: 1.1 * D)
