"""Upper bound on the number of solutions of a general 6R arm: error bounds, zeros, and a lost solution."""

import math

import numpy as np
import pytest
from test_general_6r import at_random

from lessons_lib import lie, pose_ik
from lessons_lib.all_solutions import elimination, solution_count
from lessons_lib.all_solutions.general_arm import SAMPLE_OFFSET, EliminationOrdering, left_coefficients, proof_samples
from lessons_lib.all_solutions.module import general_6r_module as search
from lessons_lib.all_solutions.module import solution_count_module as count_module
from lessons_lib.all_solutions.solution_count import ARCS
from lessons_lib.all_solutions.trig_polynomial import UNKNOWN

mpmath = pytest.importorskip("mpmath")
OFF = 1e-6


def scaled_screws(arm):
    """Return the screws of an arm in units of its length."""
    return arm.screws / np.repeat([1.0, arm.length], 3)[:, None]


def equations(X, ordering):
    """Return the fourteen equations."""
    E = np.empty((14, 35))
    search().write_equations(np.ascontiguousarray(X[:3]).ravel(), ordering.axes, ordering.first, ordering.left, E)
    return E


def signs(rng, *shape):
    """Return a sign at random for each entry."""
    return rng.choice([-1.0, 1.0], shape)


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("what", ["directions", "points", "rotation", "translation"])
def test_equations_of_a_perturbed_arm_or_motion_are_within_the_bounds(what, first):
    """One input at a time is perturbed by a millionth."""
    rng, largest = np.random.default_rng(2), np.zeros(2)
    radii = OFF * np.repeat([[what == "directions", what == "points"]] * 6, 3, axis=1)
    off = OFF * (what == "rotation"), OFF * (what == "translation")
    ordering = EliminationOrdering(scaled_screws(at_random(1)), first, int(rng.integers(3)))
    vars(ordering)["radii_of_axes"] = radii
    for _ in range(25):
        X = lie.exp_se3(rng.normal(size=6))
        E, bounds = ordering.enclosed_equations(X[:3].ravel(), off)
        other = EliminationOrdering(ordering.screws, first, ordering.kept)
        vars(other)["axes"] = ordering.axes + radii * signs(rng, 6, 6)
        X[:3] += np.repeat(off, [3, 1]) * signs(rng, 3, 4)
        parts = np.abs(equations(X, other) - E) / (bounds + 1e-14)
        assert (parts <= 1.0).all()
        largest = np.maximum(largest, [parts[:, :8].max(), parts[:, 8:].max()])
    assert (largest > 0.02).all()  # the bounds are tight


@pytest.mark.parametrize("first", [1, 2])
def test_rounding_of_the_equations_is_within_the_bounds(first, monkeypatch):
    """The same functions in many digits are the oracle."""
    X = lie.exp_se3(np.random.default_rng(3).normal(size=6))[:3].ravel()
    ordering = EliminationOrdering(scaled_screws(at_random(1)), first, 1)
    vars(ordering)["radii_of_axes"] = np.zeros((6, 6))
    E, bounds = ordering.enclosed_equations(X, (0.0, 0.0))
    many = np.vectorize(lambda x: mpmath.mpf(float(x)), otypes=[object])
    with mpmath.workdps(40):
        monkeypatch.setattr(elimination, "ROOT", mpmath.sqrt(3))
        axes, exact = many(ordering.axes), np.empty((14, 35), dtype=object)
        left = left_coefficients(axes, first, ordering.kept)
        elimination.write_equations(many(X), axes, first, left, exact)
        off = np.abs(exact - many(E)).astype(float)
    assert (off <= bounds).all() and off.max() > 0.0 and bounds.max() < 1e-11


def test_determinant_is_within_its_error_bound():
    text, rng = count_module(), np.random.default_rng(2)
    for scale in (1.0, 1e-7):  # the second: two rows are nearly equal
        free, off = rng.normal(size=(14, 35)), np.zeros((14, 35))
        free[9, 8:] = free[8, 8:] + scale * free[9, 8:]
        for s, c in proof_samples(12)[:3, -2:]:
            value, error = text.determinant(free, off, s, c)
            with mpmath.workdps(50):
                A = mpmath.zeros(12)
                for i in range(6):
                    for m in range(9):
                        s_, c_, one = (mpmath.mpf(float(free[8 + i, at + m])) for at in (8, 17, 26))
                        x = mpmath.mpf(float(s)) * s_ + mpmath.mpf(float(c)) * c_ + one
                        rounded = mpmath.mpf(
                            float(s * free[8 + i, 8 + m] + c * free[8 + i, 17 + m] + free[8 + i, 26 + m])
                        )
                        assert abs(x - rounded) < 1e-14
                        A[i, m] = A[6 + i, 3 + m] = rounded
                assert abs(mpmath.det(A) - mpmath.mpf(value)) <= error < 1e-3 * abs(value)


