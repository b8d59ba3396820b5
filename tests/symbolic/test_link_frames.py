"""Link frames with a coordinate axis along the joint axis: rotations against SciPy's, with the required zeros."""

import numpy as np
import pytest
import sympy as sp
from scipy.spatial.transform import Rotation

from lessons_lib.symbolic import link_frames

SKEW = sp.Matrix([2, -3, 6]) / 7
AXES = [
    *(sign * sp.eye(3)[:, k] for k in range(3) for sign in (1, -1)),
    *(sp.Matrix(entries) / 5 for entries in ([0, 3, -4], [-4, 0, 3], [3, 4, 0])),
    SKEW,
    sp.Matrix([0.36, 0.48, 0.8]),
    sp.Matrix([-0.6, 0.64, -0.48]),
]


def doubles(matrix):
    return np.array(matrix.evalf(30).tolist(), dtype=float)


def is_rotation(R, within):
    """Return whether RᵀR = I and det R = 1, computed with 40 digits."""
    exact = R.evalf(40)
    worst = max(abs(entry) for entry in exact.T * exact - sp.eye(3))
    return bool(worst < within and abs(exact.det() - 1) < within)


@pytest.mark.parametrize("axis", AXES, ids=lambda axis: str(list(axis)))
def test_an_axis_becomes_a_column_of_a_rotation_with_zeros(axis):
    C = link_frames.rotation_onto(axis)
    assert is_rotation(C, 1e-14)
    along = np.abs(doubles(C.T * axis)).ravel()
    np.testing.assert_allclose(np.sort(along), [0, 0, 1], atol=1e-15)
    zeros = [entry == 0 for entry in C].count(True)
    assert zeros == {2: 6, 1: 4, 0: 1}[[entry == 0 for entry in axis].count(True)]


def test_orthonormalize_to_forty_digits():
    for turn in ([0.3, -0.5, 0.4], [0.9, 0.0, 0.0], [0.0, 0.7, 0.0], [0.0, 0.0, -0.4]):
        rounded = np.round(Rotation.from_rotvec(turn).as_matrix(), 9)
        R = link_frames.orthonormalize(link_frames.with_guard_digits(sp.Matrix(rounded.tolist())))
        assert is_rotation(R, 1e-36)
        np.testing.assert_allclose(doubles(R), rounded, atol=5e-9)
        column = int(np.argmax((rounded == 0).sum(axis=0)))
        assert [entry == 0 for entry in R[:, column]] == list(rounded[:, column] == 0), "its zeros stay"
    exact = link_frames.rotation_about(1, sp.Rational(3, 5), sp.Rational(4, 5))
    assert link_frames.orthonormalize(exact) is exact
