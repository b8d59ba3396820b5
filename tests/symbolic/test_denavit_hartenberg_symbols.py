"""Denavit-Hartenberg rows in symbols, against the numeric library, textbook matrices and identities."""

import pytest
import sympy as sp

from lessons_lib.claims import claim
from lessons_lib.errors import ConventionError
from lessons_lib.symbolic import denavit_hartenberg as dh
from lessons_lib.symbolic.open_chain import joint_exp


def symbols(n):
    return [sp.symbols(f"a_{i} alpha_{i} d_{i} theta_{i}", real=True) for i in range(1, n + 1)]


def test_standard_row_equals_sicilianos_matrix():
    """Entry by entry as printed in Siciliano et al. (2009), eq. (2.52)."""
    a, alpha, d, theta = symbols(1)[0]
    (s, c), (sa, ca) = ((sp.sin(x), sp.cos(x)) for x in (theta, alpha))
    printed = [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
    claim("test", "standard", dh.row_pose((a, alpha, d, theta), "standard"), "=", sp.Matrix(printed))


def test_modified_row_equals_craigs_matrix():
    """Entry by entry as printed in Craig, eq. (3.6)."""
    a, alpha, d, theta = symbols(1)[0]
    (s, c), (sa, ca) = ((sp.sin(x), sp.cos(x)) for x in (theta, alpha))
    printed = [[c, -s, 0, a], [s * ca, c * ca, -sa, -sa * d], [s * sa, c * sa, ca, ca * d], [0, 0, 0, 1]]
    claim("test", "modified", dh.row_pose((a, alpha, d, theta), "modified"), "=", sp.Matrix(printed))


@pytest.mark.parametrize("convention", dh.CONVENTIONS)
def test_two_rows_are_a_product_of_exponentials(convention):
    rows = symbols(2)
    S, M = dh.screws([(*row[:3], 0) for row in rows], convention)
    product = joint_exp(S[:, 0], rows[0][3]) * joint_exp(S[:, 1], rows[1][3]) * M
    claim("test", convention, dh.table_pose(rows, convention), "=", product)


def test_regrouped_rows_describe_the_same_arm():
    rows = symbols(3)
    front, moved = dh.regroup(rows)
    assert [row[2:] for row in moved] == [row[2:] for row in rows]
    assert [row[:2] for row in moved] == [rows[1][:2], rows[2][:2], (0, 0)]
    claim("test", "regrouped", dh.table_pose(rows, "modified"), "=", front * dh.table_pose(moved, "standard"))


@pytest.mark.parametrize("call", [dh.table_pose, dh.screws])
def test_an_unknown_convention_is_refused(call):
    with pytest.raises(ConventionError, match="unknown DH convention 'Craig'; valid are 'standard' and 'modified'"):
        call(symbols(1), "Craig")
