"""Starts of a search: the random generator, determinism, and the strategies."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lessons_lib.pose_ik import BestOf, Restarts, Stop, sequential, solve
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.joint_ranges import clip, random_configuration, wrap
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.random_numbers import SECOND_MODULUS, combine_lcg, next_states, seed_state


def test_the_generator_is_the_published_one():
    """Boost's test of its `ecuyer1988` states the number after 10,000 steps from the seeds 1 and 1."""
    state = (1, 1)
    for _ in range(10_000):
        state = next_states(*state)
    assert combine_lcg(*state) == 2060321752


@pytest.mark.parametrize(("first", "second"), [(5, 3), (3, 5), (7, 7), (1, SECOND_MODULUS - 1)])
def test_two_states_are_combined_as_published_by_lecuyer(first, second):
    z = first - second
    assert combine_lcg(first, second) == (z + 2147483562 if z < 1 else z)


def test_compiled_random_numbers_are_the_same(panda):
    module, joints = sequential.search_module(), arm_of(panda).joints
    compiled_seed_state, compiled_configuration = module.seed_state, module.random_configuration
    state, compiled_state = np.empty(2, dtype=np.int64), np.empty(2, dtype=np.int64)
    seed_state(987654321987654321, state)
    compiled_seed_state(987654321987654321, compiled_state)
    for _ in range(100):
        q, p = np.empty(7), np.empty(7)
        random_configuration(state, joints, q)
        compiled_configuration(compiled_state, joints, p)
        np.testing.assert_array_equal(q, p)
        assert (q >= panda.limits[:, 0]).all() and (q <= panda.limits[:, 1]).all()


@given(st.floats(-1e6, 1e6), st.floats(-10, 10), st.floats(0, 20))
@example(-5e-324, 0.0, 7.0)  # divided by a revolution it underflows to zero
def test_wrapping_keeps_the_pose_and_respects_the_limits(value, lower, width):
    joints = np.array([[lower, lower + width, 2 * np.pi, lower, lower + width]])
    wrapped = np.empty(1)
    inside = wrap(np.array([value]), np.zeros(1), joints, wrapped)
    revolutions = (wrapped[0] - value) / (2 * np.pi)
    assert abs(revolutions - round(revolutions)) < 1e-9  # a million radians keep ten digits
    assert inside == (lower <= wrapped[0] <= lower + width)
    clipped = wrapped.copy()
    clip(clipped, joints)
    assert lower <= clipped[0] <= lower + width
    if width > 2 * np.pi + 1e-9:
        assert abs(clipped[0] - wrapped[0]) < 1e-9, "within the limits, except for rounding"


def hard_target(chain):
    """Return a pose that the default does not reach from the first start at home."""
    rng = np.random.default_rng(61)
    while True:
        target = chain.forward_kinematics(chain.random_configuration(rng))
        if solve(chain, target).restarts > 0:
            return target


def test_the_same_call_returns_the_same_solution(panda):
    target = hard_target(panda)
    first, second = solve(panda, target), solve(panda, target)
    np.testing.assert_array_equal(first.q, second.q)
    assert (first.iterations, first.restarts) == (second.iterations, second.restarts)
    seeded = [solve(panda, target, rng=np.random.default_rng(1)).q for _ in range(2)]
    np.testing.assert_array_equal(*seeded)
    other = solve(panda, target, rng=np.random.default_rng(2)).q
    assert not np.array_equal(seeded[0], other)


def test_each_call_draws_one_integer_and_leaves_the_global_generator_unchanged(panda):
    rng, reference = np.random.default_rng(3), np.random.default_rng(3)
    state = np.random.get_state()[1].copy()  # noqa: NPY002 (the test checks that it does not change)
    solve(panda, hard_target(panda), rng=rng)
    reference.integers(2**62)
    assert rng.bit_generator.state == reference.bit_generator.state
    np.testing.assert_array_equal(state, np.random.get_state()[1])  # noqa: NPY002


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_the_first_start_is_the_best_of_its_samples(panda, solve):
    """The candidates are recomputed from the same random numbers; the lowest ½|V_b|² includes the orientation."""
    from lessons_lib.pose_ik import evaluate
    from lessons_lib.pose_ik.arguments import FIXED_SEED

    target, joints = hard_target(panda), arm_of(panda).joints
    result = solve(panda, target, starts=BestOf(25, restarts=0), trace=True)
    state = np.empty(2, dtype=np.int64)
    seed_state(FIXED_SEED, state)
    candidates = [arm_of(panda).home]
    for _ in range(25):
        q = np.empty(7)
        random_configuration(state, joints, q)
        candidates.append(q)
    objectives = [np.sum(evaluate(panda, target, q).error_twist ** 2) for q in candidates]
    np.testing.assert_array_equal(result.trace.q[0], candidates[int(np.argmin(objectives))])


@pytest.mark.parametrize("solve", [solve_in_python, solve])
def test_if_all_starts_fail_the_one_with_the_best_iterate_is_reported(ur10, solve):
    rng, later = np.random.default_rng(63), 0
    for _ in range(6):
        target = ur10.forward_kinematics(ur10.random_configuration(rng))
        result = solve(ur10, target, starts=Restarts(8), stop=Stop(max_iterations=2), trace=True)
        if not result.converged:
            revolutions = (result.trace.q - result.q) / (2 * np.pi)
            assert np.abs(revolutions - revolutions.round()).max(axis=1).min() < 1e-12, (
                "q is an iterate of that start, except for whole revolutions"
            )
            later += not np.array_equal(result.trace.q[0], arm_of(ur10).home)
    assert later > 0
