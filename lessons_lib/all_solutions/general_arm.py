"""Strategy for a general 6R arm: orderings of the Raghavan-Roth elimination, ranked once per arm."""
# In doubles, one ordering that finds a solution for each zero of its determinant is enough; completeness is proven by
# the exact determinant (solution_count.py). Source: Raghavan and Roth, Inverse kinematics of the general 6R
# manipulator, J. Mech. Des. 115 (1993), 502-508.

import math
import sys
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from lessons_lib.all_solutions import elimination
from lessons_lib.all_solutions.elimination import (
    EQUATIONS,
    LEFT,
    RIGHT,
    ROOT,
    axis_point,
    direction,
    sample_angle,
    write_angle_coefficients,
    write_equations,
    write_line_equations,
)
from lessons_lib.all_solutions.families import UNLIMITED, is_at_limit, wrap_angles
from lessons_lib.all_solutions.general_6r import MAX_GENERAL_SOLUTIONS
from lessons_lib.all_solutions.interval import Interval, middle_and_radius, rebind_math
from lessons_lib.all_solutions.module import affine_module, general_6r_module, solution_count_module
from lessons_lib.all_solutions.solutions import IKStrategy, SolutionRows, Solutions
from lessons_lib.all_solutions.straight_line import TraceRecorder
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.ball import find_certificate
from lessons_lib.certificates.error_bounds import INFLATION, INPUT_ERROR, U
from lessons_lib.lazy import cached_property
from lessons_lib.lie import inverse
from lessons_lib.robots import Chain
from lessons_lib.robots.vec3 import minus, plus, rotate_about

SEARCH_DENSITY = 16  # samples per frequency
SAMPLE_OFFSET = 0.1  # angle of the first sample, rad: determinants may vanish where an angle is zero


@dataclass(frozen=True, eq=False)
class EliminationOrdering:
    """One ordering of the elimination, with the data that depend on the arm alone."""

    screws: Array  # axes in the order of the elimination, shape (6, 6)
    first: int  # index of the first of the three joints on the left side, 1 or 2
    kept: int  # index of the kept angle among the three; the determinant has degree 16 in e^iθ for 0, else 24

    @cached_property
    def axes(self) -> Array:
        """Direction and point of each joint, (6, 6)."""
        directions = self.screws[:3].T
        return np.ascontiguousarray(np.hstack([directions, np.cross(directions, self.screws[3:].T)]))

    @cached_property
    def left(self) -> Array:
        """Coefficients of the left side, for the kept angle and the half angles, (14, 27)."""
        return left_coefficients(self.axes, self.first, self.kept)

    @cached_property
    def radii_of_axes(self) -> Array:
        """Bounds on the errors of `axes`."""
        far = 1.0 + np.linalg.norm(self.axes[:, 3:], axis=1)
        return 2.0 * INPUT_ERROR * np.repeat(np.column_stack([np.ones(6), 2.0 * far]), 3, axis=1)

    @cached_property
    def enclosed_left(self) -> tuple[Array, Array]:
        """Midpoints and radii of `left` for the exact arm."""
        pairs = zip(self.axes.tolist(), self.radii_of_axes.tolist(), strict=True)
        axes = np.array([list(map(Interval.around, *pair)) for pair in pairs])
        exact = SimpleNamespace(__name__="", ROOT=Interval.around(ROOT, math.ulp(ROOT)))
        text: Any = (sys.modules[__name__], elimination, exact)
        coefficients = rebind_math(math, left_coefficients, *text)(axes, self.first, self.kept)
        middle, radii = np.moveaxis(np.array([[middle_and_radius(x) for x in line] for line in coefficients]), 2, 0)
        return middle, radii

    @cached_property
    def right_side(self) -> tuple[Integers, Array, Integers]:
        """The straight-line program of the right side, with the axes and √3 among its initial values."""
        steps, numbers, results = trace_right_side(self.first)
        numbers = numbers.copy()
        numbers[12:48, 0], numbers[12:48, 2] = self.axes.ravel(), self.radii_of_axes.ravel()
        numbers[48] = ROOT, 0.0, math.ulp(ROOT)
        return steps, numbers, results

    def enclosed_equations(self, X: Array, off: tuple[float, float]) -> tuple[Array, Array]:
        """Return the equations of the exact arm, (14, 35), and error bounds; `off` are those of the motion X."""
        steps, initial, results = self.right_side
        numbers = initial.copy()
        numbers[:12, 0], numbers[:12, 2], numbers[3:12:4, 2] = X, *off
        affine_module().run_program(steps, numbers)
        middle, radius = numbers[results, 0], numbers[results, 2]
        left, off_left = self.enclosed_left
        E, radii = np.hstack([middle[:, :RIGHT], left]), np.hstack([radius[:, :RIGHT], off_left])
        E[:, WITH_CONSTANT] += middle[:, RIGHT:]
        radii[:, WITH_CONSTANT] += radius[:, RIGHT:] + U * np.abs(E[:, WITH_CONSTANT])
        return E, radii * INFLATION


