"""Denavit-Hartenberg tables: screws that move as the product of the rows' matrices does, and tables in text files."""

import numpy as np
import pinocchio_models
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_kinematics import run_interpreted

from lessons_lib import robots
from lessons_lib.errors import ParameterError
from lessons_lib.robots.dh_text import read_rows

nan, inf = np.nan, np.inf
CONVENTIONS = ["standard", "modified"]


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 3), convention=st.sampled_from(CONVENTIONS))
def test_a_random_table_moves_as_its_matrices(seed, joints, convention):
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1, 1, (joints, 4)) * [1, np.pi, 1, np.pi]
    kinds = [str(kind) for kind in rng.choice(["revolute", "prismatic"], joints)]
    tool = pinocchio_models.dh_matrix(0.1, 0.5, 0.2, 0.7, "standard")
    chain = robots.from_dh(rows, convention, tool, joint_types=kinds)
    assert chain.joint_types == tuple(kinds)
    functions = run_interpreted(chain)
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


def test_an_offset_moves_the_zero():
    offset = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    rows = np.column_stack([robots.UR10_DH, offset])
    np.testing.assert_allclose(robots.from_dh(rows).home, robots.ur10().forward_kinematics(offset), atol=1e-14)


TEXT = """
# a alpha d theta lower upper
0.4, 90°, 0.2, 0, -2.5 2.5
0.3 −π/2; 0 | -pi/4 3pi/4
0 2*pi/3 .1 prismatic   # without limits
0 0 1e-1 5E0 fixed
"""


def test_numbers_limits_and_kinds_are_what_the_lines_say():
    rows, limits, types = read_rows(TEXT)
    quarter = np.pi / 2
    expected = [[0.4, quarter, 0.2, 0], [0.3, -quarter, 0, 0], [0, np.pi / 1.5, 0.1, 0], [0, 0, 0.1, 5]]
    np.testing.assert_allclose(rows, expected, rtol=1e-15)
    np.testing.assert_allclose(limits, [[-2.5, 2.5], [-quarter / 2, 1.5 * quarter], [-np.inf, np.inf]], rtol=1e-15)
    assert types == ["revolute", "revolute", "prismatic", "fixed"]


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_a_file_is_the_chain_of_its_rows(tmp_path, convention):
    (tmp_path / "mine.txt").write_text(TEXT, encoding="utf8")
    arm = robots.load_dh(tmp_path / "mine.txt", convention)
    rows, limits, types = read_rows(TEXT)
    own = robots.from_dh(rows, convention, limits=limits, joint_types=types)
    assert arm.name == "mine" and arm.joint_types == own.joint_types
    np.testing.assert_array_equal(arm.screws, own.screws)
    np.testing.assert_array_equal(arm.home, own.home)
    np.testing.assert_array_equal(arm.limits, own.limits)


@pytest.mark.parametrize("word", ["x", "nan", "inf", "1_0", "1e10", ".", ".pi", "pi/0", "1.2.3pi", "٣", "1°°", "pi°"])
def test_an_invalid_number_is_refused_with_line_and_file(tmp_path, word):
    (tmp_path / "t.txt").write_text(f"0 0 1\n0 0 {word}", encoding="utf8")
    with pytest.raises(ParameterError) as refused:
        robots.load_dh(tmp_path / "t.txt")
    what = f"t.txt': numbers must be such as 0.5, -pi/2 or 90°, got {word!r} in line 2; begin a comment with #"
    assert str(refused.value).endswith(what)


COMMAS = ["0,4 1,57 0,2", "0,4;1,57;0,2", "0,4, 1,57, 0,2", "0,4,1,57,0,2", "0.4 1,57 0.2", "0 90,5° 1", "0,5*pi 0 1"]


@pytest.mark.parametrize("line", COMMAS)
def test_a_decimal_comma_is_refused(line):
    with pytest.raises(ParameterError, match="line 2 has a decimal comma in '[0-9]+,[0-9]+'; write '"):
        read_rows(f"# mine\n{line}")


@pytest.mark.parametrize("line", ["0.4,1.5,0.2", "0.4, 1.5, 0.2", "0.4 ;1.5 | 0.2", "0.4,1.5 0.2", "0.4 , 1.5 , 0.2"])
def test_commas_between_numbers_with_points_separate_them(line):
    assert read_rows(line)[0] == [[0.4, 1.5, 0.2, 0.0]]
    assert read_rows("0,0,1")[0] == [[0.0, 0.0, 1.0, 0.0]]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-8"])
def test_a_table_with_a_byte_order_mark_is_read_and_one_that_lacks_it_is_refused(tmp_path, encoding):
    (tmp_path / "t.txt").write_text("0.4 90° 0.2\n", encoding="utf-8" if encoding == "utf-8" else encoding)
    if encoding in ("utf-16-le", "utf-16-be"):
        with pytest.raises(ParameterError, match=r"t\.txt': the file .*UTF-8"):
            robots.load_dh(tmp_path / "t.txt")
    else:
        assert robots.load_dh(tmp_path / "t.txt").home[0, 3] == 0.4
