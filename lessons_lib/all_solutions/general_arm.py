"""Strategy for a general 6R arm: orderings of the Raghavan-Roth elimination, tried out once for an arm.

One ordering that finds a solution for each zero of its determinant is enough in doubles; that none is missing is
proven of the exact determinant (solution_count.py).
Source: Raghavan and Roth, Inverse kinematics of the general 6R manipulator, J. Mech. Des. 115 (1993), 502-508.
"""

import math
import sys
from dataclasses import dataclass
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
    direction,
    foot,
    line_equations,
    third,
    write_equations,
    write_products,
)
from lessons_lib.all_solutions.families import UNLIMITED, at_a_limit, wrapped
from lessons_lib.all_solutions.general_6r import ANSWERS
from lessons_lib.all_solutions.interval import Interval, centered, rebind_math
from lessons_lib.all_solutions.module import affine_module, general_6r_module, solution_count_module
from lessons_lib.all_solutions.solutions import IKStrategy, SolutionRows, Solutions
from lessons_lib.all_solutions.straight_line import TraceRecorder
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN
from lessons_lib.arrays import Array, Integers
from lessons_lib.certificates.ball import certified
from lessons_lib.certificates.error_bounds import GIVEN, INFLATION, U
from lessons_lib.lazy import cached_property
from lessons_lib.lie import inverse
from lessons_lib.robots import Chain
from lessons_lib.robots.vec3 import minus, plus, turned

DENSE = 16  # samples for each frequency of a function
ASIDE = 0.1  # angle of the first sample, rad: determinants may vanish where an angle is zero


@dataclass(frozen=True, eq=False)
class EliminationOrdering:
    """One ordering of the elimination, with what depends on the arm alone."""

    screws: Array  # axes in the order of the elimination, shape (6, 6)
    first: int  # first of the three joints on the left side, 2 or 1, 0 for the first joint
    kept: int  # which of the three angles is kept, 0, 1 or 2; the determinant has degree 16 in e^iθ for 0, else 24

    @cached_property
    def axes(self) -> Array:
        """Direction and point of each joint, (6, 6)."""
        directions = self.screws[:3].T
        return np.ascontiguousarray(np.hstack([directions, np.cross(directions, self.screws[3:].T)]))

    @cached_property
    def left(self) -> Array:
        """Factors of the fourteen expressions, for the kept angle and the half angles, (14, 27)."""
        return left_factors(self.axes, self.first, self.kept)

    @cached_property
    def radii_of_axes(self) -> Array:
        """Bounds on the errors of `axes`."""
        far = 1.0 + np.linalg.norm(self.axes[:, 3:], axis=1)
        return 2.0 * GIVEN * np.repeat(np.column_stack([np.ones(6), 2.0 * far]), 3, axis=1)

    @cached_property
    def enclosed_left(self) -> tuple[Array, Array]:
        """Middles and radii of `left` for the exact arm."""
        pairs = zip(self.axes.tolist(), self.radii_of_axes.tolist(), strict=True)
        axes = np.array([list(map(Interval.around, *pair)) for pair in pairs])
        exact = SimpleNamespace(__name__="", ROOT=Interval.around(ROOT, math.ulp(ROOT)))
        text: Any = (sys.modules[__name__], elimination, exact)
        found = rebind_math(math, left_factors, *text)(axes, self.first, self.kept)
        middle, radii = np.moveaxis(np.array([[centered(x) for x in line] for line in found]), 2, 0)
        return middle, radii

    @cached_property
    def right_side(self) -> tuple[Integers, Array, Integers]:
        """The program of the right side, with the axes and √3 among its numbers."""
        steps, numbers, results = trace_right_side(self.first)
        numbers = numbers.copy()
        numbers[12:48, 0], numbers[12:48, 2] = self.axes.ravel(), self.radii_of_axes.ravel()
        numbers[48] = ROOT, 0.0, math.ulp(ROOT)
        return steps, numbers, results

    def enclosed_equations(self, X: Array, off: tuple[float, float]) -> tuple[Array, Array]:
        """Return the equations of the exact arm, (14, 35), and bounds on their errors."""
        # `X` is the motion, `off` bounds the errors of its rotation and of its translation.
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


WITH_CONSTANT = RIGHT + np.array([18, 20, 24, 26])  # columns of the left side to which the constant of the right came


