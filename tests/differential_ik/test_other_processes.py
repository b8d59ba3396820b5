"""What crosses from one process to another arrives as it was: errors, configurations, robots."""

import copy
import gc
import pickle
import weakref
from pathlib import Path

import numpy as np
import pytest
from pink_robots import robot, urdf

from lessons_lib import differential_ik as dik
from lessons_lib import robots
from lessons_lib.differential_ik.limits.velocity_limit import default_limits
from lessons_lib.robots import Tree


def test_the_problem_without_a_solution_travels_with_its_error() -> None:
    """That every error does: tests/test_pickling.py."""
    at, wall = dik.Configuration(robot("UR10").tree, np.zeros(6)), dik.PositionBarrier("base_link", [0], p_max=[-5.0])
    with pytest.raises(dik.NoSolutionFound) as raised:
        dik.solve_ik(at, [dik.DampingTask(1.0)], 0.01, barriers=[wall])
    for again in copies(raised.value):
        assert isinstance(again, dik.NoSolutionFound) and again.results is None
        assert np.array_equal(again.problem.P, raised.value.problem.P)


def copies(value: object) -> list[object]:
    """Return a value as it comes back from another process, and its copies here."""
    return [pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)]


@pytest.mark.parametrize("name", ["Panda", "Go2", "Kinova"])
def test_a_configuration_stands_where_it_stood(name: str) -> None:
    pair, rng = robot(name), np.random.default_rng(1)
    at = dik.Configuration(pair.tree, pair.inside(rng))
    (frame,) = pair.frames(rng, 1)
    task, q = dik.FrameTask(frame, 1.0, 1.0), at.q.copy()
    task.set_target(at.get_transform_frame_to_world(frame) @ np.diag([1.0, -1.0, -1.0, 1.0]))
    v = dik.solve_ik(at, [task], 0.01)
    for again in copies(at):
        assert isinstance(again, dik.Configuration)
        assert np.array_equal(again.q, q) and not again.q.flags.writeable
        assert again.root_nv == at.root_nv
        assert np.array_equal(dik.solve_ik(again, [task], 0.01), v)
        again.integrate_inplace(v, 0.01)  # the copy moves, and not the one that it was made of
        assert np.array_equal(at.q, q)
        assert np.array_equal(at.get_frame_jacobian(frame), pair.tree.body_jacobian(q, frame))


def test_a_robot_stays_read_only_and_one_with_its_limits() -> None:
    tree = robots.load_urdf(Path(urdf("panda")))
    tree.frame_placement("panda_link8"), tree.mass, default_limits(tree)  # noqa: B018
    for again in copies(tree):
        assert isinstance(again, Tree)
        assert again.frame_names == tree.frame_names
        for array in (again.q0, again.lower, again.q_of_v, again.arrays.joints, again.arrays.offsets):
            assert not array.flags.writeable
        q = np.full(tree.nq, 0.01)
        assert np.array_equal(again.body_jacobian(q, "panda_link8"), tree.body_jacobian(q, "panda_link8"))
        assert default_limits(again)[0].model is again
    limit = dik.ConfigurationLimit(tree)
    at, its = copy.deepcopy((dik.Configuration(tree, robot("Panda").inside(np.random.default_rng(2))), limit))
    assert not dik.solve_ik(at, [dik.DampingTask(1.0)], 0.01, limits=[its, limit]).any()


@pytest.mark.check
def test_a_robot_goes_with_its_limits() -> None:
    tree = robots.load_urdf(Path(urdf("panda")))
    limits, gone = default_limits(tree), weakref.ref(tree)
    assert default_limits(tree) is limits
    del tree, limits
    gc.collect()
    assert gone() is None
