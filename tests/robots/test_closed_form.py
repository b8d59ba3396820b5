"""The planar 2R's closed form: against forward kinematics, against fifty digits, and on every edge of its ring."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons_lib import robots
from lessons_lib.errors import ConfigurationError, LessonsError, ParameterError, TransformError
from lessons_lib.robots.derivations import EDGE

UNIT = 2.0**-53
LENGTHS = [(1.0, 1.0), (1.0, 0.6), (0.6, 1.0), (0.3, 2.5), (1.0, 1e-6)]


def tips(q: np.ndarray, lengths: tuple[float, float]) -> np.ndarray:
    """Return the tips by complex numbers: another route to forward kinematics, shape (k, 2)."""
    z = lengths[0] * np.exp(1j * q[:, 0]) + lengths[1] * np.exp(1j * q.sum(axis=1))
    return np.column_stack([z.real, z.imag])


def wrapped(angle: np.ndarray) -> np.ndarray:
    return (angle + np.pi) % (2 * np.pi) - np.pi


def exact_elbow(point: tuple[float, float], lengths: tuple[float, float]) -> mpmath.mpf:
    """Return q₂ > 0 for the very numbers given, by the law of cosines to fifty digits."""
    a, b, x, y = (mpmath.mpf(float(value)) for value in (*lengths, *point))
    return mpmath.acos((x * x + y * y - a * a - b * b) / (2 * a * b))


length = st.floats(0.05, 20.0)
angle = st.floats(-np.pi, np.pi)


@settings(max_examples=300, deadline=None)
@given(one=length, two=length, q_1=angle, q_2=angle)
def test_every_answer_reaches_the_point(one: float, two: float, q_1: float, q_2: float) -> None:
    tip = tips(np.array([[q_1, q_2]]), (one, two))[0]
    found = robots.planar_2r_solutions(tip, one, two)
    assert 1 <= len(found) <= 2
    # 20 roundings of numbers of the size of the arm: seven operations in the formulas, a few in the tip itself
    assert np.abs(tips(found, (one, two)) - tip).max() <= 20 * UNIT * (one + two)


@settings(max_examples=300, deadline=None)
@given(one=length, two=length, q_1=angle, q_2=st.floats(0.1, 3.0), sign=st.sampled_from([1, -1]))
def test_one_of_the_answers_is_the_configuration_that_made_the_point(
    one: float, two: float, q_1: float, q_2: float, sign: int
) -> None:
    q = np.array([q_1, sign * q_2])
    found = robots.planar_2r_solutions(tips(q[None], (one, two))[0], one, two)
    assert found.shape == (2, 2)
    assert found[0, 1] > 0 > found[1, 1]
    apart = np.abs(wrapped(found - q)).max(axis=1)
    # the tip's rounding, L₁ + L₂, is magnified by 1/(L₁ L₂ sin q₂) of the arm's own size
    assert apart.min() <= 40 * UNIT * (one + two) ** 2 / (one * two * np.sin(q_2))


def test_example_6_1() -> None:
    # printed: x = 0.366, y = 1.366, θ_d = (30°, 90°); three decimals of a tip are 0.05° of an elbow at 90°
    found = np.degrees(robots.planar_2r_solutions((0.366, 1.366)))
    assert found[0] == pytest.approx([30, 90], abs=0.05)
    assert found[1] == pytest.approx([120, -90], abs=0.05)
    exact = np.degrees(robots.planar_2r_solutions(((3**0.5 - 1) / 2, (3**0.5 + 1) / 2)))
    assert exact == pytest.approx(np.array([[30, 90], [120, -90]]), abs=1e-13)


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("direction", [0.0, 0.7, np.pi / 2, 2.0, np.pi, -2.5])
def test_a_stretched_arm_has_one_answer(lengths: tuple[float, float], direction: float) -> None:
    tip = tips(np.array([[direction, 0.0]]), lengths)[0]
    found = robots.planar_2r_solutions(tip, *lengths)
    assert found.shape == (1, 2)
    assert found[0, 1] == 0.0
    assert abs(wrapped(found[0, 0] - direction)) < 4 * UNIT * np.pi


@pytest.mark.parametrize("lengths", LENGTHS[1:])
@pytest.mark.parametrize("direction", [0.0, 0.7, np.pi / 2, 2.0, np.pi, -2.5])
def test_a_folded_arm_has_one_answer(lengths: tuple[float, float], direction: float) -> None:
    tip = tips(np.array([[direction, np.pi]]), lengths)[0]
    found = robots.planar_2r_solutions(tip, *lengths)
    assert found.shape == (1, 2)
    assert found[0, 1] == np.pi
    # the tip's rounding seen from the base, where a short reach magnifies it
    assert abs(wrapped(found[0, 0] - direction)) < 8 * UNIT * sum(lengths) / abs(lengths[0] - lengths[1]) * np.pi


@pytest.mark.parametrize("lengths", LENGTHS)
def test_edges_do_not_hang_on_the_last_bit(lengths: tuple[float, float]) -> None:
    directions = np.random.default_rng(2).uniform(-np.pi, np.pi, 500)
    for elbow in (0.0, np.pi) if lengths[0] != lengths[1] else (0.0,):
        points = tips(np.column_stack([directions, np.full(500, elbow)]), lengths)
        counts = {len(robots.planar_2r_solutions(point, *lengths)) for point in points}
        assert counts == {1}, f"at q₂ = {elbow}"


@pytest.mark.parametrize("lengths", LENGTHS[:4])
def test_beside_the_edges_there_are_two_or_none(lengths: tuple[float, float]) -> None:
    outer, inner = sum(lengths), abs(lengths[0] - lengths[1])
    blur = 2 * EDGE * outer
    count = [len(robots.planar_2r_solutions((radius, 0), *lengths)) for radius in (outer + blur, outer - blur)]
    assert count == [0, 2]
    if inner > 0:
        count = [len(robots.planar_2r_solutions((0, radius), *lengths)) for radius in (inner - blur, inner + blur)]
        assert count == [0, 2]


@pytest.mark.parametrize("point", [(2.0 + 1e-14, 0), (5, 5), (1e300, -1e300), (1.6e308, 1.6e308)])
def test_too_far_is_no_answer(point: tuple[float, float]) -> None:
    found = robots.planar_2r_solutions(point)
    assert found.shape == (0, 2)
    assert found.dtype == np.float64


@pytest.mark.parametrize("point", [(0, 0), (0.1, 0.2), (0.4 - 1e-14, 0)])
def test_too_near_is_no_answer(point: tuple[float, float]) -> None:
    assert robots.planar_2r_solutions(point, 1.0, 0.6).shape == (0, 2)
    assert robots.planar_2r_solutions(point, 0.6, 1.0).shape == (0, 2)


@pytest.mark.parametrize("point", [(0, 0), (0.0, -0.0), (1e-17, 0), (0, -1e-300)])
def test_at_the_base_of_equal_links_one_of_infinitely_many_comes_back(point: tuple[float, float]) -> None:
    found = robots.planar_2r_solutions(point, 0.8, 0.8)
    assert found.tolist() == [[pytest.approx(found[0, 0]), np.pi]]
    free = np.column_stack([np.linspace(-3, 3, 13), np.full(13, np.pi)])
    assert np.abs(tips(free, (0.8, 0.8))).max() < 1e-15, "any q₁ would have done"
    assert robots.planar_2r_solutions((0, 0)).tolist() == [[0.0, np.pi]]


def test_near_the_base_of_equal_links_the_two_answers_are_half_a_turn_apart() -> None:
    for r in 10.0 ** -np.arange(1, 15):
        found = robots.planar_2r_solutions((r * 0.6, r * 0.8))
        assert np.abs(tips(found, (1, 1)) - (r * 0.6, r * 0.8)).max() < 8 * UNIT
        assert abs(abs(found[0, 0] - found[1, 0]) - np.pi) < 1.01 * r


@pytest.mark.parametrize("lengths", [(1.0, 1.0), (1.0, 0.5), (0.7, 1.3)])
def test_no_digit_is_lost_where_the_distance_is_a_double(lengths: tuple[float, float]) -> None:
    # On the x axis r is given exactly. 6 roundings: two factors and a product in each gap, two roots, the arc tangent.
    outer, inner = sum(lengths), abs(lengths[0] - lengths[1])
    radii = [edge + side * 10.0**-k for k in range(1, 14) for edge, side in ((outer, -1), (inner, 1))]
    with mpmath.workdps(50):
        for radius in radii:
            exact = exact_elbow((radius, 0.0), lengths)
            found = robots.planar_2r_solutions((radius, 0.0), *lengths)[0, 1]
            # L₁ + L₂ and L₁ − L₂ are rounded where they are no doubles: half a unit, over the gap of which it is a part
            rounded = [
                abs(mpmath.mpf(s) - (mpmath.mpf(lengths[0]) + sign * mpmath.mpf(lengths[1])))
                for s, sign in ((outer, 1), (lengths[0] - lengths[1], -1))
            ]
            slack = max(float(e) / abs(radius - edge) for e, edge in zip(rounded, (outer, inner), strict=True))
            assert abs(found - exact) <= (6 * UNIT + slack) * abs(exact)


def test_the_arc_cosine_would_have_lost_them() -> None:
    radii = 1.5 - 10.0 ** -np.linspace(4, 13, 40)
    with mpmath.workdps(50):
        exact = np.array([float(exact_elbow((radius, 0.0), (1.0, 0.5))) for radius in radii])
    ours = np.array([robots.planar_2r_solutions((radius, 0.0), 1.0, 0.5)[0, 1] for radius in radii])
    naive = np.arccos((radii * radii - 1.25) / 1.0)
    assert np.abs(ours / exact - 1).max() < 6 * UNIT
    assert np.abs(naive / exact - 1).max() > 1e-5


def test_scale_does_not_matter() -> None:
    reference = robots.planar_2r_solutions((0.7, 0.4), 1.0, 0.5)
    for exponent in (-1060, -500, 500, 1020):
        scale = 2.0**exponent
        found = robots.planar_2r_solutions((0.7 * scale, 0.4 * scale), scale, 0.5 * scale)
        # below 2⁻¹⁰²² a double has fewer digits: 1060 − 1022 + … leave 14 bits
        assert np.abs(found - reference).max() < (1e-3 if exponent == -1060 else 1e-15)


def test_links_out_of_all_proportion() -> None:
    assert robots.planar_2r_solutions((0, 1), 1.0, 1e-300).tolist() == [[np.pi / 2, 0.0]]
    assert robots.planar_2r_solutions((0, 1), 1e-300, 1.0).tolist() == [[np.pi / 2, 0.0]]


def test_half_a_turn_of_the_shoulder_is_positive() -> None:
    assert robots.planar_2r_solutions((-2, 0)).tolist() == [[np.pi, 0.0]]
    assert robots.planar_2r_solutions((-2, -0.0)).tolist() == [[np.pi, 0.0]]
    assert robots.planar_2r_solutions((0.5, 0), 1.0, 1.5).tolist() == [[np.pi, np.pi]]


def test_inputs_stay_as_they_are() -> None:
    tip = np.array([0.4, 0.9])
    robots.planar_2r_solutions(tip)
    assert tip.tolist() == [0.4, 0.9]


@pytest.mark.parametrize(
    ("tip", "message"),
    [
        ((np.nan, 0.0), r"tip must be finite, got \[nan, 0.0\]"),
        ((np.inf, 0.0), r"tip must be finite, got \[inf, 0.0\]"),
        ((1.0, 2.0, 3.0), r"tip must have shape \(2,\), the point \(x, y\); got \(3,\)"),
        ([[1.0, 2.0]], r"tip must have shape \(2,\), .* got \(1, 2\)"),
        (1.0, r"tip must have shape \(2,\), .* got \(\)"),
        ("ab", r"tip must be 2 numbers \(x, y\), got 'ab'"),
    ],
)
def test_a_tip_that_is_no_point_is_refused(tip: object, message: str) -> None:
    with pytest.raises(TransformError, match=message):
        robots.planar_2r_solutions(tip)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [0.0, -1.0, np.nan, np.inf, "long"])
@pytest.mark.parametrize("which", ["length_1", "length_2"])
def test_a_length_that_is_none_is_refused(which: str, wrong: object) -> None:
    for call in (
        lambda **w: robots.planar_2r_solutions((1, 0), **w),
        lambda **w: robots.planar_2r_corners((1, 0), **w),
    ):
        with pytest.raises(
            ParameterError, match=f"{which} of the planar 2R is .*; a link's length is positive and fin"
        ):
            call(**{which: wrong})


def test_corners_of_many_configurations() -> None:
    q = np.random.default_rng(3).uniform(-4, 4, (2, 5, 2))
    points = robots.planar_2r_corners(q, 0.7, 1.2)
    assert points.shape == (2, 5, 3, 2)
    assert not points[:, :, 0].any()
    assert np.abs(np.linalg.norm(np.diff(points, axis=2), axis=-1) - (0.7, 1.2)).max() < 4 * UNIT
    assert np.abs(points[..., 2, :].reshape(-1, 2) - tips(q.reshape(-1, 2), (0.7, 1.2))).max() < 1e-15
    assert np.abs(points[1, 2, 1] - 0.7 * np.array([np.cos(q[1, 2, 0]), np.sin(q[1, 2, 0])])).max() < 1e-15


@pytest.mark.parametrize(
    ("q", "message"),
    [
        ([1.0], r"must have shape \(\.\.\., 2\), got \(1,\)"),
        (1.0, r"must have shape \(\.\.\., 2\), got \(\)"),
        ([0.0, np.nan], r"must be finite, got \[0.0, nan\]"),
        ("no", "must be numbers, got 'no'"),
    ],
)
def test_a_configuration_that_is_none_is_refused(q: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        robots.planar_2r_corners(q)  # type: ignore[arg-type]
    assert isinstance(caught.value, LessonsError)
