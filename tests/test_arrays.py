"""Conversion of arguments to numbers: refused values, recognized types, and copies."""

import re
from functools import partial

import numpy as np
import pytest

from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.arrays import floats, is_real, is_whole
from lessons_lib.course.scaling import figures as scaling_figures
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError


@pytest.mark.parametrize("value", ["six", ["1", "2"], None, [None, 1.0], 1j, np.ones(2, dtype=complex), [[1, 2], [3]]])
def test_values_other_than_real_numbers_are_refused(value):
    with pytest.raises(ConfigurationError, match="q must be 2 numbers, got ") as caught:
        floats(value, "q must be 2 numbers", ConfigurationError)
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize(
    ("value", "real", "whole"),
    [
        *((kind(1), True, True) for kind in (int, np.int8, np.uint64)),
        *((kind(1), True, False) for kind in (float, np.float16, np.longdouble)),
        *((other, False, False) for other in (True, np.True_, 1j, np.complex64(1), np.timedelta64(1), "1", None, [1])),
    ],
)
def test_real_and_whole_numbers_are_recognized(value, real, whole):
    assert (is_real(value), is_whole(value)) == (real, whole)


@pytest.mark.parametrize("value", [True, "1", np.complex128(1), np.timedelta64(1), None, np.nan, -1.0])
def test_scalar_parameters_refuse_values_other_than_numbers(value):
    arm = robots.planar_2r()
    scaled, follower = partial(scaling_figures.speed_up, cores=4), partial(trajectories.Follower, arm, [0, 0])
    for door in (robots.planar_2r, follower, scaled):
        with pytest.raises(ParameterError, match=re.escape(repr(value))):
            door(value)


@pytest.mark.parametrize("kind", [np.int32, np.float64, ">f8", np.float32])
def test_numbers_are_converted_to_a_float64_copy_in_c_order(kind):
    given = np.asfortranarray(np.arange(6, dtype=kind).reshape(2, 3))
    read = floats(given, "a table", TransformError)
    assert read.dtype == np.float64 and read.flags.c_contiguous and np.array_equal(read, given)
    read[0, 0] = 7.0
    assert given[0, 0] == 0


MASKED = np.ma.masked_array([0.1, 0.2, 0.3], mask=[False, True, False])
SEVERAL = {
    "a vector": (MASKED, "entry 1 is masked in "),
    "a table": (np.ma.masked_array(np.eye(2), mask=[[0, 0], [1, 0]]), r"entry \(1, 0\) is masked in "),
    "a row in a list": ([[0.0, 0.0, 0.0], MASKED], "entry 1 is masked in "),
    "the masked constant": ([0.0, np.ma.masked], "it is masked in masked"),
}


@pytest.mark.parametrize("case", SEVERAL)
def test_a_masked_entry_is_refused_and_named(case):
    value, words = SEVERAL[case]
    with pytest.raises(ConfigurationError, match=f"q must be numbers; {words}"):
        floats(value, "q must be numbers", ConfigurationError)


def test_all_entry_points_refuse_masked_entries():
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
