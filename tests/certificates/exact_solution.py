"""Exact solution near a configuration, by Newton's method on the product of exponentials in 50 digits."""

from operator import mul
from typing import Any

import mpmath
import numpy as np
from many_digits import doubles, kinematics, nearest_pose, pose_residual
from six_r_arms import at_random, differential_wrist

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain, Coupling

DIGITS, STEPS = 50, 40


def prismatic_and_helical() -> Chain:
    """Return a UR10 with a prismatic third joint and a helical fourth joint."""
    ur10 = robots.ur10()
    screws = ur10.screws.copy()
    screws[:, 2] = [0, 0, 0, 0.6, 0, 0.8]
    screws[3:, 3] += 0.05 * screws[:3, 3]
    return robots.from_screws(screws, ur10.home, name="slide and screw")


def on_a_rail() -> Chain:
    """Return a UR10 on a prismatic joint along y."""
    ur10 = robots.ur10()
    screws = np.column_stack([[0, 0, 0, 0, 1, 0], ur10.screws])
    return robots.from_screws(screws, ur10.home, limits=np.vstack([[0.0, 1.5], ur10.limits]), name="UR10 on a rail")


def arms() -> list[Chain]:
    return [robots.ur10(), robots.panda(), at_random(35), on_a_rail(), prismatic_and_helical()]


def coupled_arms() -> list[Chain]:
    """Return a wrist, and a UR10 whose first joint also drives it along a rail, in m and in mm."""
    arm, found = on_a_rail(), [differential_wrist()]
    for unit in (1.0, 1e3):
        screws, home, A = arm.screws.copy(), arm.home.copy(), np.vstack([0.1 * unit * np.eye(1, 6), np.eye(6)])
        screws[3:, 1:], home[:3, 3] = unit * screws[3:, 1:], unit * home[:3, 3]
        coupling = Coupling(A, [0.3 * unit, *[0.0] * 6])
        found.append(robots.from_screws(screws, home, name=f"rack and pinion, {unit:g}", coupling=coupling))
    return found


def distance(chain: Chain, exact: list[Any], q: Array) -> float:
    """Return the distance of a solution of many digits from q, in the unit of a certificate."""
    with mpmath.workdps(DIGITS):
        return float(mpmath.norm([(a - float(b)) / u for a, b, u in zip(exact, q, units_of(chain), strict=True)]))


def units_of(chain: Chain) -> list[float]:
    """Return the unit of each joint: 1 rad, or the arm's length."""
    return [chain.length if kind == "prismatic" else 1.0 for kind in chain.joint_types]


def refine(chain: Chain, target: Array, q: Array) -> list[Any] | None:
    """Return the exact solution near q, perpendicular to the motions that keep the tip in place, or None.

    The error has many digits; each Newton step, by a derivative in doubles, reduces it to its square or by 15 digits.
    """
    lengths, units = np.repeat([1.0, chain.length], 3), np.array(units_of(chain))
    coupled = np.eye(chain.dof) if chain.matrix is None else chain.matrix
    with mpmath.workdps(DIGITS):
        A = [list(map(mpmath.mpf, row)) for row in coupled.tolist()]  # noqa: N806
        target_pose, (home, _) = nearest_pose(target), nearest_pose(chain.home)
        at, across = [mpmath.mpf(float(x)) for x in q], None
        for _ in range(STEPS):
            R, p, columns = kinematics(chain.uncoupled, home, [sum(map(mul, row, at)) for row in A])
            error = pose_residual(R, p, target_pose)
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
