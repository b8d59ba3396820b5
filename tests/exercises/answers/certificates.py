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


def judge(answer):
    return {"first_false": answer}


RIGHT = {
    "by the inverse": {"certify": by_inverse},
    "looking line by line": judge(by_looking),
}
UNNAMED = {
    "always right": judge(lambda *_: 0),
}
