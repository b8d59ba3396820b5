"""Lane kernels: each lane is the plain kernel, the loop is vector code, and what it cannot do it counts."""

import re
from typing import Any

import numpy as np
import pytest

from lessons_lib import robots
from lessons_lib.codegen.lanes import LANES
from lessons_lib.robots import Chain, kinematics

Array = np.ndarray[Any, np.dtype[np.float64]]


def lanes_of(chain: Chain, q: Array, count: int) -> tuple[int, Array, Array]:
    """Return the far lanes, T (count, 3, 4) and J_b (count, 6, n) of the configurations q (count, n)."""
    n = chain.dof
    flat, T, J_b = np.zeros((n, LANES)), np.full(12 * LANES, np.nan), np.full(6 * n * LANES, np.nan)
    flat[:, : len(q)] = q.T
    far = chain.lane_kernel(flat.ravel(), T, J_b, count)
    return far, T.reshape(3, 4, LANES).transpose(2, 0, 1), J_b.reshape(6, n, LANES).transpose(2, 0, 1)


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10, robots.panda])
def test_each_lane_is_the_plain_kernel(make: Any) -> None:
    chain, rng = make(), np.random.default_rng(21)
    q = np.array([chain.random_configuration(rng) for _ in range(LANES)])
    far, T, J_b = lanes_of(chain, q, LANES)
    assert far == 0
    for lane in range(LANES):
        # the same operations; only which product is fused with which sum may differ
        assert np.abs(T[lane] - chain.forward_kinematics(q[lane])[:3]).max() <= 4e-16
        assert np.abs(J_b[lane] - chain.body_jacobian(q[lane])).max() <= 4e-16


@pytest.mark.parametrize("count", [0, 1, 5])
def test_only_the_first_lanes_are_written(count: int) -> None:
    chain = robots.planar_2r()
    q = np.random.default_rng(22).uniform(-3, 3, (LANES, 2))
    far, T, J_b = lanes_of(chain, q, count)
    assert far == 0
    assert np.isfinite(T[:count]).all()
    assert np.isfinite(J_b[:count]).all()
    assert np.isnan(T[count:]).all()
    assert np.isnan(J_b[count:]).all()


@pytest.mark.parametrize("bad", [1e5, -3e9, np.inf, -np.inf, np.nan])
def test_lanes_that_are_too_far_are_counted_and_spoil_no_other(bad: float) -> None:
    chain = robots.ur10()
    q = np.random.default_rng(23).uniform(-3, 3, (LANES, 6))
    _, T_right, _ = lanes_of(chain, q, LANES)
    q[2, 4] = q[5, 0] = bad
    far, T, _ = lanes_of(chain, q, LANES)
    assert far == 2
    fine = [0, 1, 3, 4, 6, 7]
    np.testing.assert_array_equal(T[fine], T_right[fine])


def test_a_lane_that_holds_rubbish_beyond_the_count_is_not_counted() -> None:
    chain = robots.planar_2r()
    q = np.full((LANES, 2), np.nan)
    q[:3] = 0.5
    assert lanes_of(chain, q, 3)[0] == 0


def test_a_chain_without_angles_has_lanes_too() -> None:
    chain = robots.from_screws(np.eye(6)[:, 3:], np.eye(4), name="gantry")
    q = np.random.default_rng(24).uniform(-1, 1, (LANES, 3))
    _, T, J_b = lanes_of(chain, q, LANES)
    np.testing.assert_array_equal(T[:, :, 3], q)
    np.testing.assert_array_equal(J_b[:, 3:], np.broadcast_to(np.eye(3), (LANES, 3, 3)))


def test_the_loop_is_vector_code() -> None:
    chain = robots.ur10()
    space: dict[str, Any] = {}
    exec(kinematics.lane_source(chain.screws, chain.home).replace("cache=True, ", ""), space)
    n = chain.dof
    space["lane_kernel"](np.zeros(n * LANES), np.zeros(12 * LANES), np.zeros(6 * n * LANES), LANES)
    (assembly,) = space["lane_kernel"].inspect_asm().values()
    packed = len(re.findall(r"\bv?f?n?m(?:add|sub|ul)\w*pd\b|\bfm(?:la|ls|ul)\s+v\d+\.2d", assembly))  # x86-64, ARM
    assert packed >= 60, "the loop over lanes was not vectorised"
