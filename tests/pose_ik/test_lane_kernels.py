"""The kernels of the SIMD search, compared with the kernels for one pose and with NumPy."""

import math

import numpy as np
import pytest
import sympy as sp
from regular import regular

from lessons_lib import lie, robots
from lessons_lib.pose_ik import lane_kernels, lane_rows
from lessons_lib.pose_ik.lanes import module_for
from lessons_lib.pose_ik.layout import STALL, WIDTH

LANES = 2 * WIDTH
"""Lanes of a case; the kernels take them in two groups."""
AXES = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [1, 1, 1], [-2, 1, 0.5], [0.1, -3, 1e-3], [1e-9, 0, -1]])
AXES = AXES / np.linalg.norm(AXES, axis=1, keepdims=True)
ANGLES = [
    0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.1, math.pi / 4, 0.9999, 1.0 - 1e-15, 1.0, 1.0001,
    math.pi / 2 - 1e-9, math.pi / 2, math.pi / 2 + 1e-9, 3 * math.pi / 4, 3.0, math.pi - 1e-4, math.pi - 1e-9,
]  # fmt: skip


class Lanes:
    """The kernels of a chain, callable from Python, and the array that they share."""

    def __init__(self, chain):
        self.module, self.at = module_for(chain), lane_rows.rows(chain.dof)
        _, self.pattern = lane_kernels.chain_kernel(chain)
        self.w = np.zeros((self.at["ROWS"], LANES))

    def write(self, name, values):
        """Write an array for each lane, shape (LANES, …), into the rows from `name` on."""
        flat = np.asarray(values, dtype=float).reshape(LANES, -1)
        self.w[self.at[name] : self.at[name] + flat.shape[1]] = flat.T

    def read(self, name, count):
        """Return the rows from `name` on, shape (LANES, count)."""
        return self.w[self.at[name] : self.at[name] + count].T.copy()

    def set_damping(self, D):
        """Set a constant damping in each lane: the offset of its affine function of E."""
        self.write("PARAMETERS", np.column_stack([np.ones((LANES, 6)), D, np.zeros(LANES)]))

    def jacobian(self):
        """Return J_b of each lane, shape (LANES, 6, n), with its varying entries from w."""
        names = sorted((entry for entry in set(self.pattern) if entry.is_Symbol), key=lambda entry: int(entry.name[1:]))
        insert = sp.lambdify(names, self.pattern, "numpy")
        return np.array([insert(*row) for row in self.read("J", len(names))])

    def run(self, *names):
        for name in names:
            for first in range(0, LANES, WIDTH):
                group = self.w[:, first : first + WIDTH].copy()
                getattr(self.module, name)(group)
                self.w[:, first : first + WIDTH] = group


def chain_of_all_joint_types():
    """Return a chain of seven joints: revolute, two prismatic, one helical, one on an oblique axis."""
    screws = np.array(
        [
            [0, 0, 1, 0, 0, 0],
            [0, 0, 0, 0.6, 0, 0.8],
            [0, 1, 0, -0.5, 0, 0.25],
            [1, 0, 0, 0.05, 0, 0],
            [0, 0, 0, 0, 1, 0],
            [2 / 3, -1 / 3, 2 / 3, 0.2, 0.2, -0.1],
            [0, 0, 1, 0, -0.5, 0],
        ]
    )
    return robots.from_screws(screws.T, lie.exp_se3([0.2, 0.3, -0.1, 0.4, 0.1, 0.7]), name="seven mixed joints")


@pytest.fixture(scope="module")
def two():
    return Lanes(robots.planar_2r())


@pytest.fixture(scope="module")
def seven():
    chain = chain_of_all_joint_types()
    return chain, Lanes(chain)


@pytest.mark.parametrize("reach", [0.0, 1e-9, 3.0, 1000.0, 9e4])
def test_pose_and_jacobian_are_those_of_the_chain(seven, reach):
    chain, lanes = seven
    q = np.random.default_rng(4).uniform(-reach, reach, (LANES, chain.dof))
    lanes.write("Q", q)
    lanes.run("pose_and_jacobian")
    T, J = lanes.read("T", 12).reshape(LANES, 3, 4), lanes.jacobian()
    for lane in range(LANES):
        # lengths, and their rounding, grow with the travel of the prismatic joints
        size = max(1.0, reach)
        np.testing.assert_allclose(T[lane], chain.forward_kinematics(q[lane])[:3], atol=1e-14 * size, rtol=0)
        np.testing.assert_allclose(J[lane], chain.body_jacobian(q[lane]), atol=2e-14 * size, rtol=0)


def compute_logarithms(lanes, here, targets):
    """Return log(T⁻¹ target) of eight pairs, shape (LANES, 6)."""
    lanes.write("T", np.array([T[:3] for T in here]))
    lanes.write("TARGET", np.array([T[:3] for T in targets]))
    lanes.run("error_twist")
    return lanes.read("V", 6)


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_inverts_the_exponential(two, angle):
    """One axis in each lane, all at the same angle; the pose is the exponential of the twist."""
    twists = np.hstack([angle * AXES, np.random.default_rng(6).normal(size=(LANES, 3))])
    targets = np.array([lie.exp_se3(twist) for twist in twists])
    found = compute_logarithms(two, np.tile(np.eye(4), (LANES, 1, 1)), targets)
    # entries of R are rounded to 1e-16; the logarithm magnifies that by θ/sin θ or θ/(1 − cos θ), at most π/2 · √3
    np.testing.assert_allclose(found, twists, atol=4e-15, rtol=0)
    np.testing.assert_allclose(found, [lie.log_se3(T) for T in targets], atol=3e-15, rtol=0)