WITH_CONSTANT = RIGHT + np.array([18, 20, 24, 26])  # columns of the left side with the constant of the right side


@cache
def trace_right_side(first: int) -> tuple[Integers, Array, Integers]:
    """Return the program of the right side and of the constant, and its results, (14, 9)."""
    # Its inputs are the motion, the axes and √3.
    recorder, E = TraceRecorder(49, {}), np.empty((EQUATIONS, RIGHT + LEFT), dtype=object)
    X, axes, root = np.split(np.array(recorder.inputs, dtype=object), [12, 48])
    text: Any = (elimination, SimpleNamespace(__name__="", ROOT=root[0]))
    rebind_math(math, write_equations, *text)(X, axes.reshape(6, 6), first, np.zeros((EQUATIONS, LEFT)), E)
    results = np.array([[x.row for x in (*line[:RIGHT], line[WITH_CONSTANT[0]])] for line in E], dtype=np.int64)
    return *recorder.program(results), results


def left_coefficients(axes: Array, first: int, kept: int) -> Array:
    coefficients = np.empty((EQUATIONS, LEFT), axes.dtype)
    for at, places in enumerate(product(range(3), repeat=3)):
        point, line = axis_point(axes, first + 3), direction(axes, first + 3)
        for n in (2, 1, 0):
            k, o = direction(axes, first + n), axis_point(axes, first + n)
            point = plus(o, rotate_about(k, *sample_angle(places[n]), minus(point, o)))
            line = rotate_about(k, *sample_angle(places[n]), line)
        write_line_equations(minus(point, axis_point(axes, first - 1)), line, coefficients, at)
    for stride, at in product((1, 3, 9), range(9)):
        write_angle_coefficients(coefficients, at % stride + 3 * stride * (at // stride), stride)
    cube = np.moveaxis(coefficients.reshape(EQUATIONS, 3, 3, 3), 1 + kept, 1)
    return to_half_angles(to_half_angles(cube, 2), 3).reshape(EQUATIONS, LEFT)


def to_half_angles(factors: Array, axis: int) -> Array:
    """Return coefficients of 1, x, x², x = tan(θ/2), times 1 + x², from those of sin, cos and 1."""
    s, c, one = np.moveaxis(factors, axis, 0)
    return np.stack([one + c, 2.0 * s, one - c], axis)


def fourier_rows(degree: int, count: int) -> Array:
    """Return a row 1, cos α, sin α, cos 2α, … for each of `count` equal angles α, with errors up to 16 U."""
    wrap_angles = (np.outer(np.arange(count), np.arange(1, degree + 1)) + count // 2) % count - count // 2
    turns = np.exp(2j * np.pi * wrap_angles / count)
    pairs = np.stack([turns.real, turns.imag], axis=2).reshape(count, -1)
    return np.hstack([np.ones((count, 1)), pairs])


@cache
def fourier_samples(degree: int) -> Array:
    """Return `fourier_rows` of 2 · degree + 1 angles for interpolation, then those of many for the search."""
    return np.vstack([fourier_rows(degree, count) for count in (2 * degree + 1, SEARCH_DENSITY * degree)])


@cache
def proof_samples(degree: int) -> Array:
    """Return `fourier_rows` of 2 · degree + 1 angles, with sine and cosine of α + SAMPLE_OFFSET, to 16 U."""
    count = 2 * degree + 1
    angles = SAMPLE_OFFSET + 2 * np.pi * ((np.arange(count) + degree) % count - degree) / count
    return np.hstack([fourier_rows(degree, count), np.sin(angles)[:, None], np.cos(angles)[:, None]])


def shortest_chain(screws: Array) -> Array:
    """Return a point of the first and one of the last axis, and the length of a chain between them, shape (7,)."""
    # It touches each axis in turn, so in no configuration are the two points farther apart. Each sweep moves the point
    # of each axis to where the way from the previous to the next one is shortest.
    k = screws[:3].T
    o = np.cross(k, screws[3:].T)
    points = o.copy()
    for i in [*range(6)] * CHAIN_SWEEPS:
        sides = np.array([points[j] for j in (i - 1, i + 1) if 0 <= j < 6]) - o[i]
        along = sides @ k[i]
        off = np.linalg.norm(sides - np.outer(along, k[i]), axis=1)
        points[i] = o[i] + np.average(along, weights=1.0 / np.maximum(off, NO_DISTANCE)) * k[i]
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    return np.concatenate([points[0], points[-1], [length]])


CHAIN_SWEEPS, NO_DISTANCE = 30, 1e-12
DISTANCE_ROUNDING = 1e-12  # rounding error of a distance of solutions, rad
SENTENCE = "six revolute joints without a closed form: at most sixteen solutions"

TRIALS, MIN_ORDERINGS = 12, 2  # poses that rank the orderings; least number of orderings for a pose


@dataclass(frozen=True, eq=False)
class General6R(IKStrategy):
    """Strategy for a general 6R arm, or for its axes and another home of the tip."""

    arm: Chain
    home: Array  # of the tip

    @property
    def sentence(self) -> str:
        return SENTENCE

    def with_home(self, home: Array) -> "General6R":
        """Return the strategy for the same axes with the tip elsewhere, without new preparation."""
        other = General6R(self.arm, home)
        shared: dict[str, object] = {"chain": self.chain}
        shared |= {"orderings": self.orderings, "all_arguments": (inverse(home), *self.all_arguments[1:])}
        other.__dict__.update(shared)
        return other

    @cached_property
    def orderings(self) -> list[tuple[bool, EliminationOrdering]]:
        """The orderings, and whether each begins at the tip; those that find most solutions come first."""
        rng, ways = np.random.default_rng(0), []
        screws = self.arm.screws / np.repeat([1.0, self.arm.length], 3)[:, None]
        for backwards, first, kept in product((False, True), (2, 1), range(3)):
            ways.append((backwards, EliminationOrdering(-screws[:, ::-1] if backwards else screws, first, kept)))
        poses, counts = rng.uniform(-np.pi, np.pi, (TRIALS, 6)), [0] * len(ways)
        alone = [self.arguments_of([way]) for way in ways]
        for q in poses:
            T = self.arm.forward_kinematics(q)
            for i, numbers in enumerate(alone):
                counts[i] += self.solve_with(numbers, T, UNLIMITED)[1]
        return [ways[i] for i in sorted(range(len(ways)), key=lambda i: -counts[i])]

    def arguments_of(self, ways: list[tuple[bool, EliminationOrdering]]) -> tuple[object, ...]:
        """Return the arguments of `solve_general_6r` for some orderings, between targets and limits."""
        kinds = np.array([[backwards, ordering.first, ordering.kept] for backwards, ordering in ways], dtype=np.int64)
        arrays = (np.array([getattr(way[1], name) for way in ways]) for name in ("axes", "left"))
        samples = fourier_samples(8), fourier_samples(12)
        return inverse(self.home), self.arm.length, self.chain, kinds, *arrays, *samples, MIN_ORDERINGS

    @cached_property
    def chain(self) -> Array:
        return shortest_chain(self.arm.screws / np.repeat([1.0, self.arm.length], 3)[:, None])

    @cached_property
    def all_arguments(self) -> tuple[object, ...]:
        return self.arguments_of(self.orderings)

    def solve_with(self, numbers: tuple[object, ...], target: Array, limits: Array) -> tuple[Array, int]:
        """Return the rows of solutions that some orderings find, and their number, NOT_A_POSE if negative."""
        Q, counts = np.empty((1, MAX_GENERAL_SOLUTIONS, 6)), np.empty(1, dtype=np.int64)
        general_6r_module().solve_general_6r(target[None], *numbers, limits, Q, counts)
        return Q[0, : max(counts[0], 0)], int(counts[0])

    def solve(self, target: Array, limits: Array) -> SolutionRows | None:
        Q, count = self.solve_with(self.all_arguments, target, limits)
        return None if count < 0 else (Q, np.zeros(1 + count, dtype=np.int64), count)

    def solve_batch(self, targets: Array, limits: Array, Q: Array, counts: Integers, codes: Integers) -> None:
        general_6r_module().solve_general_6r(targets, *self.all_arguments, limits, Q, counts)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        return tuple((f"solution {i + 1}",) for i in range(len(solutions.q)))

    def reason(self, solutions: Solutions) -> str:
        unlimited = self.solve(solutions.target, UNLIMITED)
        assert unlimited is not None
        q, target = unlimited[0], solutions.target
        arm = self.arm if self.home is self.arm.home else replace(self.arm, home=self.home)
        balls = [find_certificate(arm, target, one) for one in q]
        if not all(balls):
            return "a solution is not certified: " + next(ball.reason for ball in balls if not ball)
        radii = np.array([ball.radius for ball in balls]) + DISTANCE_ROUNDING
        stride = np.linalg.norm(wrap_angles(q[:, None] - q), axis=2) - radii[:, None] - radii
        if (stride[np.triu_indices(len(q), 1)] <= 0.0).any():
            return "it is not proven that two solutions are distinct"
        if is_at_limit(q, solutions.limits, radii):
            return "up to rounding, a solution is at a joint limit"
        most = self.bound_solution_count(target)
        if most == UNKNOWN:
            return "rounding hides the number of zeros of the determinant"
        return "" if most == len(q) else f"the zeros of the determinant allow {most} solutions"

    def bound_solution_count(self, target: Array) -> int:
        """Return an upper bound on the number of solutions by the first ordering that proves one, or UNKNOWN."""
        X, Y, home, unit = np.empty(12), np.empty(12), self.home, self.arm.length
        general_6r_module().write_motion(target, self.all_arguments[0], unit, X, Y)
        text = solution_count_module()
        if general_6r_module().is_too_far(X, self.chain):
            return 0
        for backwards, ordering in self.orderings:
            off = text.motion_radii(target, home, unit, X, backwards)
            equations = ordering.enclosed_equations(Y if backwards else X, off)
            if (most := text.bound_solution_count(*equations, proof_samples(12))) != UNKNOWN:
                return int(most)
        return UNKNOWN
