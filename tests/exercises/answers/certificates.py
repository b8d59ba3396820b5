"""Certify a solution, or refuse."""

import numpy as np


def by_inverse(F, J, K):
    """By the inverse itself, and by the root of the parabola in its other form, in longer arithmetic."""
    if not np.linalg.cond(J) < 1e12:
        return [0, 0]
    P = np.linalg.inv(J)
    eta, b = np.longdouble(np.linalg.norm(P @ F)), np.longdouble(np.linalg.norm(P) * K)
    if 2 * eta * b > 1:
        return [0, 0]
    return [float((1 - np.sqrt(1 - 2 * eta * b)) / b), float(1 / b)]


def spectral(F, K, eta, sigma):
    return ball(eta, K / sigma[-1])


def parts(F, J, K):
    sigma = np.linalg.svd(J, compute_uv=False)
    if sigma[-1] < 1e-9:
        return None
    return np.linalg.norm(np.linalg.solve(J, F)), sigma


def ball(eta, b):
    return (2 * eta / (1 + np.sqrt(1 - 2 * b * eta)), 1 / b) if b * eta <= 0.5 else (0.0, 0.0)


def with_numbers(change):
    """A certificate that is right but for what `change` makes of F, K, η and the singular values."""

    def certify(F, J, K):
        known = parts(F, J, K)
        return (0.0, 0.0) if known is None else change(F, K, *known)

    return {"certify": certify}


def clamped(F, K, eta, sigma):
    b = K * np.linalg.norm(1 / sigma)
    return 2 * eta / (1 + np.sqrt(max(0, 1 - 2 * b * eta))), 1 / b


def after(change):
    """A certificate that is right where it refuses, and changed where it does not."""

    def certify(F, J, K):
        radius, alone = by_inverse(F, J, K)
        if not alone:
            return 0, 0
        return change(np.linalg.norm(np.linalg.solve(J, F)), 1 / alone, radius, alone)

    return {"certify": certify}


def larger(eta, b, radius, alone):
    return 2 / b - radius, alone


def truths(F, J, K, lines):
    eta, beta, kappa, h, r, s = lines
    P = np.linalg.inv(J)
    yield np.linalg.norm(P @ F) <= eta
    yield np.linalg.norm(P) <= beta
    yield K <= kappa
    yield eta * beta * kappa <= h <= 0.5
    yield eta + beta * kappa * r**2 / 2 <= r
    yield s * beta * kappa <= 1


def by_looking(F, J, K, lines):
    for number, true in enumerate(truths(F, J, K, lines), 1):
        if not true:
            return number
    return 0


def exact(F, J, K, lines):
    eta, beta, kappa, h, r, s = lines
    P = np.linalg.inv(J)
    pairs = [(np.linalg.norm(P @ F), eta), (np.linalg.norm(P), beta), (K, kappa), (eta * beta * kappa, h)]
    for number, (one, other) in enumerate(pairs, 1):
        if not np.isclose(one, other):
            return number
    return by_looking(F, J, K, lines)


def judge(answer):
    return {"first_false": answer}


RIGHT = {
    "by the inverse": {"certify": by_inverse},
    "looking line by line": judge(by_looking),
}
SLIPS = {
    "your ball is not proven": with_numbers(clamped),
    "your norm is the largest singular value": with_numbers(spectral),
    "your radius is the larger root": after(larger),
    "larger than necessary is still true": judge(exact),
}
UNNAMED = {
    "a little large": after(lambda eta, b, radius, alone: (1.05 * radius, alone)),
    "always right": judge(lambda *_: 0),
}
