"""exp and log of SE(3) where they are hardest: near 0, π and 2π, about axes that are nearly x, y or z, far away."""

from __future__ import annotations

import math

import mpmath
import numpy as np

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError
from tools.fuzz.tally import Tally, generator

QUESTION = "Are exp and log right to rounding, whatever the angle, the axis and the distance?"
JUDGE = "mpmath at 50 digits"
UNIT = "twists"
CASES = 12000


UNIT_ROUNDOFF = 2.0**-53
ALLOWED = 16 * UNIT_ROUNDOFF
"""Of a dozen operations on numbers of size 1."""

LARGEST = 1e150
"""Where squares begin to overflow: beyond it a refusal is right, too."""


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Run the cases of these numbers."""
    with mpmath.workdps(50):
        for case in cases:
            rng = generator(seed, case)
            xi = np.concatenate([angle(rng) * axis(rng), length(rng) * axis(rng)])
            tally.tried += 1
            try:
                _judge(xi, case, tally)
            except TransformError as error:
                if not np.abs(xi).max() > LARGEST:
                    tally.fail(case, f"refused {xi.tolist()}: {error}")


def angle(rng: np.random.Generator) -> float:
    """Return an angle: any, or one that lies a tiny way beside a multiple of π/2."""
    kind = rng.integers(4)
    if kind == 0:
        return float(rng.uniform(0.0, 7.0))
    beside = 10.0 ** rng.uniform(-17.0 if kind < 3 else -320.0, -1.0) * rng.choice([-1.0, 1.0])
    middle = rng.choice([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 100.0]) if kind < 3 else 0.0
    return abs(float(middle * math.pi + beside))


def axis(rng: np.random.Generator) -> Array:
    """Return a unit vector: any, along x, y or z, or a tiny way beside one of them or beside a plane of two."""
    kind = rng.integers(4)
    vector = rng.normal(size=3)
    if kind == 1:
        vector = np.eye(3)[int(rng.integers(3))] * rng.choice([-1.0, 1.0])
    elif kind > 1:
        small = rng.permutation([1.0, 1.0 if kind == 2 else 0.0, 0.0]) == 0.0
        vector = np.where(small, 10.0 ** rng.uniform(-20.0, -6.0) * vector, vector)
    return np.asarray(vector / math.sqrt(float(vector @ vector)))


def length(rng: np.random.Generator) -> float:
    """Return a length in m: of an arm, or any that a double holds."""
    return float(rng.uniform(0.0, 2.0) if rng.random() < 0.5 else 10.0 ** rng.uniform(-300.0, 160.0))


def _judge(xi: Array, case: int, tally: Tally) -> None:
    exact = exact_exp(xi)
    size = float(np.linalg.norm(xi[3:] / max(1e-300, np.abs(xi[3:]).max()))) * float(np.abs(xi[3:]).max())
    turn = float(np.linalg.norm(xi[:3]))
    T = lie.exp_se3(xi)
    # ‖ω‖ is rounded once, which turns by that part of the angle
    allowed = ALLOWED * (1.0 + turn)
    _hold("exp", T, exact, allowed, allowed * size, xi, case, tally)
    R = lie.exp_so3(xi[:3])
    _hold("exp_so3", np.vstack([np.column_stack([R, T[:3, 3]]), T[3]]), exact, allowed, allowed * size, xi, case, tally)
    back = lie.log_se3(T)
    if not np.linalg.norm(back[:3]) <= math.pi * (1.0 + 4 * UNIT_ROUNDOFF):
        tally.fail(case, f"the logarithm turns by more than π: {back.tolist()}")
    given = mpmath.matrix(T.tolist())
    away = float(np.abs(T[:3, 3]).max())
    _hold("exp of log", _as_floats(exact_exp(back)), given, 2 * ALLOWED, 4 * ALLOWED * away + 5e-324, xi, case, tally)
    if turn < 3.0:  # below π the logarithm is smooth, and no farther from singular than the angle from 2π
        name, missed = "log of exp", back - xi
        errors = float(np.abs(missed[:3]).max()), float(np.abs(missed[3:]).max())
        _report(name, errors, (2 * ALLOWED, 4 * ALLOWED * size + 5e-324), xi, case, tally)


def _hold(
    name: str, T: Array, exact: mpmath.matrix, angle: float, distance: float, xi: Array, case: int, tally: Tally
) -> None:
    """Compare a pose with the exact one."""
    missed = [[abs(mpmath.mpf(float(T[i, j])) - exact[i, j]) for j in range(4)] for i in range(3)]
    errors = float(max(row[j] for row in missed for j in range(3))), float(max(row[3] for row in missed))
    _report(name, errors, (angle, distance), xi, case, tally)


def _report(
    name: str, errors: tuple[float, float], allowed: tuple[float, float], xi: Array, case: int, tally: Tally
) -> None:
    for what, error, most in zip(("rotation", "position"), errors, allowed, strict=True):
        if most > 1e-300:
            tally.measure(f"{name}, {what}: error over what is allowed", error / most)
        if not error <= most:
            tally.fail(case, f"{name}, {what}: {error:.3g} off, {most:.3g} is allowed, at {xi.tolist()}")


def exact_exp(xi: Array) -> mpmath.matrix:
    """Return exp [ξ] by Rodrigues' formula, at the working precision."""
    w, v = [mpmath.mpf(float(x)) for x in xi[:3]], mpmath.matrix([mpmath.mpf(float(x)) for x in xi[3:]])
    theta = mpmath.sqrt(sum(x * x for x in w))
    hat = mpmath.matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if theta < mpmath.mpf(10) ** -20:  # the next terms are of size θ²: beyond 40 digits
        a, b, c = mpmath.mpf(1), mpmath.mpf(1) / 2, mpmath.mpf(1) / 6
    else:
        a, b = mpmath.sin(theta) / theta, 2 * (mpmath.sin(theta / 2) / theta) ** 2
        c = (theta - mpmath.sin(theta)) / theta**3 if theta > 1e-6 else mpmath.mpf(1) / 6 - theta**2 / 120
    R = mpmath.eye(3) + a * hat + b * hat * hat
    p = (mpmath.eye(3) + b * hat + c * hat * hat) * v
    T = mpmath.eye(4)
    for i in range(3):
        T[i, 3] = p[i]
        for j in range(3):
            T[i, j] = R[i, j]
    return T


def _as_floats(T: mpmath.matrix) -> Array:
    return np.array(T.tolist(), dtype=np.float64)
