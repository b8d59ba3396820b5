"""Strategy for an arm whose first three joints, revolute or prismatic, place a point about which the others rotate.

These are up to three revolute joints. With fewer, the arm reaches a surface of poses, and a rounded pose is off that
surface by some 1e-16: solutions with an error below REACHED count. Candidates from placed_point.py are polished; their
number is proven on intervals.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from lessons_lib.all_solutions import placed_point, subproblems
from lessons_lib.all_solutions.families import Family, wrap_angles
from lessons_lib.all_solutions.general_arm import fourier_samples
from lessons_lib.all_solutions.interval import (
    INTERVAL_MATH,
    Interval,
    UndecidedComparison,
    enclose_array,
    middle_and_radius,
    rebind_math,
)
from lessons_lib.all_solutions.module import general_6r_module, solution_count_module
from lessons_lib.all_solutions.placed_point import (
    FIRST_SLIDES,
    PLANE,
    SECOND_SLIDES,
    SKEW,
    SPHERE,
    Value,
    move,
    rotate_back,
)
from lessons_lib.all_solutions.proof import exact_motion
from lessons_lib.all_solutions.recognition import EXACT, MIN_SEPARATION, common_midpoint, line_distance
from lessons_lib.all_solutions.solutions import SolutionRows, Solutions, limited_family, wrap_within
from lessons_lib.all_solutions.subproblems import FORCE, FREE, branch_count, circle_angles, count_circle_solutions
from lessons_lib.all_solutions.to_rounding import RANK
from lessons_lib.arrays import Array
from lessons_lib.certificates.error_bounds import INPUT_ERROR, U
from lessons_lib.lazy import cached_property
from lessons_lib.lie import inverse, log_se3
from lessons_lib.robots import Chain
from lessons_lib.robots.vec3 import Vector, combine, cross, dot

EXACT_REACHED, REACHED, MISSED = 1e-12, 1e-9, 1e-6
"""Largest error of a solution of as many equations as joints, and of more; least error that excludes a candidate."""
BEYOND, EDGE, ON_AXIS = 1e-6, 1e-13, 1e-24  # of `meeting_points` and `value_between`, relative to the squared length
STEPS, FAR = 12, 1e-2  # largest number of polishing steps; error of a candidate that is not near a solution
SAME, NO_POLYNOMIAL = 1e-6, 1e-13  # distance of equal solutions, rad and lengths; relative size of a zero polynomial
BRACKETS = (1e-13, 1e-11, 1e-9)  # half widths, rad, of the intervals around a zero
AT_INFINITY = 1e-6  # distance from π, rad, of the zero of a linear polynomial that is no displacement
ARCS = 4000  # largest number of arcs in which zeros are counted
FREE_BIT = 8  # of the flags
TOL = (1e-12, 1e-13, FORCE)  # of the wrist, see subproblems.py
WRIST = (
    "the tip",
    "a point of axis {4}",
    "the intersection of axes {4} and {5}",
    "the intersection of axes {4}, {5} and {6}",
)


@dataclass(frozen=True)
class Candidate:
    """A configuration near a solution, its place among the branches, and its free joint."""

    q: Array
    branch: tuple[int, ...]
    free: int | None


@dataclass(frozen=True)
class Numbers:
    """Inputs of the tree of branches: joints, point, its target, columns of the rotation; and how they are computed."""

    joints: list[Any]
    point: Vector
    target: Vector
    columns: Any
    meet: Callable[..., list[Vector]] = placed_point.meeting_points
    count_circles: Callable[..., Any] = count_circle_solutions
    circle_angles: Callable[..., Any] = circle_angles


@dataclass(frozen=True, eq=False)
class PointArm:
    """Strategy for an arm whose first joints place `point`, m in {s} at q = 0."""

    arm: Chain
    point: Array
    position_only: bool

    @property
    def sentence(self) -> str:
        kinds = "".join(kind[0].upper() for kind in self.arm.joint_types[:3])
        return f"joints 1, 2 and 3 ({kinds}) place {WRIST[self.arm.dof - 3].format(*range(7))}"

    @cached_property
    def axes(self) -> Array:
        """Direction and point of each joint, (n, 2, 3); of two first axes that meet, the intersection."""
        w, v = self.arm.screws[:3].T, self.arm.screws[3:].T
        lines = np.stack([np.where(self._revolute[:, None], w, v), np.cross(w, v)], axis=1)
        (a, p), (b, q) = ((tuple(k), tuple(o)) for k, o in lines[:2].tolist())
        are_skew = self._revolute[:2].all() and np.linalg.norm(np.cross(a, b)) > EXACT
        if are_skew and line_distance(a, p, b, q) <= EXACT * self.arm.length:
            lines[:2, 1] = common_midpoint(a, p, b, q)
        return lines

    @cached_property
    def _revolute(self) -> Any:
        return np.array(self.arm.joint_types) == "revolute"

    @cached_property
    def form(self) -> int:
        """The form of the first two joints, see placed_point.py."""
        (a, p), (b, q) = self.axes[:2]
        first, second = self._revolute[:2]
        if first and second:
            return PLANE if np.linalg.norm(np.cross(a, b)) <= EXACT else SPHERE if (p == q).all() else SKEW
        if first == second or abs(a @ b) <= EXACT:
            return PLANE
        return SECOND_SLIDES if first else FIRST_SLIDES

    @cached_property
    def degree(self) -> int:
        """Degree of the trigonometric polynomial."""
        if self._revolute[2]:
            return 1 if self.form in (PLANE, SPHERE) else 2
        return 2 if self.form == SKEW else 1

    def numbers(self, target: Array) -> Numbers:
        R = target[:3, :3] @ self.arm.home[:3, :3].T
        z = R @ (self.point - self.arm.home[:3, 3]) + target[:3, 3]
        point, at, *columns = (tuple(row.tolist()) for row in (self.point, z, *R.T))
        return Numbers(self._joints(self.axes), point, at, columns)

    def intervals(self, target: Array) -> Numbers:
        """Return the same inputs of the exact arm as intervals."""
        radius = INPUT_ERROR * max(1.0, self.arm.length, float(np.abs(self.axes).max()))
        R, t = exact_motion(target, self.arm.home, False, float)
        p, rows = enclose_array(self.point, radius), np.array(R, dtype=object)
        z = rows @ p + np.array(t, dtype=object)
        meet, count_circles, find_angles = (
            rebind_math(INTERVAL_MATH, function, placed_point, subproblems)
            for function in (placed_point.meeting_points, count_circle_solutions, circle_angles)
        )
        joints, columns = self._joints(enclose_array(self.axes, radius)), tuple(map(tuple, rows.T))
        return Numbers(joints, tuple(p), tuple(z), columns, meet, count_circles, find_angles)

    def _joints(self, axes: Any) -> list[Any]:
        return [(bool(kind), tuple(k), tuple(o)) for kind, (k, o) in zip(self._revolute, axes, strict=True)]

    def third_value(self, c: Any, s: Any) -> Value:
        """Return the value of the third joint for an angle; the tangent of half of it is a displacement."""
        return (c, s) if self._revolute[2] else (self.arm.length * s / (1.0 + c), 0.0)

    def polynomial(self, given: Numbers, c: Any, s: Any) -> Any:
        """Return the value of the polynomial at an angle."""
        a, b, third = given.joints[:3]
        normal = cross(a[1], b[1]) if not (a[0] or b[0]) else a[1] if a[0] else b[1]
        x = move(third, self.third_value(c, s), given.point)
        value = placed_point.miss(self.form, a, b, normal, x, given.target)
        for _ in range(0 if self._revolute[2] else self.degree):
            value = value * (0.5 * (1.0 + c))
        return value

    def zeros(self, values: Array) -> tuple[Array, Array]:
        """Return the zeros of the polynomial, close pairs included, and its coefficients, from its samples."""
        text, samples, fourier = general_6r_module(), fourier_samples(self.degree), np.empty(2 * self.degree + 1)
        text.write_coefficients(values, samples, fourier)
        slope, angles = np.empty(len(fourier)), np.empty(8)
        text.write_derivative(fourier, slope)
        return angles[: text.find_zeros(fourier, slope, samples, angles)], fourier

    @cached_property
    def samples(self) -> list[tuple[float, float]]:
        """Cosines and sines of the angles at which the polynomial is sampled, with errors up to U."""
        angles = 2.0 * np.pi * np.arange(2 * self.degree + 1) / (2 * self.degree + 1)
        return list(zip(np.cos(angles).tolist(), np.sin(angles).tolist(), strict=True))

    def candidates(self, target: Array, value: float = 0.0) -> Iterator[Candidate]:
        """Yield candidates, with free joints at a value, rad or m."""
        given, size = self.numbers(target), self.arm.length
        free = (math.cos(value), math.sin(value))
        zeros, fourier = self.zeros(np.array([self.polynomial(given, *pair) for pair in self.samples]))
        pairs = [(math.cos(angle), math.sin(angle)) for angle in zeros]
        lasts = [self.third_value(*pair) for pair in pairs if self._revolute[2] or pair[0] > -1.0]
        is_loose = np.abs(fourier).max() <= NO_POLYNOMIAL * (size if self.form == PLANE else size**2)
        if is_loose:
            lasts = [free if self._revolute[2] else (value, 0.0)]
        for i, last in enumerate(lasts):
            for branch, values, loose in self.branches(given, last, free):
                angles = [math.atan2(s, c) if kind else c for kind, (c, s) in zip(self._revolute, values, strict=True)]
                yield Candidate(np.array(angles), (i, *branch), 2 if is_loose else loose)

    def branches(
        self, given: Numbers, last: Value, free: Value | None = None
    ) -> Iterator[tuple[Any, list[Value], int | None]]:
        """Yield place, joint values and free joint of each branch for a third value; on intervals without `free`."""
        first, second, third = given.joints[:3]
        size, angle = (self.arm.length**2 if free else 0.0), free or (1.0, 0.0)
        tol = TOL if free else (0.0, 0.0, 0.0)
        x = move(third, last, given.point)
        for j, y in enumerate(given.meet(self.form, first, second, x, given.target, BEYOND * size, EDGE * size)):
            one, is_free = placed_point.value_between(first, y, given.target, ON_AXIS * size, angle)
            two, is_free_too = placed_point.value_between(second, x, y, ON_AXIS * size, angle)
            loose = 0 if is_free else 1 if is_free_too else None
            for k, (wrist, is_gimbal) in enumerate(self._wrist(given, [one, two, last], angle, tol)):
                yield (j, k), [one, two, last, *wrist], 3 if is_gimbal and loose is None else loose

    def _wrist(
        self, given: Numbers, values: list[Value], free: Value, tol: Vector
    ) -> Iterator[tuple[list[Value], bool]]:
        """Yield the values of the other joints, and whether the first of them is free."""
        joints, ways = given.joints, [(values, False)]
        if self.arm.dof == 6:
            (_, k4, _), (_, k5, _), (_, k6, _) = joints[3:]
            end = self._rotate_back(given, values, k6)
            count, places, where = given.count_circles(k6, end, k5, k4, tol, 1.0)
            ways = []
            for side in range(branch_count(count)):
                c5, s5, c4, s4 = given.circle_angles(count, places, where, side, k6, end, k5, k4, (free[0], -free[1]))
                ways.append(([*values, (c4, -s4), (c5, s5)], count == FREE))
        elif self.arm.dof == 5:
            k4, k5 = joints[3][1], joints[4][1]
            ways = [([*values, _angle_about(k4, k5, self._rotate_back(given, values, k5))], False)]
        for way, is_free in ways:
            if self.arm.dof > 3:
                h = tuple(self._perpendicular.tolist())
                way = [*way, _angle_about(joints[-1][1], h, self._rotate_back(given, way, h))]
            yield way[3:], is_free

    @cached_property
    def _perpendicular(self) -> Array:
        """A direction that is not along the last axis."""
        k = self.axes[-1, 0]
        perpendicular: Array = np.cross(k, np.eye(3)[np.argmin(np.abs(k))])
        return perpendicular

    def _rotate_back(self, given: Numbers, values: list[Value], u: Vector) -> Vector:
        u = combine(given.columns, u)
        for joint, value in zip(given.joints, values, strict=False):
            u = rotate_back(joint, value, u)
        return u

    def solve(self, target: Array, limits: Array) -> SolutionRows:
        """Return the isolated solutions; the flags say whether there are others."""
        solutions: list[Array] = []
        flags = 0
        for one in self.candidates(target):
            end = self._polish(target, one.q)
            if end is not None and one.free is not None:
                flags = FREE_BIT
            elif end is not None and all(self._distance(end, other) > SAME for other in solutions):
                solutions.append(end)
        kept = [q for end in solutions if (q := wrap_within(end, self.arm, limits)) is not None]
        rows = np.array(kept).reshape(-1, self.arm.dof)
        return rows, np.array([flags] + [0] * len(rows), dtype=np.int64), len(rows)

    def _polish(self, target: Array, q: Array) -> Array | None:
        """Return the solution near a candidate by Gauss-Newton steps, or None."""
        best, least = None, EXACT_REACHED if self._is_square else REACHED
        unit = np.repeat([1.0, self.arm.length], 3)
        for _ in range(STEPS):
            T, J = self.arm.pose_and_jacobian(q)
            error = self._error_of(T, target)
            if error <= least:
                best, least = q, 0.5 * error
            elif best is not None or error > FAR:
                break
            twist = log_se3(inverse(T) @ target)
            if self.position_only:
                J[:3], twist[:3], twist[3:] = 0.0, 0.0, T[:3, :3].T @ (target[:3, 3] - T[:3, 3])
            q = q + np.linalg.pinv(J / unit[:, None], rcond=RANK) @ (twist / unit)
        return best

    @property
    def _is_square(self) -> bool:
        """Whether the arm has as many joints as equations."""
        return self.position_only or self.arm.dof == 6

    def _distance(self, a: Array, b: Array) -> float:
        return float(np.linalg.norm(np.where(self._revolute, wrap_angles(a - b), (a - b) / self.arm.length)))

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        return tuple((f"solution {i + 1}",) for i in range(len(solutions.q)))

    def families(self, solutions: Solutions) -> tuple[Family, ...]:
        target, curves = solutions.target, []
        for one in self.candidates(target) if solutions.flags else ():
            if one.free is None or self._polish(target, one.q) is None:
                continue

            def member(value: float, place: tuple[Any, ...] = (one.branch, one.free)) -> Array | None:
                matches = (other.q for other in self.candidates(target, value) if (other.branch, other.free) == place)
                return next(matches, None)

            curves.append(limited_family(solutions, one.free, member, (f"joint {one.free + 1} is free",)))
        return tuple(family for family in curves if family is not None)

    def reason(self, solutions: Solutions) -> str:
        target = solutions.target
        listed = list(self.candidates(target))
        free = [one.free for one in listed if one.free is not None]
        if free:
            return f"up to rounding, the pose is singular: joint {free[0] + 1} is free"
        all_q = self.solve(target, np.tile([-np.inf, np.inf], (self.arm.dof, 1)))[0]
        try:
            count = self.proven_count(target)
        except UndecidedComparison as undecided:
            return f"rounding hides {undecided}"
        forward = self.arm.forward_kinematics
        excluded = 0 if self._is_square else sum(self._error_of(forward(one.q), target) > MISSED for one in listed)
        if count != len(all_q) + excluded:
            return "rounding decides the number of solutions"
        gaps = [np.abs(self._from_limits(q, solutions.limits)).min() for q in all_q]
        return "up to rounding, a solution is at a joint limit" if min(gaps, default=np.inf) < REACHED else ""

    def _from_limits(self, q: Array, limits: Array) -> Array:
        gaps = q[:, None] - np.nan_to_num(limits, posinf=1e9, neginf=-1e9)
        return np.where(self._revolute[:, None] & np.isfinite(limits), wrap_angles(gaps), gaps)

    def _error_of(self, T: Array, target: Array) -> float:
        """Return the largest entry of the pose error, lengths relative to the arm's."""
        off = np.abs(T - target) / np.array([1.0, 1.0, 1.0, self.arm.length])
        return float(off[:, 3:].max() if self.position_only else off.max())

    def proven_count(self, target: Array) -> int:
        """Count the candidates on intervals: each zero of the polynomial, and the branches there."""
        given = self.intervals(target)
        pairs = [(Interval.around(c, 4.0 * U), Interval.around(s, 4.0 * U)) for c, s in self.samples]
        middles, radii = np.array([middle_and_radius(self.polynomial(given, *pair)) for pair in pairs]).T
        zeros, fourier = self.zeros(middles)
        error = 4.0 * radii.max() + 100.0 * U * np.abs(middles).sum()
        count = solution_count_module().count_simple_zeros(fourier, error, ARCS)
        brackets = [one for zero in zeros if (one := self._bracket(given, float(zero))) is not None]
        overlap = any(b - a < 2 * BRACKETS[-1] for a, b in pairwise(sorted(zeros)))
        if count != len(brackets) or overlap or brackets.count(()) > 1:
            raise UndecidedComparison("the number of zeros of the polynomial")
        return sum(1 for pair in brackets if pair for _ in self.branches(given, self.third_value(*pair)))

    def _bracket(self, given: Numbers, zero: float) -> Any:
        """Return cosine and sine around a zero, () at infinity, or None if the polynomial is not known to be zero."""
        if not self._revolute[2] and abs(wrap_angles(np.array(zero - np.pi))) < AT_INFINITY:
            if self.form == PLANE:
                return ()
            raise UndecidedComparison("whether a zero is at infinity")
        for width in BRACKETS:
            ends = [_cosine_and_sine(zero + side, 0.0) for side in (-width, width)]
            low, high = (self.polynomial(given, *pair) for pair in ends)
            if bool(low.upper < 0.0 < high.lower or high.upper < 0.0 < low.lower):
                return _cosine_and_sine(zero, width)
        return None