def test_proof_samples_are_within_16_units_of_roundoff():
    with mpmath.workdps(40):
        for i, row in enumerate(proof_samples(12)):
            angle = 2 * mpmath.pi * i / 25
            wanted = [1, *(f(k * angle) for k in range(1, 13) for f in (mpmath.cos, mpmath.sin))]
            wanted += [mpmath.sin(angle + mpmath.mpf(SAMPLE_OFFSET)), mpmath.cos(angle + mpmath.mpf(SAMPLE_OFFSET))]
            assert max(abs(x - mpmath.mpf(float(y))) for x, y in zip(wanted, row, strict=True)) < 16 * solution_count.U
            assert abs(row[-2:]).min() > 0.0256


@pytest.mark.parametrize(
    ("count", "function"),
    [
        (6, lambda x: np.cos(3 * x) - 0.2),
        (24, lambda x: np.sin(12 * x + 0.3)),
        (0, lambda x: 1.01 + np.cos(x)),
        (2, lambda x: 0.999 + np.cos(x)),
        (2, lambda x: np.cos(x - 0.05)),
        (UNKNOWN, lambda x: 1.0 + np.cos(x)),
        (UNKNOWN, lambda x: 1.0 - 1e-14 + np.cos(x)),
        (UNKNOWN, lambda x: 0.0 * x),
    ],
)
def test_count_simple_zeros_returns_the_number_or_unknown(count, function):
    table, fourier = proof_samples(12), np.empty(25)
    search().write_coefficients(function(2 * np.pi * np.arange(25) / 25), table, fourier)
    assert search().count_simple_zeros(fourier, 1e-14, ARCS) == count
    assert search().count_simple_zeros(fourier, 3.0, ARCS) == UNKNOWN


def coefficients_of(roots):
    """Return Fourier coefficients of a function with zeros at these angles, complex if they are off the circle."""
    x, fourier = 2 * np.pi * np.arange(25) / 25, np.empty(25)
    values = np.prod(np.sin(0.5 * np.subtract.outer(roots, x)), axis=0).real
    search().write_coefficients(values, proof_samples(12), fourier)
    return fourier


def test_count_simple_zeros_of_clustered_zeros_is_right_or_unknown():
    rng, counted = np.random.default_rng(0), 0
    for _ in range(120):
        roots, pairs_off_circle = rng.uniform(0.0, 2 * np.pi, 24).astype(complex), int(rng.integers(0, 6))
        for first in 3 * rng.integers(4, 8, 3):
            apart = np.array([0.0, 1.0, rng.uniform(1.5, 2.5)])
            roots[first : first + 3] = roots[first] + 10 ** rng.uniform(-2.0, -0.3) * apart
        roots[: 2 * pairs_off_circle : 2] = roots[1 : 2 * pairs_off_circle : 2] + 0.2j
        roots[1 : 2 * pairs_off_circle : 2] -= 0.2j
        fourier = coefficients_of(roots)
        count = search().count_simple_zeros(fourier, 1e-14 * np.abs(fourier).max(), ARCS)
        assert count in (UNKNOWN, 24 - 2 * pairs_off_circle)
        counted += count != UNKNOWN
    assert counted > 20


def test_a_lost_solution_is_not_called_complete(monkeypatch):
    arm, rng = at_random(1), np.random.default_rng(3)
    for _ in range(5):
        solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(rng.uniform(-math.pi, math.pi, 6)))
        assert solutions.complete
    strategy = solutions.strategy
    q, codes, count = strategy.solve(solutions.target, solutions.limits)
    with monkeypatch.context() as patch:
        patch.setattr(type(strategy), "solve", lambda *_: (q[1:], codes[1:], count - 1))
        assert f"allow {count} solutions" in strategy.reason(solutions)
        patch.setattr(type(strategy), "solve", lambda *_: (np.vstack([q, q[:1]]), codes, count + 1))
        assert "distinct" in strategy.reason(solutions)
        patch.setattr(type(strategy), "solve", lambda *_: (q + 0.1, codes, count))
        assert "not certified" in strategy.reason(solutions)
    narrow = arm.with_limits(position=[(-math.pi, float(q[0, 0])), *[(-math.pi, math.pi)] * 5])
    assert "limit" in pose_ik.all_solutions(narrow, solutions.target).reason
