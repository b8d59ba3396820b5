"""The exact solution beside a configuration, by Newton's method on the product of exponentials in 50 digits."""

from operator import mul
from typing import Any

import mpmath
import numpy as np
from many_digits import doubles, kinematics, nearest_pose, pose_residual

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain

DIGITS, STEPS = 50, 40


def skew() -> Chain:
    """Return an arm of six revolute joints anywhere."""
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


def on_a_rail() -> Chain:
    """Return a UR10 that slides along y."""
    ur10 = robots.ur10()
    screws = np.column_stack([[0, 0, 0, 0, 1, 0], ur10.screws])
    return robots.from_screws(screws, ur10.home, limits=np.vstack([[0.0, 1.5], ur10.limits]), name="UR10 on a rail")


def arms() -> list[Chain]:
    """Return the arms."""
    return [robots.ur10(), robots.panda(), skew(), on_a_rail(), with_slide_and_screw()]


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
    coupled = np.eye(chain.dof) if chain.matrix is None else chain.matrix
    with mpmath.workdps(DIGITS):
        A = [list(map(mpmath.mpf, row)) for row in coupled.tolist()]  # noqa: N806
        wanted, (home, _) = nearest_pose(target), nearest_pose(chain.home)
        at, across = [mpmath.mpf(float(x)) for x in q], None
        for _ in range(STEPS):
            R, p, columns = kinematics(chain.uncoupled, home, [sum(map(mul, row, at)) for row in A])
            error = pose_residual(R, p, wanted)
            size = max(abs(e) for e in error)
            if size < mpmath.mpf(10) ** (8 - DIGITS):
                return at
            J = doubles(columns) @ coupled * units / lengths[:, None]
            across = np.linalg.qr(J.T)[0] if across is None else across
            step = across @ np.linalg.solve(J @ across, np.array([float(e / size) for e in error]) / lengths)
            if np.abs(step).max() * float(size) > 1:
                return None
            at = [x + mpmath.mpf(float(d * unit)) * size for x, d, unit in zip(at, step, units, strict=True)]
    return None
