"""The arms, constructed once for all tests of this folder, and the errors of a solution by other libraries."""

from functools import cache

import modern_robotics
import numpy as np
import pytest

from lessons_lib import robots


@cache
def arm(name):
    """Return an arm, derived and compiled once a session."""
    return getattr(robots, name)()


@pytest.fixture(scope="session")
def planar_2r():
    return arm("planar_2r")


@pytest.fixture(scope="session")
def ur10():
    return arm("ur10")


@pytest.fixture(scope="session")
def panda():
    return arm("panda")


@pytest.fixture(scope="session", params=["planar_2r", "ur10", "panda"])
def chain(request):
    return arm(request.param)


@pytest.fixture(scope="session")
def independent_errors():
    """Return |ω_b| and |v_b| by modern_robotics' forward kinematics and Pinocchio's logarithm."""
    import pinocchio  # here, because other tests run without it

    def errors(chain, q, target):
        assert all(kind == "revolute" for kind in chain.joint_types)
        # modern_robotics rounds angles below 1e-6 to zero, so they get a whole revolution more
        T_sb = modern_robotics.FKinSpace(chain.home, chain.screws, np.where(np.abs(q) < 1e-6, q + 2 * np.pi, q))
        twist = pinocchio.log6(pinocchio.SE3(np.linalg.inv(T_sb) @ target))
        return float(np.linalg.norm(twist.angular)), float(np.linalg.norm(twist.linear))

    return errors
