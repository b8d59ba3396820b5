"""Claims about matrices of any size: proven by the rules alone, or refuted by numbers."""

import pytest
import sympy as sp

from lessons_lib.claims import claim
from lessons_lib.claims.matrix_symbols import any_identity, any_matrix, is_zero_for_every_size, with_sizes
from lessons_lib.claims.terms import Term
from lessons_lib.errors import ClaimError

m, n = sp.symbols("m n", integer=True, positive=True)
A, B, a, b = any_matrix("A", m, n), any_matrix("B", n, m), any_matrix("a", m, 1), any_matrix("b", m, 1)
TRUE = {
    "a product's transpose": ((A * B).T, B.T * A.T),
    "a sum in a product": (A * (B + A.T), A * B + A * A.T),
    "the identity": (any_identity(m) * A, A * any_identity(n)),
    "a number is its transpose": (a.T * (A * B) * b, b.T * (A * B).T * a),
    "pushing through": ((A.T * A + any_identity(n)) * A.T, A.T * (A * A.T + any_identity(m))),
}
FALSE = {
    "an order": (A * B * A * B, A * B * B.T * A.T),
    "a square": ((A * B + any_identity(m)) * (A * B - any_identity(m)), A * B * A * B),
    "a column and a row": (a * b.T, b * a.T),
}


@pytest.mark.parametrize("case", TRUE)
def test_an_identity_for_every_size_is_proven(case):
    left, right = TRUE[case]
    proven = claim("9.1", case, left, "=", right)
    assert proven.checked == "the two sides are equal for every size, by the rules of sums, products and transposes."
    for numbers in ({m: 1, n: 1}, {m: 2, n: 3}, {m: 3, n: 1}):
        assert (with_sizes(left.value, numbers) - with_sizes(right.value, numbers)).expand().is_zero_matrix


@pytest.mark.parametrize("case", FALSE)
def test_a_false_identity_is_refuted_with_entries(case):
    with pytest.raises(ClaimError, match=r"claim 9\.1 is false: .* at A_11 = |at a_11 = "):
        claim("9.1", case, FALSE[case][0], "=", FALSE[case][1])


def test_sides_of_different_sizes_are_refused():
    with pytest.raises(ClaimError, match=r"compares shapes \(m, n\) and \(n, m\)"):
        claim("9.1", "Two sizes.", A, "=", B)


def test_other_operations_than_sums_and_products_are_refused():
    square = Term(sp.MatrixSymbol("S", n, n).inv(), "S^{-1}")
    with pytest.raises(ClaimError, match="expected sums, products and transposes"):
        is_zero_for_every_size(square.value - sp.Identity(n))
