"""Rates in an order of priority: against the published formulas, against null-space bases, at singularities."""

import numpy as np
import pytest
from scipy.linalg import null_space

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.errors import ParameterError

READY = np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])


def lexicographic(tasks: list[tuple[Array, Array]], secondary: Array) -> Array:
    """Solve level after level in an orthonormal basis of what is still free; another route than projectors."""
    q_dot, free = np.zeros(len(secondary)), np.eye(len(secondary))
    for J, V in tasks:
        left = J @ free
        if left.size:
            q_dot = q_dot + free @ np.linalg.lstsq(left, V - J @ q_dot, rcond=1e-10)[0]
            free = free @ null_space(left, rcond=1e-10)
    return q_dot + free @ (free.T @ (secondary - q_dot))


def random_tasks(rng: np.random.Generator, rows: tuple[int, ...], n: int) -> list[tuple[Array, Array]]:
    return [(rng.normal(size=(m, n)), rng.normal(size=m)) for m in rows]


@pytest.mark.parametrize("rows", [(1,), (6,), (3, 2), (2, 2, 2), (4, 5), (7, 3), (9, 2), (1, 1, 1, 1, 1, 1, 1)])
def test_the_rates_are_those_of_null_space_bases(rows: tuple[int, ...]) -> None:
    rng = np.random.default_rng(sum(rows))
    for _ in range(20):
        tasks, secondary = random_tasks(rng, rows, 7), rng.normal(size=7)
        expected = lexicographic(tasks, secondary)
        # random matrices of this size have condition numbers up to some 1e4, so 1e-16 may become 1e-11
        assert np.allclose(dik.prioritized_rates(tasks, secondary), expected, rtol=1e-9, atol=1e-9)


def test_tasks_of_lower_rank_too() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        (J, V), below = random_tasks(rng, (2,), 7)[0], random_tasks(rng, (3,), 7)[0]
        twice = (np.vstack([J, J[:1] + J[1:]]), np.concatenate([V, rng.normal(size=1)]))  # three rows, rank 2
        secondary = rng.normal(size=7)
        found = dik.prioritized_rates([twice, below], secondary)
        assert np.allclose(found, lexicographic([twice, below], secondary), rtol=1e-9, atol=1e-9)


def test_two_tasks_are_nakamuras_formula() -> None:
    """q̇ = J₁⁺V₁ + Ĵ₂⁺(V₂ − J₂J₁⁺V₁) + N₁(I − Ĵ₂⁺Ĵ₂)z with Ĵ₂ = J₂N₁ (Nakamura, Hanafusa & Yoshikawa 1987)."""
    panda, rng, pinv = robots.panda(), np.random.default_rng(1987), np.linalg.pinv
    for _ in range(50):
        J = panda.body_jacobian(panda.random_configuration(rng))
        (J_1, V_1), (J_2, V_2), z = (J[3:], rng.normal(size=3)), (J[:2], rng.normal(size=2)), rng.normal(size=7)
        N_1 = np.eye(7) - pinv(J_1) @ J_1
        J_hat = J_2 @ N_1
        mended = pinv(J_hat) @ (V_2 - J_2 @ pinv(J_1) @ V_1)
        printed = pinv(J_1) @ V_1 + mended + N_1 @ (np.eye(7) - pinv(J_hat) @ J_hat) @ z
        # the smallest singular values of these are near 1e-4, and are divided by twice
        assert np.allclose(dik.prioritized_rates([(J_1, V_1), (J_2, V_2)], z), printed, rtol=1e-8, atol=1e-8)


def test_the_first_task_of_a_conflict_is_done_to_the_last_digit() -> None:
    J = robots.panda().body_jacobian(READY)
    hand, stand = (J, np.array([0, 0, 0, 0, 0.1, 0])), (np.eye(7)[:2], np.zeros(2))
    first, second = dik.prioritized_rates([hand, stand]), dik.prioritized_rates([stand, hand])
    assert np.abs(J @ first - hand[1]).max() < 1e-14
    assert np.abs(second[:2]).max() < 1e-14
    assert np.abs(first[:2]).max() > 0.2
    assert np.linalg.norm(J @ second - hand[1]) > 0.06


