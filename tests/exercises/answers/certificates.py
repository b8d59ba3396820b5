"""Certify an answer, or refuse."""

import both_ways
import numpy as np
import sympy as sp


def by_inverse(F, J, K):
    """By the inverse itself, and by the root of the parabola in its other form, in longer arithmetic."""
    if not np.linalg.cond(J) < 1e12:
        return [0, 0]
    P = np.linalg.inv(J)
    eta, b = np.longdouble(np.linalg.norm(P @ F)), np.longdouble(np.linalg.norm(P, 2) * K)
    if 2 * eta * b > 1:
        return [0, 0]
    return [float((1 - np.sqrt(1 - 2 * eta * b)) / b), float(1 / b)]


def by_steps(F, J, K):
    """By repeating r = η + ½ b r² from below: it goes to the smaller root."""
    sigma = np.sqrt(max(np.linalg.eigvalsh(J.T @ J)[0], 0))
    if sigma < 1e-9:
        return np.zeros(2)
    eta, b = np.linalg.norm(np.linalg.lstsq(J, F, rcond=None)[0]), K / sigma
    if eta * b > 0.5:
        return np.zeros(2)
    r = 0.0
    for _ in range(5000):
        r = eta + b * r**2 / 2
    return np.array([r, 1 / b])


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
    b = K / sigma[-1]
    return 2 * eta / (1 + np.sqrt(max(0, 1 - 2 * b * eta))), 1 / b


def after(change):
    """A certificate that is right where it refuses, and changed where it does not."""

    def certify(F, J, K):
        radius, alone = by_inverse(F, J, K)
        if not alone:
            return 0, 0
        return change(np.linalg.norm(np.linalg.solve(J, F)), 1 / alone, radius, alone)

    return {"certify": certify}


def no_half(eta, b, radius, alone):
    return 2 * eta / (1 + np.sqrt(max(0, 1 - 4 * b * eta))), alone


def larger(eta, b, radius, alone):
    return 2 / b - radius, alone


def truths(F, J, K, lines):
    eta, beta, kappa, h, r, s = lines
    P = np.linalg.inv(J)
    yield np.linalg.norm(P @ F) <= eta
    yield np.linalg.norm(P, 2) <= beta
    yield K <= kappa
    yield eta * beta * kappa <= h <= 0.5
    yield eta + beta * kappa * r**2 / 2 <= r
    yield s * beta * kappa <= 1


def by_looking(F, J, K, lines):
    for number, true in enumerate(truths(F, J, K, lines), 1):
        if not true:
            return number
    return 0


def by_roots(F, J, K, lines):
    """Line 5 by the two roots of the parabola."""
    eta, beta, kappa, _, r, _ = lines
    true = list(truths(F, J, K, lines))
    roots = np.roots([beta * kappa / 2, -1, eta])
    true[4] = bool(np.isreal(roots).all() and roots.real.min() <= r <= roots.real.max())
    return np.argmin([*true, False] if all(true) else true) + 1 if not all(true) else np.int64(0)


def exact(F, J, K, lines):
    eta, beta, kappa, h, r, s = lines
    P = np.linalg.inv(J)
    pairs = [(np.linalg.norm(P @ F), eta), (np.linalg.norm(P, 2), beta), (K, kappa), (eta * beta * kappa, h)]
    for number, (one, other) in enumerate(pairs, 1):
        if not np.isclose(one, other):
            return number
    return by_looking(F, J, K, lines)


def with_own(F, J, K, lines):
    P = np.linalg.inv(J)
    e, b = np.linalg.norm(P @ F), np.linalg.norm(P, 2) * K
    true = list(truths(F, J, K, lines))
    _, _, _, h, r, s = lines
    true[3:] = e * b <= h <= 0.5, e + b * r**2 / 2 <= r, s * b <= 1
    return 0 if all(true) else true.index(False) + 1


def last(F, J, K, lines):
    false = [number for number, true in enumerate(truths(F, J, K, lines), 1) if not true]
    return false[-1] if false else 0


def how_many(F, J, K, lines):
    return sum(not true for true in truths(F, J, K, lines))


def turned(F, J, K, lines):
    eta, beta, kappa, *_ = lines
    P = np.linalg.inv(J)
    true = [np.linalg.norm(P @ F) >= eta, np.linalg.norm(P, 2) >= beta, K >= kappa]
    return true.index(False) + 1 if not all(true) else by_looking(F, J, K, lines)


def judge(answer):
    return {"first_false": answer}


RIGHT = {
    "by the inverse": {"certify": by_inverse},
    "by repeating": {"certify": by_steps},
    "looking line by line": judge(by_looking),
    "by the roots": judge(by_roots),
}
SLIPS = {
    "a ball is given all the same": with_numbers(clamped),
    "η is the length of P F": with_numbers(lambda F, K, eta, sigma: ball(np.linalg.norm(F), K / sigma[-1])),
    "and not that value": with_numbers(lambda F, K, eta, sigma: ball(eta, K * sigma[-1])),
    "the norm of P is one over the smallest": with_numbers(lambda F, K, eta, sigma: ball(eta, K / sigma[0])),
    "all entries together give more": with_numbers(lambda F, K, eta, sigma: ball(eta, K * np.linalg.norm(1 / sigma))),
    "the bound on the second derivative is left out": with_numbers(lambda F, K, eta, sigma: ball(eta, 1 / sigma[-1])),
    "this is the larger root": after(larger),
    "the next ones go farther": after(lambda eta, b, radius, alone: (eta, alone)),
    "may hold two solutions": after(lambda eta, b, radius, alone: (radius, 2 / b - radius)),
    "the radius comes first": after(lambda eta, b, radius, alone: (alone, radius)),
    "the half before": after(no_half),
    "h is below ½": {"certify": lambda *_: (0.0, 0.0)},
    "larger than it has to be is still true": judge(exact),
    "a bound is true where it is the larger one": judge(turned),
    "and not from better ones": judge(with_own),
    "the last false line": judge(last),
    "how many lines are false": judge(how_many),
    "counted from 1": judge(lambda *given: by_looking(*given) - 1),
    "your function returned None": judge(lambda *_: None),
}
UNNAMED = {
    "a little large": after(lambda eta, b, radius, alone: (1.05 * radius, alone)),
    "a little alone": after(lambda eta, b, radius, alone: (radius, 1.05 * alone)),
    "always right": judge(lambda *_: 0),
}
RIGHT |= {
    "stated 1": {"smaller_root": lambda eta, b: (1 - sp.sqrt(1 - 2 * b * eta)) / b},
    "stated 2": {"smaller_root": lambda eta, b: 1 / b - sp.sqrt(1 / b**2 - 2 * eta / b)},
}
SLIPS |= {
    "this is the larger root": {"smaller_root": lambda eta, b: (1 + sp.sqrt(1 - 2 * b * eta)) / b},
    "the factor ½ of r² is missing": {"smaller_root": lambda eta, b: (1 - sp.sqrt(1 - 4 * b * eta)) / (2 * b)},
    "the root without the square": {"smaller_root": lambda eta, b: eta},
    "the sign is flipped": {"smaller_root": lambda eta, b: (sp.sqrt(1 - 2 * b * eta) - 1) / b},
}
UNNAMED["another formula"] = {"smaller_root": lambda eta, b: eta + b * eta**2}

RIGHT |= both_ways.RIGHT
SLIPS |= both_ways.SLIPS
UNNAMED |= both_ways.UNNAMED
