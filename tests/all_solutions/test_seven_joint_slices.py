"""Arms of seven joints without a closed form: a joint is locked, the others are a general 6R arm."""

import mpmath
import numpy as np
import pinocchio
import pytest
from arms import largest_difference
from many_digits import doubles, kinematics, nearest_pose, pose_residual
from seven_joint_arms import TABLES, seven_joint_arm, urdf_of

from lessons_lib import pose_ik, robots
from lessons_lib.errors import CodegenError, ConfigurationError, ParameterError
from lessons_lib.pose_ik import AllBranches, Restarts

ROUNDED = ("xArm7", "GEN72", "RM75")
"""Arms of which six joints would have a closed form if right angles were not rounded."""


def draw(arm, rng):
    return rng.uniform(*np.clip(arm.limits, -np.pi, np.pi).T)


@pytest.mark.parametrize("name", TABLES)
def test_a_slice_contains_the_configuration_and_its_members_reach_the_pose(name):
    arm, rng, proven = seven_joint_arm(name), np.random.default_rng(6), 0
    model = pinocchio.buildModelFromXML(urdf_of(name))
    data = model.createData()
    with mpmath.workdps(40):
        home = nearest_pose(arm.home)[0]
    for _ in range(8):
        q = draw(arm, rng)
        T = arm.forward_kinematics(q)
        solutions = pose_ik.all_solutions(arm, T)
        assert solutions.slice_joint == 6 and "joint 7 locked" in solutions.form
        one = solutions.slice(q[6])
        assert np.abs(one.nearest(q) - q).max() < 1e-8
        assert ((one.q >= arm.limits[:, 0]) & (one.q <= arm.limits[:, 1])).all() and (one.q[:, 6] == q[6]).all()
        anywhere = pose_ik.all_solutions(arm, T, limits=False).slice(q[6])
        assert len(anywhere) % 2 == 0 and len(anywhere) >= len(one)
        for k, member in enumerate(anywhere.q):
            assert all(largest_difference(member, other) > 1e-6 for other in anywhere.q[:k])
            pinocchio.framesForwardKinematics(model, data, member)
            assert np.abs(data.oMf[model.getFrameId("link_7")].homogeneous - T).max() < 1e-10
            with mpmath.workdps(40):
                R, p, columns = kinematics(arm, home, member.tolist())
                error = np.array(list(map(float, pose_residual(R, p, nearest_pose(T)))))
            step = np.linalg.lstsq(doubles(columns)[:, :6], error, rcond=None)[0]
            assert np.abs(error).max() < 1e-13 and np.abs(step).max() < 1e-8
        proven += anywhere.complete
    assert proven == (0 if name == "RM75" else 8)


@pytest.mark.parametrize("name", ["KR810", "YuMi left", "GEN72"])
def test_searches_with_the_joint_locked_find_no_other_solution(name):
    arm, rng = seven_joint_arm(name), np.random.default_rng(2)
    for _ in range(3):
        q = draw(arm, rng)
        T = arm.forward_kinematics(q)
        turn = np.zeros(7)
        turn[6] = q[6]
        six = robots.from_screws(arm.screws[:, :6], arm.forward_kinematics(turn), limits=[(-np.pi, np.pi)] * 6)
        starts = rng.uniform(-np.pi, np.pi, (400, 6))
        found = pose_ik.solve_batch(six, np.tile(T, (400, 1, 1)), starts, starts=Restarts(0))
        ends = found.q[found.converged]
        listed = pose_ik.all_solutions(arm, T, limits=False).slice(q[6]).q[:, :6]
        nearest = [min(range(len(listed)), key=lambda k, end=end: largest_difference(listed[k], end)) for end in ends]
        assert max(largest_difference(listed[k], end) for k, end in zip(nearest, ends, strict=True)) < 1e-3
        assert set(nearest) == set(range(len(listed)))


def test_an_arm_without_families_refuses_to_list_its_solutions_and_points_to_slice():
    arm = seven_joint_arm("KR810")
    q = np.array([0.3, 0.4, -0.5, 0.6, 0.2, -0.3, 0.4])
    T = arm.forward_kinematics(q)
    solutions = pose_ik.all_solutions(arm, T)
    assert not solutions.complete and "slice(value)" in repr(solutions)
    for ask in (len, list, lambda one: one.families, lambda one: one.q, lambda one: one.nearest(q)):
        with pytest.raises(ParameterError, match=r"joint 7|slice\(value\)"):
            ask(solutions)
    with pytest.raises(ParameterError, match=r"slice\(value\)"):
        pose_ik.solve(arm, T, q, starts=AllBranches())
    with pytest.raises(ParameterError, match=r"slice\(value\)"):
        pose_ik.all_solutions_batch(arm, [T])
    with pytest.raises(CodegenError, match="cannot be printed"):
        arm.source("c", all_solutions=True)
    with pytest.raises(ConfigurationError, match="outside its limits"):
        solutions.slice(9.0)
    excluded = pose_ik.solve(arm.with_limits(position=np.column_stack([q + 0.5, q + 0.6])), T)
    assert "no strategy finds all solutions of KR810" in str(excluded.explain())


def test_a_slice_of_a_pose_out_of_reach_is_empty_and_complete():
    arm = seven_joint_arm("Rizon 4")
    far = arm.forward_kinematics(np.full(7, 0.3))
    far[:3, 3] *= 4.0
    none = pose_ik.all_solutions(arm, far).slice(0.3)
    assert len(none) == 0 and none.families == () and none.complete


@pytest.mark.parametrize("name", ROUNDED)
def test_exact_right_angles_give_families(name):
    arm = seven_joint_arm(name, exact=True)
    q = draw(arm, np.random.default_rng(3))
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q))
    assert not solutions.only_slices and np.abs(solutions.nearest(q) - q).max() < 1e-6
    assert solutions.slice(q[solutions.slice_joint]).complete
    assert "all_solutions(" in arm.source("c", all_solutions=True)
