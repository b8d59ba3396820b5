"""Constant angles between joint axes, against Jacobians at random configurations."""

import numpy as np
import pytest
import sympy as sp

from lessons_lib import robots
from lessons_lib.symbolic import manipulability
from lessons_lib.symbolic.constant_angles import axis_products


@pytest.mark.parametrize("name", ["planar_2r", "ur10", "panda"])
def test_exactly_the_constant_products_are_listed(name):
    chain = getattr(robots, name)()
    rng = np.random.default_rng(7)
    axes = chain.space_jacobian(rng.uniform(-3, 3, (50, chain.dof)))[:, :3]
    seen = np.swapaxes(axes, 1, 2) @ axes
    still = np.ptp(seen, axis=0) < 1e-12  # rounding of a dozen products
    listed = axis_products(chain.screws)
    for i in range(chain.dof):
        for j in range(i + 1):
            assert ((i, j) in listed) == still[i, j], (i, j)
            if still[i, j]:
                assert listed[i, j] == pytest.approx(seen[0, i, j], abs=1e-12)


def test_only_products_near_integers_are_rounded():
    rounded = (1 + 1e-13) * np.ones(3) / np.sqrt(3.0)
    assert rounded @ rounded > 1.0, "an axis whose length is 1 but for rounding, on any processor"
    back, aside = -rounded, np.array([0.0, 0.3, np.sqrt(1 - 0.3**2)])
    screws = np.zeros((6, 4))
    screws[:3] = np.column_stack([rounded, back, [0, 1, 0], aside])
    listed = axis_products(screws)
    assert (listed[0, 0], listed[1, 0]) == (1.0, -1.0)
    assert listed[3, 2] == 0.3


def test_nearly_parallel_axes_do_not_count_as_parallel():
    """A calibrated arm: its second axis is off by 1e-6 rad, so the angle between the first and third axis changes."""
    tilted = np.array([np.sin(1e-6), 0.0, np.cos(1e-6), 0, 0, 0])
    screws = np.array([[0.0, 0, 1, 0, 0, 0], tilted, [0.0, -1, 0, 0.3, 0, 0]]).T
    assert (2, 0) not in axis_products(screws)
    assert axis_products(screws)[2, 1] == 0.0


def test_a_prismatic_joint_changes_no_angle():
    slide = [0.0, 0, 0, 1, 0, 0]
    screws = np.array([[0.0, 0, 1, 0, 0, 0], slide, [0.0, 0.6, 0.8, 0, 0, 0]]).T
    listed = axis_products(screws)
    assert listed[2, 0] == pytest.approx(0.8)  # neighbours except for the prismatic joint
    assert listed[1, 0] == listed[1, 1] == listed[2, 1] == 0.0


def test_measure_of_the_planar_arm():
    q1, q2 = sp.symbols("q1 q2", real=True)
    J = sp.Matrix([[-sp.sin(q1) - sp.sin(q1 + q2), -sp.sin(q1 + q2)], [sp.cos(q1) + sp.cos(q1 + q2), sp.cos(q1 + q2)]])
    m = manipulability.measure(J)
    assert sp.simplify(m**2 - sp.sin(q2) ** 2) == 0  # both links 1 m: area of the parallelogram of the two columns
    assert manipulability.measure(sp.Matrix([[1, 0, 2], [0, 1, 0]])) == sp.sqrt(5)  # of a Jacobian that is not square
