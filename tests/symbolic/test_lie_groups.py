"""so(3), se(3) and their groups in symbols, against their defining identities and mpmath's matrix exponential."""

from collections.abc import Callable, Sequence

import mpmath
import pytest
import sympy as sp

from lessons_lib.claims import is_zero
from lessons_lib.symbolic import se3, so3
from lessons_lib.symbolic.stumpff_functions import stumpff_value

omega = sp.Matrix(sp.symbols("omega0:3", real=True))
v = sp.Matrix(sp.symbols("v0:3", real=True))
xi = omega.col_join(v)

DIGITS = 40
CLOSE = mpmath.mpf(10) ** -34  # 40 digits less what a 6×6 exponential of norm < 10 costs
TWISTS = [
    (0, 0, 0, 1, 2, 3),
    (0, 0, "1e-12", 1, 0, -2),
    ("1e-3", 0, "2e-3", 0, 1, 0),
    (0, "0.5", 0, 0, 0, 0),
    ("0.3", "-0.7", "1.1", "0.4", "2", "-1"),
    (0, 0, "3.14159265358979", 1, 1, 1),
    ("-3", "2", "1.5", "0.2", "-0.1", "0.6"),
]


def zero(matrix: sp.Matrix) -> bool:
    return all(is_zero(entry) for entry in matrix)


def in_numbers(matrix: sp.Matrix, symbols: Sequence[sp.Symbol]) -> Callable[[Sequence[object]], mpmath.matrix]:
    """Return a function that evaluates the matrix for values of its symbols, at the working precision of mpmath."""
    function = sp.lambdify([symbols], sp.Matrix(matrix), [{"stumpff": stumpff_value}, "mpmath"])
    return lambda values: mpmath.matrix(function([mpmath.mpf(value) for value in values]))


def norm(matrix: mpmath.matrix) -> mpmath.mpf:
    return mpmath.mnorm(matrix, "inf")


def average(generator: mpmath.matrix) -> mpmath.matrix:
    """Return Σ Aᵏ/(k+1)! = ∫₀¹ e^(sA) ds, the upper right block of exp of (A, I; 0, 0): every left Jacobian is one."""
    n = generator.rows
    doubled = mpmath.zeros(2 * n)
    doubled[:n, :n], doubled[:n, n:] = generator, mpmath.eye(n)
    return mpmath.expm(doubled)[:n, n:]


def test_left_jacobian_is_the_adjoint_times_the_right_one() -> None:
    assert zero(so3.left_jacobian(omega) - so3.exp(omega) * so3.right_jacobian(omega))


Matrix = mpmath.matrix
FORMULAS: dict[str, tuple[Callable[[], sp.Matrix], Callable[[Matrix, Matrix], Matrix]]] = {
    "exp": (lambda: se3.exp(xi), lambda hat, ad: mpmath.expm(hat)),
    "adjoint of exp": (lambda: se3.adjoint(se3.exp(xi)), lambda hat, ad: mpmath.expm(ad)),
    "left Jacobian": (lambda: se3.left_jacobian(xi), lambda hat, ad: average(ad)),
    "right Jacobian": (lambda: se3.right_jacobian(xi), lambda hat, ad: average(-ad)),
    "inverse left Jacobian": (lambda: se3.left_jacobian_inverse(xi), lambda hat, ad: average(ad) ** -1),
    "left Jacobian of a rotation": (lambda: so3.left_jacobian(omega), lambda hat, ad: average(hat[:3, :3])),
}
"""Each formula, and what it is of [ξ] and of the bracket."""


@pytest.mark.parametrize("name", FORMULAS)
def test_the_formula_is_the_matrix_function(name: str) -> None:
    formula, oracle = FORMULAS[name]
    matrices = [in_numbers(matrix, xi) for matrix in (formula(), se3.hat(xi), se3.bracket(xi))]
    with mpmath.workdps(DIGITS):
        for twist in TWISTS:
            found, hat, ad = (matrix(twist) for matrix in matrices)
            assert norm(found - oracle(hat, ad)) < CLOSE, twist


def test_the_logarithm_undoes_the_exponential() -> None:
    theta = sp.Symbol("theta", positive=True)
    R = so3.exp(omega)
    angle, log = in_numbers(sp.Matrix([so3.angle(R)]), omega), in_numbers(so3.log(R, theta), [*omega, theta])
    log_of_pose = in_numbers(se3.log(omega, se3.position(se3.exp(xi))), xi)
    with mpmath.workdps(DIGITS):
        for twist in TWISTS[1:5]:  # the formula is for angles below π that are not zero
            length = mpmath.norm([mpmath.mpf(w) for w in twist[:3]])
            assert abs(angle(twist[:3])[0] - length) < CLOSE
            assert norm(log([*twist[:3], length]) - mpmath.matrix(twist[:3])) < CLOSE
            assert norm(log_of_pose(twist) - mpmath.matrix(twist)) < CLOSE
