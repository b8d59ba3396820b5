"""Arms of six revolute joints for tests of all solutions: published tables, random arms, slices of a Panda."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons_lib import lie, robots
from lessons_lib.robots import Chain, Coupling

HALF, DEGREE = math.pi / 2, math.pi / 180
ALL_AROUND = [(-math.pi, math.pi)] * 6

PUMA_560 = (
    (0.0, HALF, 0.6718),
    (0.4318, 0.0, 0.0),
    (0.0203, -HALF, 0.15005),
    (0.0, HALF, 0.4318),
    (0.0, -HALF, 0.0),
    (0.0, 0.0, 0.0),
)
"""Rows (a, α, d), m and rad, standard convention. Source: Corke and Armstrong-Hélouvry (1994)."""

MANSEUR_DOTY = (
    (0.3, 90 * DEGREE, 0.0),
    (1.0, 1 * DEGREE, 0.0),
    (0.0, 90 * DEGREE, 0.2),
    (1.5, 1 * DEGREE, 0.0),
    (0.0, 90 * DEGREE, 0.0),
    (0.0, 1 * DEGREE, 0.0),
)
"""Rows (a, α, d), m and rad. Source: Manseur and Doty (1989), an arm with sixteen solutions."""


def from_table(rows: Sequence[tuple[float, float, float]], name: str) -> Chain:
    """Return the arm of a standard table; each joint has one revolution."""
    return robots.from_dh(rows, "standard", limits=ALL_AROUND, name=name)


def from_axes(directions: Any, points: Any, tip: Any, limits: Any = ALL_AROUND, name: str = "arm") -> Chain:
    """Return an arm of revolute joints about axes of any length through points, with its tip at a point."""
    k = np.array(directions, dtype=float)
    k /= np.linalg.norm(k, axis=1)[:, None]
    return robots.from_screws(np.vstack([k.T, np.cross(points, k).T]), lie.pose(np.eye(3), tip), limits, name)


def differential_wrist(limits: Any = None) -> Chain:
    """Return a UR10 whose last two joints rotate by half the sum and half the difference of two motor angles."""
    arm, A = robots.ur10(), np.eye(6)
    A[4:, 4:] = [[0.5, 0.5], [0.5, -0.5]]
    return robots.from_screws(arm.screws, arm.home, limits, "wrist", length_unit="m", coupling=Coupling(A))


def ur10() -> Chain:
    """Return the UR10 with one revolution per joint."""
    return robots.ur10().with_limits(position=ALL_AROUND)


def jaco_2() -> Chain:
    """Return Kinova's Jaco 2, whose wrist has two bends of 60°. Source: the manufacturer's table."""
    bend, d = 30 * DEGREE, (0.2755, 0.41, 0.2073, 0.0743, 0.0743, 0.1687)
    part = math.sin(bend) / math.sin(2 * bend)
    rows = [(0, 90 * DEGREE, d[0]), (d[1], 180 * DEGREE, 0), (0, 90 * DEGREE, -0.0098)]
    rows += [(0, 2 * bend, -(d[2] + part * d[3])), (0, 2 * bend, -part * (d[3] + d[4]))]
    return from_table([*rows, (0, 180 * DEGREE, -(part * d[4] + d[5]))], "Jaco 2")


def at_random(seed: int) -> Chain:
    """Return an arm with random axes."""
    rng = np.random.default_rng(seed)
    k, o, tip = rng.normal(size=(6, 3)), rng.uniform(-1.0, 1.0, (6, 3)), rng.uniform(-1.0, 1.0, 3)
    return from_axes(k, o, tip, name=f"random {seed}")


def from_the_tip(arm: Chain) -> Chain:
    """Return the inverse arm, from tip to base: joints in reverse order, each motion inverted."""
    turned, home = -arm.screws[:, ::-1], np.linalg.inv(arm.home)
    return robots.from_screws(turned, home, limits=arm.limits[::-1], name=f"{arm.name} from the tip")


def panda_slice(seventh: float) -> Chain:
    """Return a Panda with the seventh joint locked at an angle, rad; the others have one revolution."""
    panda = robots.panda()
    home = lie.exp_se3(panda.screws[:, 6] * seventh) @ panda.home
    return robots.from_screws(panda.screws[:, :6], home, limits=ALL_AROUND, name=f"Panda, q₇ = {seventh}")
