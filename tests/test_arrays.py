import re
from functools import partial
from typing import Any

import numpy as np
import pytest

from lessons_lib import collisions, differential_ik, lie, pose_ik, robots, trajectories
from lessons_lib.arrays import floats, is_real, is_whole
from lessons_lib.course.scaling import figures as lesson_24
from lessons_lib.errors import ConfigurationError, LimitsError, ParameterError, TransformError


@pytest.mark.parametrize("value", ["six", ["1", "2"], None, [None, 1.0], 1j, np.ones(2, dtype=complex), [[1, 2], [3]]])
def test_what_holds_no_real_numbers_is_refused_with_its_value(value: object) -> None:
    with pytest.raises(ConfigurationError, match="q must be 2 numbers, got ") as caught:
        floats(value, "q must be 2 numbers", ConfigurationError)  # type: ignore[arg-type]
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize(
    ("value", "real", "whole"),
    [
        *((kind(1), True, True) for kind in (int, np.int8, np.uint64)),
        *((kind(1), True, False) for kind in (float, np.float16, np.longdouble)),
        *((other, False, False) for other in (True, np.True_, 1j, np.complex64(1), np.timedelta64(1), "1", None, [1])),
    ],
)
def test_one_number_is_told_from_what_is_none(value: object, real: bool, whole: bool) -> None:
    assert (is_real(value), is_whole(value)) == (real, whole)


@pytest.mark.parametrize("value", [True, "1", np.complex128(1), np.timedelta64(1), None, np.nan, -1.0])
def test_a_door_for_one_number_refuses_what_is_none_with_its_value(value: object) -> None:
    arm = robots.planar_2r()
    for door in (robots.planar_2r, partial(trajectories.Follower, arm, [0, 0]), partial(lesson_24.speed_up, cores=4)):
        with pytest.raises(ParameterError, match=re.escape(repr(value))):
            door(value)


def test_a_door_for_one_number_takes_numpys() -> None:
    assert trajectories.Follower(robots.planar_2r(), [0, 0], np.int64(50), velocity=1, acceleration=1).dt == 0.02


@pytest.mark.parametrize("kind", [np.int32, np.float64, ">f8", np.float32])
def test_numbers_come_back_as_a_float64_copy_in_c_order(kind: str) -> None:
    given = np.asfortranarray(np.arange(6, dtype=kind).reshape(2, 3))
    read = floats(given, "a table", TransformError)
    assert read.dtype == np.float64 and read.flags.c_contiguous and np.array_equal(read, given)
    read[0, 0] = 7.0
    assert given[0, 0] == 0


def test_the_rooms_above_read_with_it() -> None:
    with pytest.raises(TransformError, match="omega must be numbers in an array of shape \\(3,\\), got "):
        lie.exp_so3(np.ones(3, dtype=complex))  # type: ignore[arg-type]
    with pytest.raises(LimitsError, match="limits must be numbers of shape \\(6, 2\\), got 'none'"):
        robots.from_screws(robots.ur10().screws, robots.ur10().home, limits="none")  # type: ignore[arg-type]


MASKED = np.ma.masked_array([0.1, 0.2, 0.3], mask=[False, True, False])
SEVERAL = {
    "a vector": (MASKED, "entry 1 is masked in "),
    "a table": (np.ma.masked_array(np.eye(2), mask=[[0, 0], [1, 0]]), r"entry \(1, 0\) is masked in "),
    "a row in a list": ([[0.0, 0.0, 0.0], MASKED], "entry 1 is masked in "),
    "the masked constant": ([0.0, np.ma.masked], "it is masked in masked"),
}


@pytest.mark.parametrize("case", SEVERAL)
def test_a_masked_entry_is_refused_and_named(case: str) -> None:
    value, words = SEVERAL[case]
    with pytest.raises(ConfigurationError, match=f"q must be numbers; {words}"):
        floats(value, "q must be numbers", ConfigurationError)


def test_a_masked_array_without_masked_entries_is_an_array() -> None:
    np.testing.assert_array_equal(floats(np.ma.masked_array([1.0, 2.0]), "q", ConfigurationError), [1.0, 2.0])


def test_no_door_of_a_solve_forgets_the_mask() -> None:
    arm = robots.planar_2r()
    T = arm.forward_kinematics([0.3, 0.4])
    mask = np.zeros((4, 4), dtype=bool)
    mask[0, 3] = True
    q = np.ma.masked_array([0.3, 0.4], mask=[True, False])
    pose_ik.solve(arm, T)  # from here on a pose and a start go straight to compiled code
    for call in (
        lambda: pose_ik.solve(arm, np.ma.masked_array(T, mask=mask)),
        lambda: pose_ik.solve_batch(arm, np.ma.masked_array(T[None], mask=mask[None])),
        lambda: trajectories.trace(arm, np.ma.masked_array(T[None], mask=mask[None])),
    ):
        with pytest.raises(TransformError, match=r"entry \((0, )?0, 3\) is masked"):
            call()
    for call in (
        lambda: pose_ik.solve(arm, T, q),
        lambda: pose_ik.solve_batch(arm, T[None], q),
        lambda: trajectories.trace(arm, T[None], q),
        lambda: arm.forward_kinematics(q),
        lambda: arm.pose_and_jacobian(q),
    ):
        with pytest.raises(ConfigurationError, match="entry 0 is masked"):
            call()


@pytest.mark.parametrize("given", [None, "ur10", robots.planar_2r])
def test_what_is_no_robot_is_refused_at_every_door(given: object) -> None:
    any_one: Any = given
    for door in (
        lambda: collisions.Scene(any_one, ()),
        lambda: collisions.fitted_links(any_one, 0.1),
        lambda: trajectories.Follower(any_one, [0.0]),
        lambda: trajectories.rest_to_rest(any_one, [0.0], [1.0], jerk=1.0),
        lambda: pose_ik.solve(any_one, np.eye(4)),
        lambda: pose_ik.all_solutions(any_one, np.eye(4)),
        lambda: differential_ik.VelocityLimit(any_one),
        lambda: differential_ik.ManipulabilityTask("tool0", any_one),
    ):
        with pytest.raises(ParameterError, match=f"is a {type(given).__name__}; make "):
            door()


def test_a_velocity_with_a_masked_entry_moves_no_robot() -> None:
    at = differential_ik.Configuration(robots.load_urdf(robots.urdf_file("planar_2r")))
    with pytest.raises(ParameterError, match="entry 1 is masked"):
        at.integrate(np.ma.masked_array([0.1, 0.2], mask=[False, True]), 0.1)
