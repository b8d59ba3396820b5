"""Tables of Denavit-Hartenberg rows in text files. `tests/live/test_any_chain.py` shows the page the same tables."""

from pathlib import Path

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.errors import ParameterError
from lessons_lib.robots.dh_text import read_rows

TEXT = """
# a alpha d theta lower upper
0.4, 90°, 0.2, 0, -2.5 2.5
0.3 −π/2; 0 | -pi/4 3pi/4
0 2*pi/3 .1 prismatic   # without limits
0 0 1e-1 5E0 fixed
"""


def test_numbers_limits_and_kinds_are_what_the_lines_say() -> None:
    rows, limits, types = read_rows(TEXT)
    quarter = np.pi / 2
    np.testing.assert_allclose(
        rows, [[0.4, quarter, 0.2, 0], [0.3, -quarter, 0, 0], [0, np.pi / 1.5, 0.1, 0], [0, 0, 0.1, 5]], rtol=1e-15
    )
    np.testing.assert_allclose(limits, [[-2.5, 2.5], [-quarter / 2, 1.5 * quarter], [-np.inf, np.inf]], rtol=1e-15)
    assert types == ["revolute", "revolute", "prismatic", "fixed"]


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_a_file_is_the_chain_of_its_rows(tmp_path: Path, convention: str) -> None:
    (tmp_path / "mine.txt").write_text(TEXT, encoding="utf8")
    arm = robots.load_dh(tmp_path / "mine.txt", convention)  # type: ignore[arg-type]
    rows, limits, types = read_rows(TEXT)
    own = robots.from_dh(rows, convention, limits=limits, joint_types=types)  # type: ignore[arg-type]
    assert arm.name == "mine" and arm.joint_types == own.joint_types
    np.testing.assert_array_equal(arm.screws, own.screws)
    np.testing.assert_array_equal(arm.home, own.home)
    np.testing.assert_array_equal(arm.limits, own.limits)


@pytest.mark.parametrize("word", ["x", "nan", "inf", "1_0", "1e10", ".", ".pi", "pi/0", "1.2.3pi", "٣", "1°°", "pi°"])
def test_a_word_that_is_no_number_is_named_with_its_line_and_file(tmp_path: Path, word: str) -> None:
    (tmp_path / "t.txt").write_text(f"0 0 1\n0 0 {word}", encoding="utf8")
    with pytest.raises(ParameterError) as refused:
        robots.load_dh(tmp_path / "t.txt")
    assert str(refused.value).endswith(f"t.txt': line 2 holds {word!r}; numbers are like 0.5, -pi/2 or 90°")


COMMAS = ["0,4 1,57 0,2", "0,4;1,57;0,2", "0,4, 1,57, 0,2", "0,4,1,57,0,2", "0.4 1,57 0.2", "0 90,5° 1", "0,5*pi 0 1"]


@pytest.mark.parametrize("line", COMMAS)
def test_a_decimal_comma_is_refused_by_that_name(line: str) -> None:
    with pytest.raises(ParameterError, match="line 2 holds '[0-9]+,[0-9]+', a number with a decimal comma; write '"):
        read_rows(f"# mine\n{line}")


@pytest.mark.parametrize(
    "line", ["0.4,1.57,0.2", "0.4, 1.57, 0.2", "0.4 ;1.57 | 0.2", "0.4,1.57 0.2", "0.4 , 1.57 , 0.2"]
)
def test_commas_between_numbers_with_points_separate_them(line: str) -> None:
    assert read_rows(line)[0] == [[0.4, 1.57, 0.2, 0.0]]
    assert read_rows("0,0,1")[0] == [[0.0, 0.0, 1.0, 0.0]]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-8"])
def test_a_table_with_a_byte_order_mark_is_read_and_one_that_lacks_it_is_refused(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "t.txt").write_text("0.4 90° 0.2\n", encoding="utf-8" if encoding == "utf-8" else encoding)
    if encoding in ("utf-16-le", "utf-16-be"):
        with pytest.raises(ParameterError, match=r"t\.txt': it .*UTF-8"):
            robots.load_dh(tmp_path / "t.txt")
    else:
        assert robots.load_dh(tmp_path / "t.txt").home[0, 3] == 0.4
