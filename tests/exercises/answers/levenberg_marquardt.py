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


RIGHT = {
    "the root of a Piecewise": policy(root_of_a_piecewise),
}
WRONG = {
    "if": policy(branches),
}
SLIPS = {
    "Beyond w₀ λ is zero, and so is D": policy(lambda E, J, r, w0: E / (2 * r**2) * (1 - w(J) / w0)),
    "and sp.Piecewise for a choice": policy(branches),
}
UNNAMED = {
    "a little off": policy(lambda E, J, r, w0: E / (2.01 * r**2) * sp.Max(0, 1 - w(J) / w0) ** 2 + E / 1000),
}


def sizes(J, V, size=np.linalg.norm):
    """Return the size of the damped step as a function of D, zero included."""
    return lambda D: size(
        J.T @ np.linalg.solve(J @ J.T + D * np.eye(len(J)), V) if D else np.linalg.lstsq(J, V, rcond=None)[0]
    )


def by_halving(change=lambda D, *_: D, size=np.linalg.norm):
    """An answer to the second one, by halving; a slip changes what is held to r, or the D in the end."""

    def answer(J, V, r):
        of, low, high = sizes(J, V, size), 0.0, 1e6
        for _ in range(120 if of(0) > r else 0):
            middle = (low + high) / 2
            low, high = (middle, high) if of(middle) > r else (low, middle)
        return change(high if of(0) > r else 0.0, J, V, r)

    return {"least_damping": answer}


# with a policy that is there: each is compiled, and that takes longest
RIGHT["the root of a Piecewise"] |= by_halving()
without_a_policy = {"fading_damping": lambda r, w0: None}
SLIPS["this is λ; the diagonal"] = without_a_policy | by_halving(lambda D, *_: np.sqrt(D))
