"""Signs of polynomials: true ones are recognised, and a polynomial that takes both signs never is."""

import pytest
import sympy as sp

from lessons_lib.claims import signs

x, y = sp.symbols("x y", real=True)


@pytest.mark.parametrize("f", [x**2, (x - y) ** 2, x**2 * y**4, x**2 - x * y + y**2, 2 * x**4 + (x * y - 1) ** 2])
def test_a_sum_of_squares_is_never_negative(f):
    assert signs.never_negative(f)


@pytest.mark.parametrize("f", [x, x**3, x * y**2, x**2 - y**2, x**2 - 3 * x * y + y**2, -(x**2), x**4 - x], ids=str)
def test_a_polynomial_of_both_signs_has_none(f):
    assert not signs.never_negative(f)
    assert not signs.positive(f)


@pytest.mark.parametrize(("f", "holds"), [(x**2 + 1, True), (x**2, False), (sp.exp(x), True), (x**2 + y**2, False)])
def test_positive_excludes_zero(f, holds):
    assert signs.positive(f) == holds
