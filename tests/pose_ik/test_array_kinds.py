"""An array of any kind and memory order gives the same solution."""

from typing import Any

import numpy as np
import pytest
from run_in_python import assert_same

from lessons_lib.pose_ik import solve
from lessons_lib.robots import Chain

Q0 = np.array([0.1, -0.2, 0.3, -0.4, 0.5, -0.6])
Q = np.array([0.5, -0.8, 1.1, 0.2, -0.9, 0.4])


def interleave(values: np.ndarray) -> np.ndarray:
    """Return a view of the numbers with other numbers between them."""
    wide = np.full([2 * size for size in values.shape], 7.0)
    every_other = tuple(slice(None, None, 2) for _ in values.shape)
    wide[every_other] = values
    return wide[every_other]


def misalign(values: np.ndarray) -> np.ndarray:
    """Return the numbers at an odd address."""
    return np.frombuffer(b"x" + values.tobytes(), offset=1).reshape(values.shape)


def freeze(values: np.ndarray) -> np.ndarray:
    values = values.copy()
    values.setflags(write=False)
    return values


def mask(values: np.ndarray) -> Any:
    return np.ma.masked_array(values)


class LookAlike:
    """An object with the attributes of an array that NumPy can convert to one."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.ndim, self.dtype, self.shape = values, values.ndim, values.dtype, values.shape

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return self.values


KINDS = {
    "lists": lambda values: values.tolist(),
    "tuples": lambda values: tuple(map(tuple, values.tolist())) if values.ndim == 2 else tuple(values.tolist()),
    "fortran": np.asfortranarray,
    "backwards": lambda values: values[::-1].copy()[::-1],
    "read-only": freeze,
    "strided": interleave,
    "unaligned": misalign,
    "big-endian": lambda values: values.astype(">f8"),
    "longdouble": lambda values: values.astype(np.longdouble),
    "object": lambda values: values.astype(object),
    "masked": mask,
    "memoryview": memoryview,
    "subclass": lambda values: values.view(np.recarray),
    "look-alike": LookAlike,
}


@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_array_gives_the_same_solution(ur10: Chain, kind: str) -> None:
    target = ur10.forward_kinematics(Q)
    expected, convert = solve(ur10, target, Q0), KINDS[kind]
    assert expected.converged
    assert_same(solve(ur10, convert(target), Q0), expected)
    assert_same(solve(ur10, target, convert(Q0)), expected)
    assert_same(solve(ur10, convert(target), convert(Q0)), expected)
