"""Arguments of `lie`: errors for invalid ones, tolerances, and arguments that stay unchanged."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lessons_lib import lie
from lessons_lib.errors import ArgumentError, LessonsError, TransformError

nan, inf = np.nan, np.inf
OF_POSES = ["log_se3", "adjoint", "inverse", "check_transform"]


def pose(**changes):
    """Return a pose with some entries changed: r03=2.0 makes T[0, 3] = 2."""
    T = lie.exp_se3([0.1, 0.2, 0.3, 1, 2, 3])
    for place, value in changes.items():
        T[int(place[1]), int(place[2])] = value
    return T


VECTORS = [
    ([0.0] * 5, r"xi must have shape \(6,\), got \(5,\)"),
    (np.zeros((6, 1)), r"got \(6, 1\)"),
    (None, r"must be numbers in an array of shape \(6,\), got None"),
    ([nan] + [0.0] * 5, "must be finite, got .*nan"),
    ([0.0] * 5 + [-inf], "must be finite, got .*-inf"),
    ([[1.0], [1.0, 2.0]], "must be numbers in an array"),
    ([1j] * 6, "must be numbers in an array"),
]
POSES = [
    (np.eye(3), r"must have shape \(4, 4\), got \(3, 3\)"),
    (np.zeros((2, 4, 4)), r"got \(2, 4, 4\)"),
    (pose(r03=nan), "must be finite, got"),
    (pose(r33=2.0), r"the last row must be \[0, 0, 0, 1\], got \[0.0, 0.0, 0.0, 2.0\]"),
    (pose(r30=1.1e-6), r"the last row must be \[0, 0, 0, 1\], got \[1.1e-06"),
    (pose() @ np.diag([2.0, 2, 2, 1]), "is not a rotation: RᵀR must equal the identity to 1e-06, but differs by 3;"),
    (pose(r01=0.5), "is not a rotation: RᵀR must equal the identity"),
    (np.diag([1.0, 1, -1, 1]), "is a reflection: the determinant of a rotation must be [+]1, got −1"),
    (pose(r01=1e200), "is not a rotation"),
]
TURN = [1e200, 0.0, 0.0]
CASES = [
    (lambda: lie.exp_so3([0.0, 1.0]), r"omega must have shape \(3,\), got \(2,\)"),
    (lambda: lie.exp_so3(TURN), r"entries must have finite squares, got \[1e\+200, 0.0, 0.0\]"),
    (lambda: lie.left_jacobian_so3(TURN), "must have finite squares"),
    (lambda: lie.right_jacobian_so3(TURN), "must have finite squares"),
    *(
        (lambda a=angle: lie.left_jacobian_inverse_se3([a, 0, 0, 1, 2, 3]), f"at most 2π − 1e-06 rad, got {angle:.16g}")
        for angle in (2 * math.pi - 1e-8, 2 * math.pi, 6.3, 40.0)
    ),
    (lambda: lie.check_transform(np.eye(3), "target"), "^target must have shape"),
    (lambda: lie.check_transform(np.diag([2.0, 1, 1, 1]), "target"), "^the rotation part of target is not a rotation"),
    (lambda: lie.log_so3(np.eye(4)), r"R must have shape \(3, 3\), got \(4, 4\)"),
    (lambda: lie.log_so3(np.diag([1, 1, 1.001])), r"R is not a rotation: .* to 1e-06, but differs by 0\.002"),
    (lambda: lie.log_so3(-np.eye(3)), "R is a reflection"),
    (lambda: lie.log_so3(np.diag([1 + 0.501e-6, 1, 1])), "R is not a rotation"),
    (lambda: lie.vee_so3(np.eye(3)), "Omega must be skew-symmetric"),
    (lambda: lie.vee_so3(1e12 * np.eye(3)), "Omega must be skew-symmetric"),
    (lambda: lie.vee_se3(np.eye(4)), r"the last row of a matrix in se\(3\) must be zero, got \[0.0, 0.0, 0.0, 1.0\]"),
    (lambda: lie.vee_se3(np.diag([1.0, 0, 0, 0])), "the upper left part of X must be skew-symmetric"),
    (lambda: lie.vee_se3(np.full((4, 4), inf)), "X must be finite"),
    (lambda: lie.swap_halves(np.zeros((1, 6))), r"twists as columns, shape \(6, n\), got \(1, 6\)"),
    (lambda: lie.swap_halves(["a"] * 6), "x must be numbers in an array of shape"),
    (lambda: lie.swap_halves(np.full((6, 6), nan)), "x must be finite, got .*nan"),
    (lambda: lie.swap_map(np.zeros((6, 7))), r"must map twists to twists, shape \(6, 6\), got \(6, 7\)"),
    (lambda: lie.swap_map(np.full((6, 6), nan)), "A must be finite, got .*nan"),
    (lambda: lie.project_so3(np.diag([1.0, 0.0, 0.0])), "several are equally near"),
    (lambda: lie.project_so3(-np.eye(3)), "several are equally near .* and a negative determinant"),
    (lambda: lie.project_so3(np.eye(4)), r"M must have shape \(3, 3\)"),
    (lambda: lie.project_so3("a rotation"), r"numbers in an array of shape \(3, 3\)"),
    (lambda: lie.project_se3(np.ones((4, 4))), r"the last row of a pose must be near \[0\.0, 0\.0, 0\.0, 1\.0\], got"),
    (lambda: lie.screw_axis((0, 0, 0), (0, 0, 0)), "direction of a screw axis must not be zero"),
    (lambda: lie.screw_axis((0, 0, 0), (0, 0, 1), nan), "pitch must be a number in m/rad, or math.inf .*, got nan"),
    (lambda: lie.screw_axis((0, 0), (0, 0, 1)), r"point must have shape \(3,\)"),
    (lambda: lie.quaternion_to_so3([0, 0, 0, 2]), r"quaternion must have length 1, got \[0, 0, 0, 2\] of length 2;"),
    (lambda: lie.quaternion_to_so3([0, 0, 0, 1], "zyxw"), "order must be 'xyzw' or 'wxyz', got 'zyxw'"),
    (lambda: lie.so3_to_quaternion(2 * np.eye(3)), "R is not a rotation"),
    (lambda: lie.pose(np.eye(3), [0, 0]), r"p must have shape \(3,\)"),
    (lambda: lie.pose([0.1, 0.2, 0.3], [0, 0, 0]), r"R must have shape \(3, 3\), .*euler_to_so3\(angles, \"ZYX\""),
    (lambda: lie.pose(np.array([0, 0, 0, 1]), [0, 0, 0]), "lie.quaternion_to_so3 converts a quaternion"),
    (lambda: lie.pose(Rotation.identity(), [0, 0, 0]), r"convert the Rotation: R.as_matrix\(\)"),
    (lambda: lie.euler_to_so3([0, 0], "ZYX"), r"angles must have shape \(3,\), got \(2,\)"),
    (lambda: lie.euler_to_so3([0, 0, 1e200], "ZYX"), "angles must have finite squares, got"),
    *((lambda o=o: lie.euler_to_so3([0, 0, 0], o), f"order must be .*, got {o!r}") for o in ("ZYx", "XXY", "ZY", 3)),
    (lambda: lie.so3_to_euler(2 * np.eye(3), "ZYX"), "R is not a rotation"),
    (lambda: lie.so3_to_euler(np.eye(3), "ZYX", unit="grad"), "unit must be 'rad' or 'deg', got 'grad'"),
    (lambda: lie.euler_rate_jacobian([0, 0, 0], "ZYX", "world"), "frame must be 'space' or 'body', got 'world'"),
    (lambda: lie.axis_angle_to_so3([0, 0, 0], 1.0), "axis must not be zero"),
    (lambda: lie.axis_angle_to_so3([0, 0, 1], inf), "angle must be finite"),
]
TWISTS = "exp_se3", "left_jacobian_se3"
CASES += [(lambda f=f, x=x: getattr(lie, f)(x), words) for f in TWISTS for x, words in VECTORS]
CASES += [(lambda f=f, x=x: getattr(lie, f)(x), words) for f in OF_POSES for x, words in POSES]


@pytest.mark.parametrize(("call", "words"), CASES)
def test_wrong_arguments_are_refused_by_name(call, words):
    with pytest.raises(TransformError, match=words) as caught:
        call()
    assert isinstance(caught.value, LessonsError) and isinstance(caught.value, ArgumentError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("place", [(0, 1), (1, 2), (3, 0), (3, 2), (3, 3)])
def test_one_tolerance_applies_to_all_entries_of_a_pose(place):
    for off in (1e-17, 0.999 * lie.ORTHOGONALITY):
        T = np.eye(4)
        T[place] += off
        assert lie.check_transform(T)[3].tolist() == [0.0, 0.0, 0.0, 1.0] and lie.log_se3(T).shape == (6,)
    T[place] += lie.ORTHOGONALITY
    with pytest.raises(TransformError):
        lie.check_transform(T)


def test_vee_accepts_rounding_errors():
    Omega = lie.hat_so3([1e6, 2e6, 3e6])
    Omega[0, 1] = np.nextafter(Omega[0, 1], 0)
    np.testing.assert_allclose(lie.vee_so3(Omega), [1e6, 2e6, 3e6], rtol=1e-15)


ARGUMENTS = {
    **dict.fromkeys(["hat_so3", "exp_so3", "left_jacobian_so3", "right_jacobian_so3"], np.array([0.1, 0.2, 0.3])),
    **dict.fromkeys(["hat_se3", "exp_se3", "left_jacobian_se3"], np.array([0.1, 0.2, 0.3, 1.0, 2.0, 3.0])),
    **dict.fromkeys(OF_POSES, pose()),
    "log_so3": pose()[:3, :3],
    "vee_se3": lie.hat_se3([1, 2, 3, 4, 5, 6]),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments_stay_unchanged_and_results_are_new_arrays(name):
    argument = ARGUMENTS[name].copy()
    argument.setflags(write=False)
    result = getattr(lie, name)(argument)
    np.testing.assert_array_equal(argument, ARGUMENTS[name])
    assert result.dtype == np.float64 and result.flags.writeable and not np.shares_memory(result, argument)
    for same in (argument.tolist(), np.asfortranarray(argument), np.repeat(argument, 2, axis=0)[::2]):
        np.testing.assert_array_equal(getattr(lie, name)(same), result)
    np.testing.assert_array_equal(getattr(lie, name)(argument.astype(">f8")), result)


def test_integers_and_single_precision_are_converted():
    np.testing.assert_array_equal(lie.log_se3(np.eye(4, dtype=int)), np.zeros(6))
    np.testing.assert_array_equal(lie.exp_so3(np.float32([1, 2, 3])), lie.exp_so3([1, 2, 3]))
