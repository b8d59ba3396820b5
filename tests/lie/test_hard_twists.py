"""exp and log of SE(3) in 50 digits: near multiples of π/2, about axes nearly along x, y or z, at any distance."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons_lib import lie
from lessons_lib.arrays import Array
from lessons_lib.errors import TransformError

UNIT_ROUNDOFF = 2.0**-53
ALLOWED = 16 * UNIT_ROUNDOFF
"""Of a dozen operations on numbers of size 1."""

LARGEST = 1e150
"""Where squares begin to overflow: beyond it an error is right, too."""

signs = st.sampled_from([-1.0, 1.0])
powers = st.builds(lambda sign, k: sign * 10.0**k, signs, st.floats(-17.0, -1.0))
angles = st.one_of(
    st.floats(0.0, 7.0),
    st.builds(
        lambda middle, aside: abs(middle * math.pi + aside), st.sampled_from([0, 0.5, 1, 1.5, 2, 3, 4, 100]), powers
    ),
    st.floats(-320.0, -1.0).map(lambda k: 10.0**k),
)
lengths = st.floats(0.0, 2.0) | st.floats(-300.0, 160.0).map(lambda k: 10.0**k)
tiny = st.builds(lambda sign, k: sign * 10.0**k, signs, st.floats(-20.0, -6.0)) | st.just(0.0)
parts = st.floats(-1.0, 1.0) | tiny
axes = (
    st.tuples(signs, parts, parts)
    .flatmap(lambda vector: st.permutations(vector))
    .map(lambda vector: np.array(vector) / math.hypot(*vector))
)


@pytest.mark.release
@settings(max_examples=2000)
@given(angle=angles, turn=axes, length=lengths, along=axes)
def test_exp_and_log_are_right_to_rounding(angle: float, turn: Array, length: float, along: Array) -> None:
    xi = np.concatenate([angle * turn, length * along])
    with mpmath.workdps(50):
        try:
            check(xi)
        except TransformError:
            assert np.abs(xi).max() > LARGEST


def check(xi: Array) -> None:
    exact, turn, size = exact_exp(xi), math.hypot(*xi[:3]), math.hypot(*xi[3:])
    T = lie.exp_se3(xi)
    allowed = ALLOWED * (1.0 + turn)  # ‖ω‖ is rounded once, which turns by that part of the angle
    compare(T, exact, allowed, allowed * size)
    assert np.array_equal(lie.exp_so3(xi[:3]), T[:3, :3]) or distance(lie.exp_so3(xi[:3]), exact)[0] <= allowed
    back = lie.log_se3(T)
    assert np.linalg.norm(back[:3]) <= math.pi * (1.0 + 4 * UNIT_ROUNDOFF)
    away = float(np.abs(T[:3, 3]).max())
    again = np.array(exact_exp(back).tolist(), dtype=np.float64)
    compare(again, mpmath.matrix(T.tolist()), 2 * ALLOWED, 4 * ALLOWED * away + 5e-324)
    if turn < 3.0:  # below π the logarithm is smooth, and no farther from singular than the angle from 2π
        missed = np.abs(back - xi)
        assert missed[:3].max() <= 2 * ALLOWED and missed[3:].max() <= 4 * ALLOWED * size + 5e-324


def compare(T: Array, exact: mpmath.matrix, angle: float, length: float) -> None:
    errors = distance(T, exact)
    assert errors[0] <= angle and errors[1] <= length


def distance(T: Array, exact: mpmath.matrix) -> tuple[float, float]:
    """Return the largest error of the rotation and of the position."""
    missed = [[abs(mpmath.mpf(float(x)) - exact[i, j]) for j, x in enumerate(row)] for i, row in enumerate(T[:3])]
    return float(max(x for row in missed for x in row[:3])), float(max(sum((row[3:] for row in missed), []), default=0))


def exact_exp(xi: Array) -> mpmath.matrix:
    """Return exp [ξ] by Rodrigues' formula, at the working precision."""
    w, v = [mpmath.mpf(float(x)) for x in xi[:3]], mpmath.matrix([mpmath.mpf(float(x)) for x in xi[3:]])
    theta = mpmath.sqrt(sum(x * x for x in w))
    hat = mpmath.matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if theta < mpmath.mpf(10) ** -20:  # the next terms are of size θ²: beyond 40 digits
        a, b, c = mpmath.mpf(1), mpmath.mpf(1) / 2, mpmath.mpf(1) / 6
    else:
        a, b = mpmath.sin(theta) / theta, 2 * (mpmath.sin(theta / 2) / theta) ** 2
        c = (theta - mpmath.sin(theta)) / theta**3 if theta > 1e-6 else mpmath.mpf(1) / 6 - theta**2 / 120
    R, p = mpmath.eye(3) + a * hat + b * hat * hat, (mpmath.eye(3) + b * hat + c * hat * hat) * v
    return mpmath.matrix([*([*(R[i, j] for j in range(3)), p[i]] for i in range(3)), [0, 0, 0, 1]])