@cache
def trace_right_side(first: int) -> tuple[Integers, Array, Integers]:
    """Return the straight-line program of the right side and of the constant, and its results, (14, 9)."""
    # Its inputs are the motion, the axes and √3.
    recorder, E = TraceRecorder(49, {}), np.empty((EQUATIONS, RIGHT + LEFT), dtype=object)
    X, axes, root = np.split(np.array(recorder.inputs, dtype=object), [12, 48])
    text: Any = (elimination, SimpleNamespace(__name__="", ROOT=root[0]))
    rebind_math(math, write_equations, *text)(X, axes.reshape(6, 6), first, np.zeros((EQUATIONS, LEFT)), E)
    results = np.array([[x.place for x in (*line[:RIGHT], line[WITH_CONSTANT[0]])] for line in E], dtype=np.int64)
    return *recorder.program(results), results


def left_factors(axes: Array, first: int, kept: int) -> Array:
    """Return the factors of the left side, for the kept angle and the half angles, (14, 27)."""
    found = np.empty((EQUATIONS, LEFT), axes.dtype)
    for at, places in enumerate(product(range(3), repeat=3)):
        point, line = foot(axes, first + 3), direction(axes, first + 3)
        for n in (2, 1, 0):
            k, o = direction(axes, first + n), foot(axes, first + n)
            point = plus(o, turned(k, *third(places[n]), minus(point, o)))
            line = turned(k, *third(places[n]), line)
        line_equations(minus(point, foot(axes, first - 1)), line, found, at)
    for apart, at in product((1, 3, 9), range(9)):
        write_products(found, at % apart + 3 * apart * (at // apart), apart)
    cube = np.moveaxis(found.reshape(EQUATIONS, 3, 3, 3), 1 + kept, 1)
    return halves(halves(cube, 2), 3).reshape(EQUATIONS, LEFT)


def halves(factors: Array, axis: int) -> Array:
    """Return the factors of 1, x, x² with x = tan(θ/2), times 1 + x², from those of sin, cos and 1."""
    s, c, one = np.moveaxis(factors, axis, 0)
    return np.stack([one + c, 2.0 * s, one - c], axis)


def fourier_rows(degree: int, count: int) -> Array:
    """Return a row of 1, cos α, sin α, cos 2α, … for each of so many equal angles α, off by 16 U."""
    wrapped = (np.outer(np.arange(count), np.arange(1, degree + 1)) + count // 2) % count - count // 2
    turns = np.exp(2j * np.pi * wrapped / count)
    pairs = np.stack([turns.real, turns.imag], axis=2).reshape(count, -1)
    return np.hstack([np.ones((count, 1)), pairs])


@cache
def fourier_samples(degree: int) -> Array:
    """Return `fourier_rows` of 2 · degree + 1 angles to interpolate, followed by those of many to search."""
    return np.vstack([fourier_rows(degree, count) for count in (2 * degree + 1, DENSE * degree)])


@cache
def proof_samples(degree: int) -> Array:
    """Return `fourier_rows` of 2 · degree + 1 angles, then sine and cosine of α + ASIDE, off by 16 U at most."""
    count = 2 * degree + 1
    angles = ASIDE + 2 * np.pi * ((np.arange(count) + degree) % count - degree) / count
    return np.hstack([fourier_rows(degree, count), np.sin(angles)[:, None], np.cos(angles)[:, None]])


ROUNDED = 1e-12  # rounding error of a distance of solutions, rad
SAYS = "six revolute joints without a closed form: at most sixteen solutions"

TRIALS = 12  # poses on which the orderings are tried
READ = 2  # least number of orderings for a pose


@dataclass(frozen=True, eq=False)
class General6R(IKStrategy):
    """A general 6R arm."""

    arm: Chain

    @property
    def sentence(self) -> str:
        """What the axes do."""
        return SAYS

    @cached_property
    def orderings(self) -> list[tuple[bool, EliminationOrdering]]:
        """The orderings and whether each begins at the tip; those that find most solutions come first."""
        rng, ways = np.random.default_rng(0), []
        screws = self.arm.screws / np.repeat([1.0, self.arm.length], 3)[:, None]
        for backwards, first, kept in product((False, True), (2, 1), range(3)):
            ways.append((backwards, EliminationOrdering(-screws[:, ::-1] if backwards else screws, first, kept)))
        poses, found = rng.uniform(-np.pi, np.pi, (TRIALS, 6)), [0] * len(ways)
        alone = [self.numbers([way]) for way in ways]
        for q in poses:
            T = self.arm.forward_kinematics(q)
            for i, numbers in enumerate(alone):
                found[i] += self.found(numbers, T, UNLIMITED)[1]
        return [ways[i] for i in sorted(range(len(ways)), key=lambda i: -found[i])]

    def numbers(self, ways: list[tuple[bool, EliminationOrdering]]) -> tuple[object, ...]:
        """Return the arguments of `solve_general_6r` for some orderings, between targets and limits."""
        kinds = np.array([[backwards, ordering.first, ordering.kept] for backwards, ordering in ways], dtype=np.int64)
        arrays = (np.array([getattr(way[1], name) for way in ways]) for name in ("axes", "left"))
        return inverse(self.arm.home), self.arm.length, kinds, *arrays, fourier_samples(8), fourier_samples(12), READ

    @cached_property
    def all_arguments(self) -> tuple[object, ...]:
        """The arguments for all orderings."""
        return self.numbers(self.orderings)

    def found(self, numbers: tuple[object, ...], target: Array, limits: Array) -> tuple[Array, int]:
        """Return the solutions that some orderings find, one a row, and how many, negative for no pose."""
        Q, counts = np.empty((1, ANSWERS, 6)), np.empty(1, dtype=np.int64)
        general_6r_module().solve_general_6r(target[None], *numbers, limits, Q, counts)
        return Q[0, : max(counts[0], 0)], int(counts[0])

    def solve(self, target: Array, limits: Array) -> SolutionRows | None:
        """Return the solutions within the limits, codes without information, and how many there are."""
        Q, count = self.found(self.all_arguments, target, limits)
        return None if count < 0 else (Q, np.zeros(1 + count, dtype=np.int64), count)

    def solve_batch(self, targets: Array, limits: Array, Q: Array, counts: Integers, codes: Integers) -> None:
        """Write the solutions of many poses; the codes have no information."""
        general_6r_module().solve_general_6r(targets, *self.all_arguments, limits, Q, counts)

    def names(self, solutions: Solutions) -> tuple[tuple[str, ...], ...]:
        """Return a number for each solution: a general arm has no sides."""
        return tuple((f"solution {i + 1}",) for i in range(len(solutions.q)))

    def reason(self, solutions: Solutions) -> str:
        """Return why it is not proven that no solution is missing."""
        found = self.solve(solutions.target, UNLIMITED)
        assert found is not None
        return self.against(found[0], solutions)

    def bound_solution_count(self, target: Array) -> int:
        """Return an upper bound on the number of solutions by the first ordering with one, or UNKNOWN."""
        X, Y, home, unit = np.empty(12), np.empty(12), self.arm.home, self.arm.length
        general_6r_module().write_motion(target, self.all_arguments[0], unit, X, Y)
        text = solution_count_module()
        for backwards, ordering in self.orderings:
            off = text.motion_radii(target, home, unit, X, backwards)
            equations = ordering.enclosed_equations(Y if backwards else X, off)
            if (most := text.bound_solution_count(*equations, proof_samples(12))) != UNKNOWN:
                return int(most)
        return UNKNOWN

    def against(self, q: Array, solutions: Solutions) -> str:
        """Return why solutions found without limits are not proven to be all, or the limits not kept."""
        arm, target = self.arm, solutions.target
        balls = [certified(arm, target, one) for one in q]
        if not all(balls):
            return "a solution is not certified: " + next(ball.reason for ball in balls if not ball)
        radii = np.array([ball.radius for ball in balls]) + ROUNDED
        apart = np.linalg.norm(wrapped(q[:, None] - q), axis=2) - radii[:, None] - radii
        if (apart[np.triu_indices(len(q), 1)] <= 0.0).any():
            return "it is not proven that two solutions are distinct"
        if at_a_limit(q, solutions.limits, radii):
            return "a solution is at a limit, to rounding"
        most = self.bound_solution_count(target)
        if most == UNKNOWN:
            return "rounding hides how many zeros the determinant has"
        return "" if most == len(q) else f"there may be {most} solutions, by the zeros of the determinant"
