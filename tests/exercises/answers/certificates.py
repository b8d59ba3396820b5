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


def by_looking(F, J, K, lines):
    eta, beta, kappa, h, r, s = lines
    P, b = np.linalg.inv(J), beta * kappa
    first = [np.linalg.norm(P @ F) <= eta, np.linalg.norm(P) <= beta, K <= kappa]
    true = [*first, eta * b <= h <= 0.5, eta + b * r**2 / 2 <= r, s * b <= 1]
    return next((number for number, holds in enumerate(true, 1) if not holds), 0)


def tight_at(number):
    """Read one line from 4 to 6 with K instead of κ."""

    def answer(F, J, K, lines):
        found = by_looking(F, J, K, lines)
        tight = by_looking(F, J, K, [*lines[:2], K, *lines[3:]])
        return found if found != number else tight * (tight > number)

    return answer


def close(F, J, K, lines):
    """Whether line 6 is the first false line, but would be true with the smallest bounds."""
    return by_looking(F, J, K, lines) == 6 and lines[5] * np.linalg.norm(np.linalg.inv(J)) * K <= 1


def with_smaller_ball(lines):
    """The lines with a ball that is no larger than 1/b."""
    return [*lines[:4], min(lines[4], 1 / (lines[1] * lines[2])), lines[5]]


RIGHT = {"by the inverse": {"certify": by_inverse}, "looking line by line": {"first_false": by_looking}}
SLIPS = {
    "[refused]": {"certify": lambda F, J, K: by_inverse(F, J, K) if np.linalg.cond(J) < 1e4 else [0, 0]},
    "[half-b]": {"certify": lambda F, J, K: by_inverse(F, J, K / 2)},
    "[from-zero]": {"first_false": lambda *given: max(by_looking(*given) - 1, 0)},
}
UNNAMED = {
    "refused above 0.45": {
        "certify": lambda F, J, K: by_inverse(F, J, K) if any(by_inverse(F, J, K / 0.9)) else [0, 0]
    },
    "line 5 also compares with 1/b": {
        "first_false": lambda *given: by_looking(*given) or 5 * (with_smaller_ball(given[3])[4] < given[3][4])
    },
    "always right": {"first_false": lambda *_: 0},
    "line 2 is not read": {"first_false": lambda *given: by_looking(*given) * (by_looking(*given) != 2)},
    "a ball that is too large": {"first_false": lambda *given: by_looking(*given[:3], with_smaller_ball(given[3]))},
    **{f"line {number} with K": {"first_false": tight_at(number)} for number in (4, 5, 6)},
    "line 6 by better numbers": {"first_false": lambda *given: by_looking(*given) * (not close(*given))},
}