def test_sign_of_the_logarithm_at_exactly_pi_equals_that_of_the_kernel_for_one_pose(two):
    """R = 2aaᵀ − I is symmetric to the last bit, so both signs are correct and a rule chooses."""
    targets = np.tile(np.eye(4), (LANES, 1, 1))
    targets[:, :3, :3] = [2 * np.outer(axis, axis) - np.eye(3) for axis in AXES]
    targets[:, :3, 3] = np.random.default_rng(7).normal(size=(LANES, 3))
    found = compute_logarithms(two, np.tile(np.eye(4), (LANES, 1, 1)), targets)
    np.testing.assert_allclose(found, [lie.log_se3(T) for T in targets], atol=3e-15, rtol=0)
    np.testing.assert_allclose(np.linalg.norm(found[:, :3], axis=1), math.pi, rtol=1e-15)


@pytest.fixture(scope="module")
def arms(seven, two):
    return [(robots.planar_2r(), two), seven, (robots.ur10(), Lanes(robots.ur10()))]


@pytest.mark.parametrize("dampings", [(1e-12, 1e-6), (1e-2, 1.0), (100.0, 1e6)])
def test_damped_step_equals_that_of_numpy(arms, dampings):
    for chain, lanes in arms:
        rng, n = np.random.default_rng(9), chain.dof
        V, D = rng.normal(size=(LANES, 6)), np.resize(dampings, LANES)
        lanes.write("Q", np.array([regular(chain, rng) for _ in range(LANES)]))
        lanes.write("V", V)
        lanes.set_damping(D)
        lanes.run("pose_and_jacobian", "damped_step")
        J = np.array([chain.body_jacobian(q) for q in lanes.read("Q", n)])
        step, margins = lanes.read("STEP", n), lanes.read("MARGINS", min(n, 6))
        for lane in range(LANES):
            tall = np.vstack([J[lane], np.sqrt(D[lane]) * np.eye(n)])
            expected = np.linalg.lstsq(tall, np.r_[V[lane], np.zeros(n)])[0]
            # the normal matrix squares the condition of J
            np.testing.assert_allclose(step[lane], expected, rtol=1e-11, atol=2e-12 * np.linalg.norm(expected))
            assert (margins[lane] > 0).all()


def advance(lanes, q, step, margins, D=None):
    damping = np.ones(LANES) if D is None else D
    for name, values in (("Q", q), ("STEP", step), ("MARGINS", margins), ("DIAGONAL", damping)):
        lanes.write(name, values)
    lanes.write("COUNT", np.arange(LANES))
    lanes.run("advance")
    return {"Q": lanes.read("Q", 2)} | {x: lanes.read(x, 1)[:, 0] for x in ("COUNT", "NO_PROGRESS", "BREAKDOWN")}


def test_a_step_is_added_and_its_length_compared(two):
    q, step = np.ones((LANES, 2)), np.full((LANES, 2), 1e-3)
    step[1], step[2], step[3] = [0.9 * STALL, -0.9 * STALL], [0.0, 0.0], [1.1 * STALL, 0.0]
    q[4], step[4] = [1000.0, 0.0], [900 * STALL, -900 * STALL]  # relative to the largest joint
    q[5], step[5] = [1e-3, 0.0], [0.9 * STALL, 0.0]  # below 1 the length itself counts
    after = advance(two, q, step, np.ones((LANES, 2)))
    np.testing.assert_array_equal(after["Q"], q + step)
    np.testing.assert_array_equal(after["COUNT"], np.arange(LANES) + 1)
    np.testing.assert_array_equal(after["NO_PROGRESS"], [0, 1, 1, 0, 1, 1, 0, 0])
    np.testing.assert_array_equal(after["BREAKDOWN"], np.zeros(LANES))


def test_a_lost_pivot_or_a_huge_angle_is_a_breakdown(two):
    q, step, margins = np.zeros((LANES, 2)), np.full((LANES, 2), 0.1), np.ones((LANES, 2))
    margins[1], margins[2], margins[3] = [1.0, -1e-17], [-1.0, 1.0], [0.0, 1.0]
    step[4], step[5] = [0.0, 2e5], [-2e5, 0.0]
    after = advance(two, q, step, margins)
    np.testing.assert_array_equal(after["BREAKDOWN"], [0, 1, 1, 1, 1, 1, 0, 0])


def test_a_damping_that_is_not_a_nonnegative_number_is_a_breakdown(two):
    D = np.array([0.0, 1e-300, 1e300, -1e-300, np.nan, np.inf, -np.inf, 1.0])
    after = advance(two, np.zeros((LANES, 2)), np.full((LANES, 2), 0.1), np.ones((LANES, 2)), D)
    np.testing.assert_array_equal(after["BREAKDOWN"], [0, 0, 1, 1, 1, 1, 1, 0])
