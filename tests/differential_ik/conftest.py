"""A UR10 away from its singular configurations, for most tests of this folder."""

import pytest

from lessons_lib import differential_ik as dik


@pytest.fixture
def ur10():
    from pink_robots import Q, robot  # other tests run without Pink

    return dik.Configuration(robot("UR10").tree, Q)
