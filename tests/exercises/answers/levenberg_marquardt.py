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


def branches(E, J, r, w0):
    if w(J) < w0:
        return E / (2 * r**2) * (1 - w(J) / w0) ** 2
    return 0


def by_halving(change=lambda D: D):
    """Solve the second task by halving an interval; a mistake changes the D in the end."""

    def answer(J, V, r):
        def size(D):
            tall = np.vstack([J, np.sqrt(D) * np.eye(J.shape[1])])
            return np.linalg.norm(np.linalg.lstsq(tall, np.append(V, np.zeros(J.shape[1])), rcond=None)[0])

        if size(0.0) <= r:
            return 0.0
        low, high = 0.0, 1e6
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if size(middle) > r else (low, middle)
        return change(high)

    return {"least_damping": answer}


# the second answers come with a policy that is there: each is compiled, and that takes longest
RIGHT = {"the root of a Piecewise": policy(root_of_a_piecewise) | by_halving()}
WRONG = {
    "if": policy(branches),
    "JᵀJ": policy(lambda E, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - sp.sqrt((J.T * J).det()) / w0) ** 2),
}
SLIPS = {
    "Beyond w₀, λ is zero, and so is D": policy(lambda E, J, r, w0: E / (2 * r**2) * (1 - w(J) / w0)),
    "and sp.Piecewise for a choice": policy(branches),
    "this is λ; expected": {"fading_damping": lambda r, w0: None} | by_halving(np.sqrt),
    "D must not be negative": {"fading_damping": lambda r, w0: None} | by_halving(np.negative),
}
UNNAMED = {
    "a little off": policy(lambda E, J, r, w0: E / (2.01 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2 + E / 1000),
    "a weighted w": policy(
        lambda E, W, J, r, w0: E / (2 * r**2) * sp.Max(0, 1 - sp.sqrt((J.T * sp.diag(*W) * J).det()) / w0) ** 2
    ),
}
