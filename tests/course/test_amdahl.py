"""Amdahl's law against a scheduler that distributes the work, and its inverse."""

import pytest
import sympy as sp

from lessons_lib.course.scaling import amdahl

s, p, S = sp.symbols("s p S", positive=True)


@pytest.mark.parametrize("cores", [1, 2, 7, 1000])
def test_time_equals_that_of_a_schedule(cores):
    serial, pieces = 250, 7000  # pieces of equal length, a whole number of them for each core
    busiest = max(len(range(core, pieces, cores)) for core in range(cores))
    assert amdahl.time(sp.Rational(serial, serial + pieces), cores) == sp.Rational(serial + busiest, serial + pieces)


def test_serial_share_is_karp_and_flatts_formula():
    published = (1 / S - 1 / p) / (1 - 1 / p)  # Communications of the ACM 33 (1990), p. 540
    assert sp.simplify(amdahl.serial_share(S, p) - published) == 0


@pytest.mark.parametrize(("percent", "scaled"), [(1, 1014), (2, 1004), (3, 993), (4, 983)])
def test_gustafsons_speed_up_of_1024_processors_hardly_falls(percent, scaled):
    assert round(amdahl.scaled_speed_up(sp.Rational(percent, 100), sp.Integer(1024))) == scaled
    assert amdahl.speed_up(sp.Rational(percent, 100), sp.Integer(1024)) < 100
