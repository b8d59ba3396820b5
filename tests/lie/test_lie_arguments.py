"""What the SE(3) kit accepts, what it refuses and in which words, and that it leaves its inputs alone."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lessons_lib import lie
from lessons_lib.errors import ArgumentError, LessonsError, TransformError

OF_ROTATION_VECTORS = ["hat_so3", "exp_so3", "left_jacobian_so3", "right_jacobian_so3"]
OF_TWISTS = ["hat_se3", "exp_se3", "left_jacobian_se3", "right_jacobian_se3", "left_jacobian_inverse_se3"]
OF_POSES = ["log_se3", "adjoint", "inverse", "check_transform"]
nan, inf = np.nan, np.inf


def function(name: str) -> Callable[[Any], np.ndarray]:
    return getattr(lie, name)


def pose(**changes: float) -> np.ndarray:
    """Return a pose with some entries changed: r03=2.0 makes T[0, 3] = 2."""
    T = lie.exp_se3([0.1, 0.2, 0.3, 1, 2, 3])
    for place, value in changes.items():
        T[int(place[1]), int(place[2])] = value
    return T


BAD_VECTORS = {
    "too short": (lambda n: [0.0] * (n - 1), r"must have shape \({n},\), got \({m},\)"),
    "a column": (lambda n: np.zeros((n, 1)), r"must have shape \({n},\), got \({n}, 1\)"),
    "a number": (lambda n: 1.0, r"must have shape \({n},\), got \(\)"),
    "nothing": (lambda n: None, r"must be numbers in an array of shape \({n},\), got None"),
    "NaN": (lambda n: [nan] + [0.0] * (n - 1), "must be finite, got .*nan"),
    "infinite": (lambda n: [0.0] * (n - 1) + [-inf], "must be finite, got .*-inf"),
    "words": (lambda n: ["a"] * n, r"must be numbers in an array of shape \({n},\), got \['a'"),
    "ragged": (lambda n: [[1.0], [1.0, 2.0]], r"must be numbers in an array of shape \({n},\), got "),
    "complex": (lambda n: [1j] * n, r"must be numbers in an array of shape \({n},\), got "),
}


@pytest.mark.parametrize("case", BAD_VECTORS)
@pytest.mark.parametrize(("name", "n"), [*((f, 3) for f in OF_ROTATION_VECTORS), *((f, 6) for f in OF_TWISTS)])
def test_a_bad_vector_is_refused(name: str, n: int, case: str) -> None:
    make, words = BAD_VECTORS[case]
    pattern = words.replace("{n}", str(n)).replace("{m}", str(n - 1))
    with pytest.raises(TransformError, match=pattern) as caught:
        function(name)(make(n))
    assert isinstance(caught.value, LessonsError)
    assert isinstance(caught.value, ArgumentError)
    assert isinstance(caught.value, ValueError)
    assert re.match("omega|xi", str(caught.value)), "the message names the argument"


BAD_POSES = {
    "a rotation alone": (np.eye(3), r"must have shape \(4, 4\), got \(3, 3\)"),
    "a batch": (np.zeros((2, 4, 4)), r"must have shape \(4, 4\), got \(2, 4, 4\)"),
    "NaN": (pose(r03=nan), "must be finite, got"),
    "last row": (pose(r33=2.0), r"the last row must be \[0, 0, 0, 1\], got \[0.0, 0.0, 0.0, 2.0\]"),
    "last row, a little": (pose(r30=1.1e-6), r"the last row must be \[0, 0, 0, 1\], got \[1.1e-06"),
    "transposed": (pose().T, "the last row must be"),
    "scaled": (
        pose() @ np.diag([2.0, 2, 2, 1]),
        "is not a rotation: RᵀR differs from the identity by 3, allowed is 1e-06",
    ),
    "sheared": (pose(r01=0.5), "is not a rotation: RᵀR differs from the identity by"),
    "zero": (np.diag([0.0, 0, 0, 1]), "differs from the identity by 1, allowed"),
    "mirrored": (np.diag([1.0, 1, -1, 1]), "is a reflection: its determinant is −1"),
    "a position out of scale is fine, NaN is not": (pose(r23=inf), "must be finite"),
}


@pytest.mark.parametrize("case", BAD_POSES)
@pytest.mark.parametrize("name", OF_POSES)
def test_a_bad_pose_is_refused(name: str, case: str) -> None:
    T, words = BAD_POSES[case]
    with pytest.raises(TransformError, match=words):
        function(name)(T)


def test_the_message_names_the_pose() -> None:
    with pytest.raises(TransformError, match="^target must have shape"):
        lie.check_transform(np.eye(3), "target")
    with pytest.raises(TransformError, match="^the rotation part of target is not a rotation"):
        lie.check_transform(np.diag([2.0, 1, 1, 1]), "target")


@pytest.mark.parametrize(
    ("R", "words"),
    [
        (np.eye(4), r"R must have shape \(3, 3\), got \(4, 4\)"),
        (np.diag([1, 1, 1.001]), r"R is not a rotation: .* by 0\.002, allowed is 1e-06"),
        (-np.eye(3), "R is a reflection"),
        (np.full((3, 3), nan), "R must be finite"),
    ],
)
def test_a_bad_rotation_is_refused(R: np.ndarray, words: str) -> None:
    with pytest.raises(TransformError, match=words):
        lie.log_so3(R)


def test_the_tolerance_on_rotations_is_where_it_says() -> None:
    half = lie.ORTHOGONALITY / 2  # RᵀR of diag(1 + e, 1, 1) is off by 2e
    assert lie.log_so3(np.diag([1 + half * 0.999, 1, 1])).shape == (3,)
    with pytest.raises(TransformError):
        lie.log_so3(np.diag([1 + half * 1.001, 1, 1]))


@pytest.mark.parametrize("place", [(0, 1), (1, 2), (3, 0), (3, 2), (3, 3)])
def test_one_tolerance_serves_every_entry_of_a_pose(place: tuple[int, int]) -> None:
    for off in (1e-17, 0.999 * lie.ORTHOGONALITY):
        T = np.eye(4)
        T[place] += off
        assert lie.check_transform(T)[3].tolist() == [0.0, 0.0, 0.0, 1.0] and lie.log_se3(T).shape == (6,)
    T[place] += lie.ORTHOGONALITY
    with pytest.raises(TransformError):
        lie.check_transform(T)


@pytest.mark.parametrize(
    ("name", "matrix", "words"),
    [
        ("vee_so3", np.eye(3), "Omega must be skew"),
        ("vee_so3", np.zeros((4, 4)), r"Omega must have shape \(3, 3\), got \(4, 4\)"),
        ("vee_se3", np.eye(4), r"the last row of a matrix in se\(3\) must be zero, got \[0.0, 0.0, 0.0, 1.0\]"),
        ("vee_se3", np.diag([1.0, 0, 0, 0]), "the upper left part of X must be skew"),
        ("vee_se3", np.full((4, 4), inf), "X must be finite"),
        ("vee_so3", 1e12 * np.eye(3), "Omega must be skew"),
    ],
)
def test_vee_refuses_what_hat_cannot_make(name: str, matrix: np.ndarray, words: str) -> None:
    with pytest.raises(TransformError, match=words):
        function(name)(matrix)


def test_vee_forgives_rounding() -> None:
    Omega = lie.hat_so3([1e6, 2e6, 3e6])
    Omega[0, 1] = np.nextafter(Omega[0, 1], 0)
    np.testing.assert_allclose(lie.vee_so3(Omega), [1e6, 2e6, 3e6], rtol=1e-15)


@pytest.mark.parametrize("name", [*OF_ROTATION_VECTORS, *OF_TWISTS, *OF_POSES, "log_so3", "vee_so3", "vee_se3"])
def test_inputs_stay_as_they_are_and_results_are_new(name: str) -> None:
    argument = {
        **dict.fromkeys(OF_ROTATION_VECTORS, np.array([0.1, 0.2, 0.3])),
        **dict.fromkeys(OF_TWISTS, np.array([0.1, 0.2, 0.3, 1.0, 2.0, 3.0])),
        **dict.fromkeys(OF_POSES, pose()),
        "log_so3": pose()[:3, :3],
        "vee_so3": lie.hat_so3([1, 2, 3]),
        "vee_se3": lie.hat_se3([1, 2, 3, 4, 5, 6]),
    }[name]
    before = argument.copy()
    argument.setflags(write=False)
    result = function(name)(argument)
    np.testing.assert_array_equal(argument, before)
    assert result.dtype == np.float64
    assert result.flags.writeable
    assert not np.shares_memory(result, argument)
    for equal in (before.tolist(), np.asfortranarray(before), np.repeat(before, 2, axis=0)[::2], before.astype(">f8")):
        np.testing.assert_array_equal(function(name)(equal), result)


def test_whole_numbers_and_single_precision_are_read() -> None:
    np.testing.assert_array_equal(lie.hat_se3([1, 2, 3, 4, 5, 6]), lie.hat_se3(np.arange(1.0, 7.0)))
    np.testing.assert_array_equal(lie.log_se3(np.eye(4, dtype=int)), np.zeros(6))
    np.testing.assert_array_equal(lie.exp_so3(np.float32([1, 2, 3])), lie.exp_so3([1, 2, 3]))


def test_the_kernels_are_compiled_for_one_layout() -> None:
    from lessons_lib.lie import kernels

    lie.vee_so3(np.asfortranarray(lie.hat_so3([1, 2, 3])))
    assert list(kernels.module().vee_so3_kernel.overloads) == [("f2", "f1")]


@pytest.mark.parametrize("name", ["exp_so3", "left_jacobian_so3", "right_jacobian_so3"])
def test_a_vector_whose_square_overflows_is_refused(name: str) -> None:
    with pytest.raises(TransformError, match=r"\[1e\+200, -?0.0, -?0.0\] is too large"):
        getattr(lie, name)([1e200, 0.0, 0.0] if "right" not in name else [-1e200, 0.0, 0.0])


@pytest.mark.parametrize("huge", [1e155, -1e200, 1e308])
@pytest.mark.parametrize("name", [*OF_POSES, "log_so3", "vee_so3", "vee_se3", "left_jacobian_inverse_se3"])
def test_a_huge_entry_is_refused_without_a_warning_on_the_way(name: str, huge: float) -> None:
    argument = {"log_so3": np.eye(3), "vee_so3": np.zeros((3, 3)), "vee_se3": np.zeros((4, 4))}.get(name, np.eye(4))
    argument = np.zeros(6) if name == "left_jacobian_inverse_se3" else argument
    argument.flat[1] = huge
    with pytest.raises(TransformError):
        getattr(lie, name)(argument)
