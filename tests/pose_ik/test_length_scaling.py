"""Length scaling: the default method does not depend on the unit of length; other methods use the robot's unit."""

from dataclasses import replace

import numpy as np
import pytest

from lessons_lib.pose_ik import (
    BestOf,
    Chan,
    LevenbergMarquardt,
    Near,
    Nearest,
    Restarts,
    Stop,
    position_only,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.one_pose import solve_in_python

UNIT = 1024.0


def in_unit(chain, unit):
    """Return an arm whose lengths are multiplied by `unit`, and the factor of each coordinate."""
    is_prismatic = np.array(chain.joint_types) == "prismatic"
    factors, screws, home = np.where(is_prismatic, unit, 1.0), chain.screws.copy(), chain.home.copy()
    screws[3:, ~is_prismatic] *= unit
    home[:3, 3] *= unit
    return replace(chain, screws=screws, home=home, limits=chain.limits * factors[:, None]), factors


def scale_poses(poses, unit):
    scaled = poses.copy()
    scaled[..., :3, 3] *= unit
    return scaled


@pytest.fixture(scope="module")
def targets(ur10):
    return ur10.targets(60, np.random.default_rng(4))[0]


@pytest.mark.parametrize("unit", [UNIT, 1 / UNIT, 32.0, 2.0**40])
def test_a_batch_takes_the_same_steps_in_every_unit(ur10, targets, unit):
    arm, _ = in_unit(ur10, unit)
    here = solve_batch(ur10, targets)
    there = solve_batch(arm, scale_poses(targets, unit), stop=Stop(position=1e-6 * unit))
    assert here.converged.all() and np.array_equal(here.q, there.q)
    assert np.array_equal(here.iterations, there.iterations) and np.array_equal(here.restarts, there.restarts)
    assert np.array_equal(here.orientation_error, there.orientation_error)
    assert np.array_equal(here.position_error * unit, there.position_error)


@pytest.mark.parametrize(
    "options",
    [{}, {"trace": True}, {"starts": Near()}, {"starts": Nearest(3)}, {"starts": BestOf(9)}, {"goal": position_only()}],
    ids=str,
)
@pytest.mark.parametrize("solve", [solve, solve_in_python])
def test_a_solve_and_its_trace_are_the_same_in_every_unit(ur10, targets, options, solve):
    arm, _ = in_unit(ur10, UNIT)
    for target in targets[:2]:
        here = solve(ur10, target, rng=np.random.default_rng(1), **options)
        stop, rng = Stop(position=1e-6 * UNIT), np.random.default_rng(1)
        there = solve(arm, scale_poses(target, UNIT), stop=stop, rng=rng, **options)
        assert np.array_equal(here.q, there.q) and here.status is there.status
        assert (here.iterations, here.restarts) == (there.iterations, there.restarts)
        assert there.position_error == UNIT * here.position_error
        if here.trace is not None and there.trace is not None:
            assert np.array_equal(here.trace.q, there.trace.q)
            assert np.array_equal(here.trace.error_twists * np.repeat([1.0, UNIT], 3), there.trace.error_twists)


def test_damping_of_a_named_method_is_in_the_unit_of_the_robot(ur10, targets):
    arm, _ = in_unit(ur10, UNIT)
    options = {"starts": Restarts(0), "stop": Stop(position=1e-6 * UNIT), "trace": True}
    named = solve(arm, scale_poses(targets[0], UNIT), method=LevenbergMarquardt(Chan(0.1)), **options)
    default = solve(arm, scale_poses(targets[0], UNIT), **options)
    assert named.trace is not None and default.trace is not None
    twist = named.trace.error_twists[0]
    assert named.trace.damping[0] == pytest.approx(0.1 * 0.5 * float(twist @ twist))
    assert default.trace.error_twists[0] == pytest.approx(twist)
    in_lengths = twist / np.repeat([1.0, UNIT], 3)
    assert default.trace.damping[0] == pytest.approx(0.1 * 0.5 * float(in_lengths @ in_lengths))
