"""Denavit-Hartenberg tables: screws that move as the product of the rows' matrices does, and what is refused."""

import numpy as np
import pinocchio_models
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_kinematics import UR10_ROWS, interpreted, shift

from lessons_lib import robots
from lessons_lib.errors import ArgumentError, ConventionError, LimitsError, ScrewError, TransformError

nan, inf = np.nan, np.inf
CONVENTIONS = ["standard", "modified"]


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 3), convention=st.sampled_from(CONVENTIONS))
def test_a_random_table_moves_as_its_matrices(seed: int, joints: int, convention: str) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1, 1, (joints, 4)) * [1, np.pi, 1, np.pi]
    kinds = [str(kind) for kind in rng.choice(["revolute", "prismatic"], joints)]
    tool = pinocchio_models.dh_matrix(0.1, 0.5, 0.2, 0.7, "standard")
    chain = robots.from_dh(rows, convention, tool, joint_types=kinds)
    assert chain.joint_types == tuple(kinds)
    functions = interpreted(chain)
    model = pinocchio_models.from_dh(rows, convention, kinds, tool)
    for q in rng.uniform(-2, 2, (5, joints)):
        moved = rows.copy()
        moved[np.arange(joints), [2 if kind == "prismatic" else 3 for kind in kinds]] += q
        product = np.eye(4)
        for row in moved:
            product = product @ pinocchio_models.dh_matrix(*row, convention)
        # rows of size 1: rounding stays near 1e-15 times the reach of some 10 m
        assert np.abs(functions["pose_kernel"](q) - product @ tool).max() <= 1e-13
        assert np.abs(functions["chain_kernel"](q)[1] - model.kinematics(q)[2]).max() <= 1e-12


def test_rows_without_offsets_have_offsets_of_zero() -> None:
    with_offsets = robots.from_dh(UR10_ROWS)
    without = robots.from_dh([row[:3] for row in UR10_ROWS])
    np.testing.assert_array_equal(with_offsets.screws, without.screws)
    np.testing.assert_array_equal(with_offsets.home, without.home)


def test_an_offset_moves_the_zero() -> None:
    offset = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    rows = np.array(UR10_ROWS)
    rows[:, 3] = offset
    np.testing.assert_allclose(robots.from_dh(rows).home, robots.ur10().forward_kinematics(offset), atol=1e-14)


def test_right_angles_are_exact() -> None:
    chain = robots.from_dh([(0.0, angle * np.pi / 2, 1.0) for angle in range(-4, 5)])
    assert set(np.abs(chain.screws[:3]).ravel()) == {0.0, 1.0}


def test_a_tool_is_beyond_the_last_frame() -> None:
    chain = robots.from_dh([(1.0, 0.0, 0.0)], tool=shift(0, 0, 0.5))
    np.testing.assert_array_equal(chain.home, shift(1, 0, 0.5))
    np.testing.assert_array_equal(robots.from_dh([(1.0, 0.0, 0.0)]).home, shift(1, 0, 0))


@pytest.mark.parametrize("convention", ["", "Standard", "craig", "MDH", None, 3])
def test_an_unknown_convention_is_refused(convention: object) -> None:
    with pytest.raises(
        ConventionError, match=r"unknown DH convention .*; valid are 'standard' and 'modified'"
    ) as caught:
        robots.from_dh([(0, 0, 1)], convention)
    assert repr(convention) in str(caught.value)
    assert isinstance(caught.value, ArgumentError)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], r"must have shape \(n, 3\) or \(n, 4\).*got \(0,\)"),
        (np.zeros((0, 3)), r"got \(0, 3\)"),
        ([(0, 0)], r"got \(1, 2\)"),
        ([(0, 0, 0, 0, 0)], r"got \(1, 5\)"),
        ((0, 0, 1), r"got \(3,\)"),
        ([(0, 0, 1), (0, 0, 1, 0)], r"DH rows must be numbers \(a, α, d\) or \(a, α, d, θ\), got "),
        ([("a", 0, 1)], "DH rows must be numbers"),
        ([(0, nan, 1)], "DH rows must be finite, got .*nan"),
        ([(0, 0, -inf)], "DH rows must be finite, got .*-inf"),
        (None, "got None"),
    ],
)
def test_rows_that_are_no_table_are_refused(rows: object, words: str) -> None:
    with pytest.raises(ConventionError, match=words):
        robots.from_dh(rows)


@pytest.mark.parametrize("types", [["revolute"], ["revolute"] * 3, ["revolute", "Prismatic"], ["revolute", "helical"]])
def test_joint_types_that_do_not_fit_are_refused(types: list[str]) -> None:
    with pytest.raises(ConventionError, match="joint_types must be 2 times 'revolute', 'prismatic' or 'fixed', got "):
        robots.from_dh([(0, 0, 1)] * 2, joint_types=types)


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        (np.eye(3), r"tool must have shape \(4, 4\), got \(3, 3\)"),
        ([0, 0, 0.1], r"tool must have shape \(4, 4\), got \(3,\)"),
        (np.diag([1.0, 1, 2, 1]), "the rotation part of tool is not a rotation"),
        (np.diag([1.0, 1, -1, 1]), "the rotation part of tool is a reflection"),
        (shift(0, nan, 0), "tool must be finite"),
        (shift(0, 0, 1).T, "tool: the last row must be"),
    ],
)
def test_a_tool_that_is_no_pose_is_refused(tool: object, words: str) -> None:
    with pytest.raises(TransformError, match=words):
        robots.from_dh([(0, 0, 1)], tool=tool)


def test_limits_and_names_are_checked_as_for_screws() -> None:
    with pytest.raises(LimitsError, match="limits of 'elbow'"):
        robots.from_dh([(0, 0, 1)], limits=[(1, -1)], joint_names=["elbow"])
    with pytest.raises(ScrewError, match="1 screws need 1 joint names, got 2"):
        robots.from_dh([(0, 0, 1)], joint_names=["a", "b"])


def test_the_table_is_left_alone() -> None:
    rows, tool = np.array(UR10_ROWS), shift(1, 2, 3)
    before = rows.copy()
    robots.from_dh(rows, tool=tool)
    np.testing.assert_array_equal(rows, before)
    assert rows.flags.writeable
    assert tool.flags.writeable


def test_a_convention_is_a_word_and_lengths_that_overflow_are_refused_in_silence() -> None:
    with pytest.raises(ConventionError, match="unknown DH convention array"):
        robots.from_dh([[0.3, 0.1, 0.2, 0.0]], np.array(["standard", "modified"]))
    with pytest.raises(ArgumentError):
        robots.from_dh([[1e308, 0.0, 0.0, 0.0], [1e308, 0.0, 0.0, 0.0]])
    with pytest.raises(ArgumentError):
        robots.from_screws(np.array([[1e200, 0, 1, 0, 0, 0]]).T, np.eye(4))
