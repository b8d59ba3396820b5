"""The order of a twist's halves: against the permutation of `symbolic`, Pinocchio's action, and wrong shapes."""

from typing import Any

import numpy as np
import pinocchio
import pytest

from lessons_lib import lie
from lessons_lib.errors import TransformError
from lessons_lib.symbolic import se3

P = np.array(se3.exchange().tolist(), dtype=np.float64)


@pytest.mark.parametrize("shape", [(6,), (6, 1), (6, 6), (6, 7), (6, 0)])
def test_swapping_is_the_exchange_of_the_derivation(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(4).normal(size=shape)
    before = x.copy()
    np.testing.assert_array_equal(lie.swap_halves(x), P @ x)
    np.testing.assert_array_equal(lie.swap_halves(lie.swap_halves(x)), x)
    np.testing.assert_array_equal(x, before)


def test_a_list_of_six_numbers_is_a_twist() -> None:
    np.testing.assert_array_equal(lie.swap_halves([1, 2, 3, 4, 5, 6]), [4, 5, 6, 1, 2, 3])


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


BAD: dict[str, tuple[Any, str, str]] = {
    "a row": (np.zeros((1, 6)), r"shape \(6,\), or twists as columns, shape \(6, n\); got \(1, 6\)", r"got \(1, 6\)"),
    "five": (np.zeros(5), r"got \(5,\)", r"shape \(6, 6\), got \(5,\)"),
    "rows of seven joints": (np.zeros((7, 6)), r"got \(7, 6\)", r"got \(7, 6\)"),
    "a batch": (np.zeros((6, 6, 2)), r"got \(6, 6, 2\)", r"got \(6, 6, 2\)"),
    "a number": (1.0, r"got \(\)", r"got \(\)"),
    "NaN": (np.full((6, 6), np.nan), "x must be finite, got .*nan", "A must be finite, got .*nan"),
    "words": (["a"] * 6, "x must be numbers in an array of shape", r"A must be numbers in an array of shape \(6, 6\)"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_twist_and_no_map_is_refused(case: str) -> None:
    value, of_halves, of_map = BAD[case]
    with pytest.raises(TransformError, match=of_halves):
        lie.swap_halves(value)
    with pytest.raises(TransformError, match=of_map):
        lie.swap_map(value)
    if case == "five":
        with pytest.raises(TransformError, match=r"must map twists to twists, shape \(6, 6\), got \(6, 7\)"):
            lie.swap_map(np.zeros((6, 7)))
