"""The order of a twist's halves: against the permutation of `symbolic`, Pinocchio's action, and wrong shapes."""

import numpy as np
import pinocchio
import pytest

from lessons_lib import lie
from lessons_lib.symbolic import se3

P = np.array(se3.exchange().tolist(), dtype=np.float64)


@pytest.mark.parametrize("shape", [(6,), (6, 1), (6, 6), (6, 7), (6, 0)])
def test_swapping_is_the_exchange_of_the_derivation(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(4).normal(size=shape)
    before = x.copy()
    np.testing.assert_array_equal(lie.swap_halves(x), P @ x)
    np.testing.assert_array_equal(lie.swap_halves(lie.swap_halves(x)), x)
    np.testing.assert_array_equal(x, before)


def test_a_map_is_swapped_on_both_sides() -> None:
    A = np.random.default_rng(5).normal(size=(6, 6))
    np.testing.assert_array_equal(lie.swap_map(A), P @ A @ P)
    assert np.abs(lie.swap_map(A) - lie.swap_halves(A)).max() > 0.1  # the two must not be mixed up


def test_the_swapped_adjoint_is_pinocchios_action() -> None:
    for xi in np.random.default_rng(6).normal(size=(50, 6)):
        T = lie.exp_se3(xi)
        action = pinocchio.SE3(T).toActionMatrix()
        np.testing.assert_allclose(lie.swap_map(lie.adjoint(T)), action, rtol=0, atol=1e-14)  # products of entries < 5
        dual = pinocchio.SE3(T).toDualActionMatrix()  # carries a wrench (f, m)
        np.testing.assert_allclose(lie.adjoint(T), dual, rtol=0, atol=1e-14)
