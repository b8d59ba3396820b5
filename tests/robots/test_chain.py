"""Chains as values: what they are made of, what they refuse, their limits and their random configurations."""

import ast
import dataclasses
from typing import Any

import numpy as np
import pytest
from test_kinematics import shift

from lessons_lib import robots
from lessons_lib.errors import CodegenError, ConfigurationError, LimitsError, ParameterError, ScrewError, TransformError
from lessons_lib.robots import Chain

nan, inf, pi = np.nan, np.inf, np.pi
HINGE, SLIDER = [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]
HELIX = [0, 0, 1, 0, 0, 8e-4]  # a spindle, 5 mm a turn


def chain(*screws: list[float], **options: Any) -> Chain:
    return robots.from_screws(np.array(screws, dtype=float).T, np.eye(4), **options)


def test_the_parts_are_kept() -> None:
    limits = [(-1, 2), (-inf, 0.5)]
    arm = robots.from_screws(np.array([HINGE, SLIDER]).T, shift(1, 2, 3), limits, "arm", ["turn", "push"])
    assert (arm.name, arm.dof, arm.joint_names) == ("arm", 2, ("turn", "push"))
    assert arm.joint_types == ("revolute", "prismatic")
    np.testing.assert_array_equal(arm.screws, np.array([HINGE, SLIDER]).T)
    np.testing.assert_array_equal(arm.home, shift(1, 2, 3))
    np.testing.assert_array_equal(arm.limits, limits)
    assert repr(arm) == "Chain('arm', 2 joints: RP)"


def test_what_is_left_out_has_a_default() -> None:
    arm = chain(HINGE, SLIDER)
    assert (arm.name, arm.joint_names) == ("chain", ("joint 1", "joint 2"))
    np.testing.assert_array_equal(arm.limits, [[-inf, inf], [-inf, inf]])


@pytest.mark.parametrize("part", ["screws", "home", "limits", "sampling_limits"])
def test_the_arrays_are_read_only(part: str) -> None:
    array = getattr(robots.planar_2r(), part)
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1.0


def test_a_chain_is_frozen_and_its_arguments_are_not() -> None:
    arguments = [np.array([HINGE, SLIDER], dtype=float).T, np.eye(4), np.array([[-1.0, 1], [0, 1]])]
    arm = robots.from_screws(*arguments)
    for array in arguments:
        assert array.flags.writeable
        assert not any(np.shares_memory(array, own) for own in (arm.screws, arm.home, arm.limits))
    with pytest.raises(dataclasses.FrozenInstanceError):
        arm.name = "other"


BAD_SCREWS = {
    "one dimension": (np.zeros(6), r"must have shape \(6, n\), n ≥ 1, a column \(ω, v\) for each joint; got \(6,\)"),
    "no joint": (np.zeros((6, 0)), r"got \(6, 0\)"),
    "rows for columns": (np.zeros((3, 6)), r"got \(3, 6\)"),
    "words": ([["a"]] * 6, "screws must be numbers"),
    "NaN": ([[nan]] * 6, "screws must be finite"),
    "infinite": ([[0], [0], [1], [inf], [0], [0]], "screws must be finite"),
    "long axis": (
        [[0], [0], [2], [0], [0], [0]],
        r"screw 1 is not normalised: ‖ω‖ = 2, it must be 1 \(0 if prismatic\)",
    ),
    "axis nearly long": ([[0], [0], [1 + 1e-8], [0], [0], [0]], r"screw 1 is not normalised: ‖ω‖ = 1\.00000001"),
    "second screw": (
        np.array([HINGE, [0, 0, 0, 0, 3, 0]]).T,
        r"screw 2 is not normalised: ω = 0 and ‖v‖ = 3, it must be 1",
    ),
    "zero": ([[0]] * 6, "screw 1 is not normalised: ω = 0 and ‖v‖ = 0"),
    "an axis that underflows": ([[1e-200], [0], [0], [1], [0], [0]], "screw 1 is not normalised: ‖ω‖ = "),
    "degrees of pitch": ([[0], [0], [0.5], [0], [0], [1]], r"‖ω‖ = 0\.5"),
}


