"""Redundancy in symbols: defining identities, comparison with NumPy, and refusals."""

import numpy as np
import pytest
import sympy as sp
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation

from lessons_lib.claims import is_zero
from lessons_lib.errors import ParameterError
from lessons_lib.symbolic import redundancy
from lessons_lib.symbolic.redundancy import arm_angle

J = sp.Matrix(2, 3, sp.symbols("J_1:3_1:4", real=True))
ROUNDING = 1e-12  # of a few dozen operations with numbers near 1


def zeros(matrix: sp.Matrix) -> bool:
    return all(is_zero(entry) for entry in matrix)


def random_matrix(rng: np.random.Generator, m: int, n: int) -> sp.Matrix:
    return sp.Matrix(m, n, [sp.Rational(int(k), 7) for k in rng.integers(-20, 20, m * n)])


@pytest.mark.parametrize(("m", "n"), [(1, 2), (2, 3), (2, 5), (3, 4)])
def test_projector_and_pseudoinverse_are_numpys(m: int, n: int) -> None:
    A = random_matrix(np.random.default_rng(m + 10 * n), m, n)
    numbers = np.array(A, dtype=float)
    J_plus = np.linalg.pinv(numbers)
    assert np.allclose(np.array(redundancy.pseudoinverse(A), float), J_plus, rtol=0, atol=ROUNDING)
    assert np.allclose(np.array(redundancy.projector(A), float), np.eye(n) - J_plus @ numbers, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("m", [1, 2, 3, 4, 6])
def test_null_vector_has_the_manipulability_as_norm(m: int) -> None:
    A = random_matrix(np.random.default_rng(m), m, m + 1)
    n = redundancy.null_vector(A)
    assert A * n == sp.zeros(m, 1)
    assert (n.T * n)[0] == (A * A.T).det()
    assert any(n)


@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 2)])
def test_null_vector_requires_one_more_column_than_rows(shape: tuple[int, int]) -> None:
    with pytest.raises(ParameterError, match=rf"one column more than rows, got {shape[0]}×{shape[1]}"):
        redundancy.null_vector(sp.zeros(*shape))


def test_three_tasks_in_order_equal_nested_least_squares() -> None:
    """Each task is done as well as the higher ones allow, by NumPy's least squares in a basis of their null space."""
    rng = np.random.default_rng(8)
    rates, free = sp.zeros(7, 1), sp.eye(7)
    expected, basis = np.zeros(7), np.eye(7)
    for rows in (3, 2, 1):
        A, wanted = rng.uniform(-1, 1, (rows, 7)), rng.uniform(-1, 1, rows)
        J, V = sp.Matrix(A.tolist()), sp.Matrix(wanted.tolist())
        plus = sp.Matrix(np.linalg.pinv(np.array((J * free).tolist(), dtype=float)).tolist())
        rates, free = redundancy.add_task(rates, J, plus, V), redundancy.next_projector(free, J, plus)
        expected = expected + basis @ np.linalg.lstsq(A @ basis, wanted - A @ expected, rcond=None)[0]
        basis = basis @ null_space(A @ basis)
        np.testing.assert_allclose(np.array(rates.tolist(), dtype=float).ravel(), expected, atol=1e-12)
        np.testing.assert_allclose(np.array(free.tolist(), dtype=float), basis @ basis.T, atol=1e-12)


def test_weighted_pseudoinverse_minimizes_the_weighted_rates() -> None:
    """Lagrange's conditions: J q̇ = V, and W q̇ = Jᵀμ for some μ, which holds if n·W q̇ = 0."""
    W = sp.diag(*sp.symbols("w_1:4", positive=True))
    V = sp.Matrix(sp.symbols("V_1:3", real=True))
    q_dot = redundancy.weighted_pseudoinverse(J, W) * V
    assert zeros(J * q_dot - V)
    assert zeros(redundancy.null_vector(J).T * W * q_dot)
    assert zeros(redundancy.weighted_pseudoinverse(J, sp.eye(3)) - redundancy.pseudoinverse(J))


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.7, np.pi / 2, np.pi - 1e-9, -2.0])
def test_rotating_the_elbow_changes_the_arm_angle_equally(angle: float) -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        wrist, up, along = rng.normal(size=3), rng.normal(size=3), rng.normal()
        axis = wrist / np.linalg.norm(wrist)
        upright = up - axis * (axis @ up)  # ψ = 0, as long as it is not moved beyond the line
        elbow = Rotation.from_rotvec(angle * axis).apply(rng.uniform(0.1, 2.0) * upright + along * axis)
        found = float(arm_angle(*(sp.Matrix(vector) for vector in (elbow, wrist, up))))
        assert abs(np.exp(1j * found) - np.exp(1j * angle)) < ROUNDING
