"""A UR10 away from its singular configurations, as most tests of this folder want one."""

import pytest

from lessons_lib import differential_ik as dik


@pytest.fixture
def ur10() -> dik.Configuration:
    from pink_robots import Q, robot  # tests that do not ask for it run without Pink

    return dik.Configuration(robot("UR10").tree, Q)