@pytest.mark.parametrize("case", BAD_SCREWS)
def test_bad_screws_are_refused(case: str) -> None:
    screws, words = BAD_SCREWS[case]
    with pytest.raises(ScrewError, match=words):
        robots.from_screws(screws, np.eye(4))


def test_a_screw_typed_with_ten_digits_is_accepted() -> None:
    assert chain([0.5773502692, 0.5773502692, 0.5773502692, 0, 0, 0]).joint_types == ("revolute",)


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b", "c"]])
def test_names_have_to_be_as_many_as_joints(names: list[str]) -> None:
    with pytest.raises(ScrewError, match=f"2 screws need 2 joint names, got {len(names)}"):
        chain(HINGE, SLIDER, joint_names=names)


def test_a_home_that_is_no_pose_is_refused() -> None:
    with pytest.raises(TransformError, match=r"^home must have shape \(4, 4\), got \(3, 3\)"):
        robots.from_screws(np.array([HINGE]).T, np.eye(3))


BAD_LIMITS = {
    "swapped": ([(1, -1), (0, 1)], r"limits of 'joint 1' are \[1, -1\]: lower must not exceed upper"),
    "NaN": ([(0, 1), (nan, 1)], r"limits of 'joint 2' are \[nan, 1\]; where there is no limit use ±inf"),
    "too few": ([(0, 1)], r"limits must have shape \(2, 2\), a row \(lower, upper\) for each joint; got \(1, 2\)"),
    "columns for rows": (np.zeros((2, 3)), r"got \(2, 3\)"),
    "flat": ([0, 1, 0, 1], r"got \(4,\)"),
    "words": ([("low", "high")] * 2, r"limits must be numbers of shape \(2, 2\), got "),
    "beyond infinity": (
        [(inf, inf), (0, 1)],
        r"limits of 'joint 1' are \[inf, inf\]: no finite value lies between them",
    ),
    "before infinity": ([(-inf, -inf), (0, 1)], "no finite value lies between them"),
}


@pytest.mark.parametrize("case", BAD_LIMITS)
def test_bad_limits_are_refused(case: str) -> None:
    limits, words = BAD_LIMITS[case]
    with pytest.raises(LimitsError, match=words):
        chain(HINGE, SLIDER, limits=limits)


