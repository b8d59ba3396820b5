"""A ball around an answer: is the exact solution in it, and is it the only one?"""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np

from lessons_lib import pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.fuzz.arms import on_a_rail
from tools.fuzz.many_digits import doubles, kinematics, missing, nearest_pose
from tools.fuzz.tally import Tally, generator

QUESTION = "Does the ball of each certificate hold the exact solution, and no second one?"
JUDGE = "Newton's method on the product of exponentials in 50 digits; all solutions of the pose"
UNIT = "configurations"
CASES = 25_000

ASKED = 4
"""A case is one arm and so many configurations: exact to rounding or off by up to 0.01 rad, some nearly singular."""

DIGITS, STEPS = 50, 40


def skew() -> Chain:
    """Return six hinges anywhere."""
    rng, home = np.random.default_rng(35), np.eye(4)
    k, o = rng.normal(size=(6, 3)), rng.uniform(-1.0, 1.0, (6, 3))
    k /= np.linalg.norm(k, axis=1)[:, None]
    home[:3, 3] = rng.uniform(-1.0, 1.0, 3)
    return robots.from_screws(np.vstack([k.T, np.cross(o, k).T]), home, name="skew axes")


def with_slide_and_screw() -> Chain:
    """Return a UR10 whose third joint slides and whose fourth moves along as it turns."""
    ur10 = robots.ur10()
    screws = ur10.screws.copy()
    screws[:, 2] = [0, 0, 0, 0.6, 0, 0.8]
    screws[3:, 3] += 0.05 * screws[:3, 3]
    return robots.from_screws(screws, ur10.home, name="slide and screw")


def arms() -> list[Chain]:
    """Return the arms."""
    return [robots.ur10(), robots.panda(), skew(), on_a_rail(), with_slide_and_screw()]


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Ask for certificates, and look for the exact solutions."""
    known = arms()
    for case in cases:
        rng, chain = generator(seed, case), known[case % len(known)]
        for _ in range(ASKED):
            exact = rng.uniform(-3.0, 3.0, chain.dof)
            if rng.random() < 0.4:
                exact[rng.integers(chain.dof)] = rng.choice([-1, 1]) * 10.0 ** rng.uniform(-12, -1)
            off = rng.normal(size=chain.dof) * (0.0 if rng.random() < 0.5 else 10.0 ** rng.uniform(-14, -2))
            tally.tried += 1
            for what in faults(chain, exact, exact + off, tally):
                tally.fail(case, f"{chain.name} at {exact.tolist()} + {off.tolist()}: {what}")


def faults(chain: Chain, behind: Array, q: Array, tally: Tally) -> list[str]:
    """Return what is wrong with the certificate of q for the pose of a configuration."""
    T = chain.forward_kinematics(behind)
    found = pose_ik.certificate(chain, T, q)
    if not found:
        tally.measure("refused, largest of their smallest singular values", found.smallest_singular_value)
        return []
    wrong, exact = [], refined(chain, T, q)
    if exact is None:
        return ["certified, and Newton's method finds no solution there"]
    away = distance(chain, exact, q)
    tally.measure(f"distance of the exact solution over the radius, {chain.name}", away / found.radius)
    if not away <= found.radius:
        wrong.append(f"the solution is {away:.3e} away, the radius is {found.radius:.3e}")
    if chain.name == "UR10":
        others = pose_ik.all_solutions(chain, T, limits=False).q
        gaps = np.linalg.norm(np.remainder(others - q + math.pi, 2 * math.pi) - math.pi, axis=1)
        if (gaps <= found.alone * (1 - 1e-6)).sum() > 1:
            wrong.append(f"two solutions within {found.alone:.3e}")
    return wrong


def distance(chain: Chain, exact: list[Any], q: Array) -> float:
    """Return how far a solution of many digits is from q, in the unit of a certificate."""
    with mpmath.workdps(DIGITS):
        return float(mpmath.norm([(a - float(b)) / u for a, b, u in zip(exact, q, units_of(chain), strict=True)]))


def units_of(chain: Chain) -> list[float]:
    """Return what the value of each joint is divided by."""
    return [chain.length if kind == "prismatic" else 1.0 for kind in chain.joint_types]


def refined(chain: Chain, target: Array, q: Array) -> list[Any] | None:
    """Return the exact solution beside q, in the slice across what leaves the tip in place, or None.

    The error is one of many digits; a step, by a derivative of doubles, leaves its square or the last fifteen of them.
    """
    lengths, units = np.repeat([1.0, chain.length], 3), np.array(units_of(chain))
    with mpmath.workdps(DIGITS):
        wanted, (home, _) = nearest_pose(target), nearest_pose(chain.home)
        at, across = [mpmath.mpf(float(x)) for x in q], None
        for _ in range(STEPS):
            R, p, columns = kinematics(chain, home, at)
            error = missing(R, p, wanted)
            size = max(abs(e) for e in error)
            if size < mpmath.mpf(10) ** (8 - DIGITS):
                return at
            J = doubles(columns) * units / lengths[:, None]
            across = np.linalg.qr(J.T)[0] if across is None else across
            step = across @ np.linalg.solve(J @ across, np.array([float(e / size) for e in error]) / lengths)
            if np.abs(step).max() * float(size) > 1:
                return None
            at = [x + mpmath.mpf(float(d * unit)) * size for x, d, unit in zip(at, step, units, strict=True)]
    return None
