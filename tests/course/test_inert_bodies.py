"""Fixed bodies need no offset; an index into bodies does, and fails if one is in the middle."""

import modern_robotics as mr
import numpy as np
import pytest

from lessons_lib import lie, pose_ik, robots
from lessons_lib.course.robot_models.inert_bodies import (
    PEDESTAL,
    SPACER,
    chain_of,
    indexed_space_jacobian,
    mounted_ur10,
)
from lessons_lib.errors import ConventionError
from lessons_lib.pose_ik.one_pose import solve_in_python

Q = np.array([0.1, -1.0, 1.2, 0.3, 0.5, 0.2])


def product(rows, kinds, q) -> np.ndarray:
    """Tip pose by the four matrices of each row, written out: Rot(z, θ) Trans(z, d) Trans(x, a) Rot(x, α)."""
    T, values = np.eye(4), iter(q)
    for (a, alpha, d), kind in zip(rows, kinds, strict=True):
        theta = 0.0 if kind == "fixed" else next(values)
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
        T = T @ [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
    return T


def differences(rows, kinds, q) -> np.ndarray:
    """The space Jacobian of that product by central differences and Modern Robotics' logarithm."""
    h, columns = 1e-5, []
    for i in range(6):
        ahead, back = (product(rows, kinds, q + sign * h * np.eye(6)[i]) for sign in (1, -1))
        columns.append(mr.se3ToVec(mr.MatrixLog6(ahead @ mr.TransInv(back))) / (2 * h))
    return np.column_stack(columns)


PLACES = {
    "none": (0, False),
    "two first": (2, False),
    "first and middle": (1, True),
}


@pytest.mark.parametrize("place", PLACES)
def test_pose_and_jacobian_are_right_wherever_the_inert_bodies_are(place: str) -> None:
    rows, kinds = mounted_ur10(*PLACES[place])
    arm = chain_of(rows, kinds)
    assert arm.dof == 6
    np.testing.assert_allclose(arm.forward_kinematics(Q), product(rows, kinds, Q), atol=1e-14)
    np.testing.assert_allclose(arm.space_jacobian(Q), differences(rows, kinds, Q), atol=1e-8)  # h² and 1e-16/h


@pytest.mark.parametrize("place", PLACES)
def test_inverse_kinematics_does_not_notice_them(place: str) -> None:
    rows, kinds = mounted_ur10(*PLACES[place])
    arm = chain_of(rows, kinds)
    solve = pose_ik.solve if place == "first and middle" else solve_in_python
    found = solve(arm, product(rows, kinds, Q + 0.15), Q + 0.1)
    assert found.converged and found.restarts == 0
    np.testing.assert_allclose(found.q, Q + 0.15, atol=1e-5)


@pytest.mark.parametrize("pedestals", [0, 1, 3])
def test_the_index_is_right_with_the_right_offset_when_all_come_first(pedestals: int) -> None:
    rows, kinds = mounted_ur10(pedestals)
    arm = chain_of(rows, kinds)
    indexed = indexed_space_jacobian(rows, kinds, Q, offset=pedestals)
    np.testing.assert_allclose(indexed, arm.space_jacobian(Q), atol=1e-13)


def test_without_the_offset_the_index_is_wrong() -> None:
    rows, kinds = mounted_ur10(pedestals=1)
    wrong = indexed_space_jacobian(rows, kinds, Q) - chain_of(rows, kinds).space_jacobian(Q)
    assert np.abs(wrong).max() > 0.5


def test_with_an_inert_body_in_the_middle_no_offset_is_right() -> None:
    rows, kinds = mounted_ur10(spacer=True)
    right = chain_of(rows, kinds).space_jacobian(Q)
    for offset in (0, 1):
        assert np.abs(indexed_space_jacobian(rows, kinds, Q, offset) - right).max() > 0.1
    np.testing.assert_allclose(indexed_space_jacobian(rows, kinds, Q)[:, :3], right[:, :3], atol=1e-13)  # up to there


def test_a_fixed_modified_row_moves_the_following_rows() -> None:
    rows = [(0.3, 0.4, 0.5), (0.1, -0.2, 0.3)]
    arm = robots.from_dh(rows, "modified", joint_types=["fixed", "revolute"])
    base = lie.exp_se3([0.4, 0, 0, 0.3, 0, 0]) @ lie.exp_se3([0, 0, 0, 0, 0, 0.5])
    alone = robots.from_dh(rows[1:], "modified")
    np.testing.assert_allclose(arm.home, base @ alone.home, atol=1e-15)
    np.testing.assert_allclose(arm.screws, lie.adjoint(base) @ alone.screws, atol=1e-15)


def test_a_table_that_only_holds_still_is_refused() -> None:
    with pytest.raises(ConventionError, match="at least one row must be revolute or prismatic, got 2 fixed rows"):
        robots.from_dh([PEDESTAL, SPACER], joint_types=["fixed", "fixed"])
