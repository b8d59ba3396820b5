"""Denavit-Hartenberg tables: screws that move as the product of the rows' matrices does, and what is refused."""

import numpy as np
import pinocchio_models
from hypothesis import given, settings
from hypothesis import strategies as st
from test_kinematics import UR10_ROWS, interpreted

from lessons_lib import robots

nan, inf = np.nan, np.inf
CONVENTIONS = ["standard", "modified"]


@settings(max_examples=4, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32 - 1), joints=st.integers(1, 3), convention=st.sampled_from(CONVENTIONS))
def test_a_random_table_moves_as_its_matrices(seed: int, joints: int, convention: str) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1, 1, (joints, 4)) * [1, np.pi, 1, np.pi]
    kinds = [str(kind) for kind in rng.choice(["revolute", "prismatic"], joints)]
    tool = pinocchio_models.dh_matrix(0.1, 0.5, 0.2, 0.7, "standard")
    chain = robots.from_dh(rows, convention, tool, joint_types=kinds)
    assert chain.joint_types == tuple(kinds)
    functions = interpreted(chain)
    model = pinocchio_models.from_dh(rows, convention, kinds, tool)
    for q in rng.uniform(-2, 2, (5, joints)):
        moved = rows.copy()
        moved[np.arange(joints), [2 if kind == "prismatic" else 3 for kind in kinds]] += q
        product = np.eye(4)
        for row in moved:
            product = product @ pinocchio_models.dh_matrix(*row, convention)
        # rows of size 1: rounding stays near 1e-15 times the reach of some 10 m
        assert np.abs(functions["pose_kernel"](q) - product @ tool).max() <= 1e-13
        assert np.abs(functions["chain_kernel"](q)[1] - model.kinematics(q)[2]).max() <= 1e-12


def test_an_offset_moves_the_zero() -> None:
    offset = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    rows = np.array(UR10_ROWS)
    rows[:, 3] = offset
    np.testing.assert_allclose(robots.from_dh(rows).home, robots.ur10().forward_kinematics(offset), atol=1e-14)
