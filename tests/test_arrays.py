import numpy as np
import pytest

from lessons_lib import lie, robots
from lessons_lib.arrays import floats
from lessons_lib.errors import ConfigurationError, LimitsError, TransformError


@pytest.mark.parametrize("value", ["six", ["1", "2"], None, [None, 1.0], 1j, np.ones(2, dtype=complex), [[1, 2], [3]]])
def test_what_holds_no_real_numbers_is_refused_with_its_value(value: object) -> None:
    with pytest.raises(ConfigurationError, match="q must be 2 numbers, got ") as caught:
        floats(value, "q must be 2 numbers", ConfigurationError)  # type: ignore[arg-type]
    assert repr(value) in str(caught.value)


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