METHODS = ["forward_kinematics", "space_jacobian", "body_jacobian", "pose_and_jacobian"]
METHODS += ["check_configuration", "check_within_limits"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("q", "words"),
    [
        ([0.0], r"q of planar 2R must have shape \(2,\), got \(1,\)"),
        ([0.0] * 3, r"must have shape \(2,\), got \(3,\)"),
        (np.zeros((2, 1)), r"must have shape \(2,\)(, or \(k, 2\) for many)?, got \(2, 1\)"),
        (0.0, r"must have shape \(2,\), got \(\)"),
        ([0.0, nan], r"q of planar 2R must be finite, got \[0\.0, nan\]"),
        ([inf, 0.0], "must be finite"),
        (["a", 0], "q of planar 2R must be 2 numbers(, or rows of 2)?, got "),
        ([[0.0], [0.0, 1.0]], "must be 2 numbers"),
        (np.array(0.0), r"must have shape \(2,\), got \(\)"),
        (np.array([0.0, nan]), "must be finite"),
        (np.array([inf, -inf]), "must be finite"),
        (np.zeros(2, complex), "must be 2 numbers"),
        (None, "must be 2 numbers"),
    ],
)
def test_a_bad_configuration_is_refused(method: str, q: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        getattr(robots.planar_2r(), method)(q)


def test_configurations_are_read_as_numbers_and_left_alone() -> None:
    arm = robots.planar_2r()
    q = np.array([0.1, 0.2, 0.3, 0.4])
    expected = arm.forward_kinematics([0.1, 0.3])
    np.testing.assert_array_equal(arm.forward_kinematics(q[::2]), expected)
    np.testing.assert_array_equal(arm.forward_kinematics(q[2::-2]), arm.forward_kinematics([0.3, 0.1]))
    np.testing.assert_array_equal(arm.forward_kinematics((0, 1)), arm.forward_kinematics([0.0, 1.0]))
    checked = arm.check_configuration(q[:2])
    checked[0] = 9.0
    np.testing.assert_array_equal(q, [0.1, 0.2, 0.3, 0.4])


def test_outside_the_limits_is_refused_by_name() -> None:
    arm = robots.panda()
    inside = arm.sampling_limits.mean(axis=1)
    np.testing.assert_array_equal(arm.check_within_limits(inside), inside)
    np.testing.assert_array_equal(arm.check_within_limits(arm.limits[:, 0]), arm.limits[:, 0])
    outside = inside.copy()
    outside[3] = 0.5
    with pytest.raises(
        ConfigurationError, match=r"joint 'joint 4' of Panda is at 0\.5, outside its limits \[-3\.0718, -0\.0698\]"
    ):
        arm.check_within_limits(outside)
    arm.check_within_limits(outside, tolerance=0.6)
    arm.forward_kinematics(outside)  # the pose is defined everywhere


@pytest.mark.filterwarnings("ignore:limits of joint", "ignore:joint .* cannot move")
@pytest.mark.parametrize(
    ("screw", "given", "expected"),
    [
        (HINGE, (-inf, inf), (-pi, pi)),
        (SLIDER, (-inf, inf), (-1, 1)),
        (HINGE, (-2, 3), (-2, 3)),
        (HINGE, (0.5, 0.5), (0.5, 0.5)),
        (HINGE, (0.5, inf), (0.5, 0.5 + 2 * pi)),
        (HINGE, (-10, inf), (-10, pi)),
        (HINGE, (-inf, 1), (1 - 2 * pi, 1)),
        (HINGE, (-inf, 10), (-pi, 10)),
        (SLIDER, (5, inf), (5, 7)),
        (SLIDER, (-inf, -5), (-7, -5)),
        (SLIDER, (-9, inf), (-9, 1)),
        (HINGE, (-1e12, 1e12), (-pi, pi)),
        (HINGE, (-1e16, 2), (2 - 2 * pi, 2)),
        (HINGE, (5, 1e9), (5, 5 + 2 * pi)),
        (HINGE, (-100, 100), (-100, 100)),
        (HINGE, (900, 901), (900, 901)),
        (HINGE, (-2e12, -1e12), (-1e12 - 2 * pi, -1e12)),
        (SLIDER, (-1e12, 1e12), (-1, 1)),
        (SLIDER, (0, 1e6), (0, 2)),
        (SLIDER, (-900, 900), (-900, 900)),
        (HELIX, (-inf, inf), (-pi, pi)),
        (HELIX, (-5000, 5000), (-5000, 5000)),
        (HELIX, (-1e12, 1e12), (-pi, pi)),
    ],
)
def test_missing_limits_have_a_finite_stand_in(
    screw: list[float], given: tuple[float, float], expected: tuple[float, float]
) -> None:
    arm = chain(screw, limits=[given])
    np.testing.assert_allclose(arm.sampling_limits, [expected], rtol=1e-15)
    np.testing.assert_array_equal(arm.limits, [given])


def test_random_configurations_fill_the_limits_and_can_be_repeated() -> None:
    arm = chain(HINGE, SLIDER, HINGE).with_limits(position=[(-0.5, 2), (3, inf), (1, 1)])
    rng = np.random.default_rng(21)
    drawn = np.array([arm.random_configuration(rng) for _ in range(2000)])
    assert drawn.shape == (2000, 3)
    low, high = arm.sampling_limits.T
    assert (drawn >= low).all()
    assert (drawn <= high).all()
    # of 2,000 uniform draws the extremes are within 1 % of the ends but for a chance of 2e-9
    np.testing.assert_allclose(drawn.min(axis=0), low, atol=0.01 * np.ptp(arm.sampling_limits))
    np.testing.assert_allclose(drawn.max(axis=0), high, atol=0.01 * np.ptp(arm.sampling_limits))
    again = np.random.default_rng(21)
    np.testing.assert_array_equal(drawn[:5], [arm.random_configuration(again) for _ in range(5)])


def test_names_stand_in_comments_alone() -> None:
    nasty = 'x"); */ import os; os.abort()  #\n\u2028os.abort()'
    arm = chain(HINGE, name=nasty, joint_names=[nasty])
    assert arm.joint_names == (nasty,)
    for target in ("numpy", "scalar", "array_api"):
        assert "abort" not in ast.unparse(ast.parse(arm.source(target)))
    for target in ("c", "javascript"):
        assert "abort" not in arm.source(target).split("*/", 1)[1]
    assert arm.recipe == chain(HINGE, limits=[(-1, 1)]).recipe
    assert arm.recipe != chain(SLIDER).recipe


def test_source_refuses_an_unknown_target() -> None:
    message = "unknown target 'fortran'; valid targets are 'numpy', 'scalar', 'javascript', 'c' and 'array_api'"
    with pytest.raises(CodegenError, match=message):
        robots.planar_2r().source("fortran")


def test_chains_of_the_same_numbers_share_one_module() -> None:
    assert robots.planar_2r().kernels is robots.planar_2r().kernels
    assert robots.planar_2r().kernels is not robots.planar_2r(2.0).kernels


def test_a_chain_is_itself_only() -> None:
    first, second = robots.planar_2r(), robots.planar_2r()
    assert first != second
    assert len({first, second, first}) == 2


@pytest.mark.parametrize("names", [5, "ab", ["a", "a"], ["a", 1]])
def test_joint_names_are_different_words(names: Any) -> None:
    planar = robots.planar_2r()
    with pytest.raises(ScrewError, match="joint_names must be 2 "):
        robots.from_screws(planar.screws, planar.home, joint_names=names)


def test_a_random_configuration_needs_a_generator() -> None:
    with pytest.raises(ParameterError, match="rng is 5; it is a generator"):
        robots.ur10().random_configuration(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pitch", "kind"), [(0.0, "revolute"), (5e-10, "revolute"), (2e-9, "helical"), (-0.1, "helical"), (3.0, "helical")]
)
def test_a_pitch_makes_a_joint_helical(pitch: float, kind: str) -> None:
    arm = chain(HINGE, [0, 0, 1, 0, -0.5, pitch], SLIDER)
    assert arm.joint_types == ("revolute", kind, "prismatic")
    assert repr(arm).endswith(f"3 joints: R{kind[0].upper()}P)")


@pytest.mark.parametrize("length", [1e50, 1e99])
def test_lengths_beyond_the_compilers_integers_are_numbers_like_others(length: float) -> None:
    home = np.eye(4)
    home[0, 3] = length
    arm = robots.from_screws(np.array([HINGE, [0, 1, 0, length, 0, 0.1]]).T, home)
    expected = length * np.cos(0.3)
    np.testing.assert_allclose(arm.forward_kinematics([0.3, 0.0])[0, 3], expected, rtol=1e-14)


def test_lengths_whose_products_overflow_are_refused() -> None:
    home = np.eye(4)
    home[1, 3] = 1e120
    with pytest.raises(TransformError, match=r"home is 1e\+120 length units away from \{s\}; at most 1e\+100"):
        robots.from_screws(np.array([HINGE]).T, home)
    with pytest.raises(ScrewError, match=r"lengths in screws must be at most 1e\+100, got 1e\+150"):
        chain([0, 0, 1, 1e150, 0, 0])