def _cosine_and_sine(angle: float, radius: float) -> tuple[Interval, Interval]:
    off = radius + 4.0 * U
    return Interval.around(math.cos(angle), off), Interval.around(math.sin(angle), off)


def _angle_about(k: Vector, u: Vector, v: Vector) -> Value:
    """Return cosine and sine of the rotation about an axis that moves a direction to another one."""
    p, q = cross(k, u), cross(k, v)
    size = dot(p, p)
    return dot(p, q) / size, dot(k, cross(p, q)) / size


def point_strategy(arm: Chain, position_only: bool = False) -> PointArm | None:
    """Return the strategy if the first three joints place a point that the others keep, else None."""
    wrist, first, last = range(3, arm.dof), set(arm.joint_types[:3]), set(arm.joint_types[3:])
    if not 3 <= arm.dof <= 6 or (position_only and arm.dof > 3):
        return None
    if not (first <= {"revolute", "prismatic"} and last <= {"revolute"}):
        return None
    k, o = arm.screws[:3].T, np.cross(arm.screws[:3].T, arm.screws[3:].T)
    points = [arm.home[:3, 3]] if arm.dof == 3 else [o[3], o[3] + arm.length * k[3]]
    if arm.dof > 4:
        if np.linalg.norm(np.cross(k[3:-1], k[4:]), axis=1).min() < MIN_SEPARATION:
            return None
        meeting = np.array(common_midpoint(*(tuple(row.tolist()) for row in (k[3], o[3], k[4], o[4]))))
        if any(np.linalg.norm(np.cross(k[j], meeting - o[j])) > EXACT * arm.length for j in wrist):
            return None
        points = [meeting]
    for point in points:
        if _is_placed_freely(arm, point):
            return PointArm(arm, point, position_only)
    return None


def _is_placed_freely(arm: Chain, point: Array) -> bool:
    """Return whether the first three joints move a point in all directions, at some configurations."""
    rng, units = np.random.default_rng(0), np.where(np.array(arm.joint_types) == "revolute", 1.0, arm.length)
    for _ in range(3):
        q = rng.uniform(-1.0, 1.0, arm.dof) * units
        T, J = arm.forward_kinematics(q), arm.space_jacobian(q)[:, :3]
        at = (T @ np.linalg.inv(arm.home) @ np.append(point, 1.0))[:3]
        speeds = (J[3:] - np.cross(at, J[:3].T).T) * units[:3] / arm.length
        if np.linalg.svd(speeds, compute_uv=False)[-1] > MIN_SEPARATION:
            return True
    return False