@pytest.mark.parametrize("bend", [0.0, 1e-13, np.pi])
def test_at_an_algorithmic_singularity_the_second_task_gives_up(bend: float) -> None:
    """The 3R's tip first and the direction of its last link second, with a straight or folded joint 2."""
    q = np.cumsum([0.35, bend, 0.9])
    J = np.array([-np.sin(q), np.cos(q)])[:, ::-1].cumsum(axis=1)[:, ::-1]
    rates = dik.prioritized_rates([(J, [0.0, 0.1]), (np.ones((1, 3)), [0.5])])
    assert np.allclose(J @ rates, [0.0, 0.1], rtol=0, atol=1e-12)
    assert np.allclose(rates, np.linalg.pinv(J) @ [0.0, 0.1], rtol=0, atol=1e-12)


def test_near_it_the_second_task_is_done_at_any_price() -> None:
    q = np.cumsum([0.35, 1e-4, 0.9])
    J = np.array([-np.sin(q), np.cos(q)])[:, ::-1].cumsum(axis=1)[:, ::-1]
    rates = dik.prioritized_rates([(J, [0.0, 0.1]), (np.ones((1, 3)), [0.5])])
    assert rates.sum() == pytest.approx(0.5, abs=1e-6)  # 1e-16 over the square of 1e-4 is left of the digits
    assert np.linalg.norm(rates) > 1e3


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("left", "expected"), [(3e-10, 0.5), (3e-11, 0.0)])
def test_a_task_is_given_up_below_1e_10_of_its_largest_singular_value(
    size: float, left: float, expected: float
) -> None:
    first = np.array([[1.0, 0.0, 0.0]]), [0.0]
    second = size * np.array([[1.0, left, 0.0]]), [size * left * 0.5]
    assert dik.prioritized_rates([first, second])[1] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("rows", [slice(0, 6), slice(3, 6)])
def test_the_projector_is_the_one_onto_the_null_space(rows: slice) -> None:
    J = robots.panda().body_jacobian(READY)[rows]
    basis = null_space(J)
    assert np.allclose(dik.null_space_projector(J), basis @ basis.T, rtol=0, atol=1e-14)


def test_the_projector_of_nothing_and_of_everything() -> None:
    assert np.array_equal(dik.null_space_projector(np.zeros((2, 3))), np.eye(3))
    assert np.abs(dik.null_space_projector(np.eye(3))).max() == 0.0


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ([], "one or more pairs"),
        (np.eye(3), "one or more pairs"),
        ([(np.eye(3),)], "one or more pairs"),
        ([(np.ones(3), [1.0])], "the Jacobian of task 1 must be a matrix of finite numbers"),
        ([(np.eye(3), np.zeros(2))], r"V of task 1 must have shape \(3,\), got \(2,\)"),
        ([(np.eye(3), [0, np.nan, 0])], "V of task 1 must be finite, got .*nan"),
        ([(np.full((1, 3), np.inf), [0])], "the Jacobian of task 1 must be a matrix of .*, got inf at 0, 0"),
        ([(np.eye(3), np.zeros(3)), (np.eye(2), np.zeros(2))], "the Jacobian of task 2 has 2 columns"),
        ([(np.eye(3), "abc")], "V of task 1 must be 3 numbers"),
    ],
)
def test_wrong_tasks_are_refused(tasks: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        dik.prioritized_rates(tasks)  # type: ignore[arg-type]


def test_a_wrong_wish_or_jacobian_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"secondary must have shape \(3,\), got \(1,\)"):
        dik.prioritized_rates([(np.eye(3), np.zeros(3))], [1.0])
    with pytest.raises(ParameterError, match="a Jacobian must be a matrix"):
        dik.null_space_projector([1.0, 2.0])
