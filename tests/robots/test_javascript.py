"""The generated JavaScript, run by Node, whose engine is that of a browser, against the vectorised NumPy functions."""

from typing import Any

import numpy as np
import pytest
from node import in_node
from test_kinematics import interpreted

from lessons_lib import robots

TOLERANCE = 1e-12  # the demand; both engines round each of some hundred operations on lengths of a metre


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10, robots.panda])
def test_it_computes_the_same_kinematics(make: Any) -> None:
    chain, rng = make(), np.random.default_rng(41)
    q = np.array([chain.random_configuration(rng) for _ in range(20)] + [np.zeros(chain.dof)])
    numpy, text = interpreted(chain), chain.source("javascript")
    for kernel, jacobian in (("space_kernel", "J_s"), ("chain_kernel", "J_b")):
        expected_T, expected_J = numpy[kernel](q)
        found = in_node(text, kernel, q[:, None].tolist())
        assert np.abs(np.array([f["T"] for f in found]) - expected_T).max() <= TOLERANCE
        assert np.abs(np.array([f[jacobian] for f in found]) - expected_J).max() <= TOLERANCE
    poses = in_node(text, "pose_kernel", q[:, None].tolist())
    assert np.abs(np.array([f["T"] for f in poses]) - numpy["pose_kernel"](q)).max() <= TOLERANCE


def test_a_single_joint_has_a_jacobian_of_one_column() -> None:
    chain = robots.from_screws([[0], [0], [1], [0], [-1], [0]], np.eye(4))
    (found,) = in_node(chain.source("javascript"), "chain_kernel", [[[0.0]]])
    assert found["J_b"] == [[0], [0], [1], [0], [-1], [0]]
