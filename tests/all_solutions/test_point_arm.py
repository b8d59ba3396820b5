"""Small and sliding arms: three joints place a point, the others rotate about it."""

import mpmath
import numpy as np
import pytest
from many_digits import kinematics, nearest_pose, rotate
from small_arms import POSITIONS, TIP, WHOLE, X, Y, Z, arm_of, slide, turn, wrist

from lessons_lib import lie, pose_ik, robots
from lessons_lib.all_solutions.point_arm import PointArm
from lessons_lib.errors import CodegenError, ParameterError
from lessons_lib.pose_ik import AllBranches, Status

CASES = [(name, arm, most, True) for name, (arm, most) in POSITIONS.items()]
CASES += [(name, arm, most, False) for name, (arm, most) in WHOLE.items()]
NAMES = [case[0] for case in CASES]


def differences(arm, rows, q):
    """Return the largest difference of each row to a configuration, modulo revolutions."""
    off = np.atleast_2d(rows) - q
    revolute = np.array(arm.joint_types) == "revolute"
    return np.abs(np.where(revolute, np.remainder(off + np.pi, 2 * np.pi) - np.pi, off)).max(axis=1)


def error_of(arm, q, T, position_only):
    off = arm.forward_kinematics(q) - T
    return off[:3, 3] if position_only else off[:3].ravel()


def search(arm, T, position_only, starts):
    """Return the ends of damped Gauss-Newton searches with differences that reach the target, shape (k, n)."""

    def errors(q):
        off = arm.forward_kinematics(q)[:, :3] - T[:3]
        return off[:, :, 3] if position_only else off.reshape(len(q), 12)

    q, damping = starts.copy(), np.full(len(starts), 1e-2)
    for _ in range(60):
        e = errors(q)
        steps = 1e-6 * np.eye(arm.dof)
        J = np.stack([(errors(q + step) - errors(q - step)) / 2e-6 for step in steps], axis=2)
        A = np.swapaxes(J, 1, 2) @ J + damping[:, None, None] * np.eye(arm.dof)
        after = q - np.linalg.solve(A, np.swapaxes(J, 1, 2) @ e[:, :, None])[:, :, 0]
        better = np.linalg.norm(errors(after), axis=1) < np.linalg.norm(e, axis=1)
        q = np.where(better[:, None], after, q)
        damping = np.clip(np.where(better, damping / 5, damping * 3), 1e-15, 1e3)
    return q[np.linalg.norm(errors(q), axis=1) < 1e-10]


@pytest.mark.parametrize(("name", "arm", "most", "position_only"), CASES, ids=NAMES)
def test_all_solutions_are_those_of_many_searches(name, arm, most, position_only):
    rng, counts = np.random.default_rng(3), []
    for q in [arm.random_configuration(rng) for _ in range(8)]:
        T = arm.forward_kinematics(q)
        solutions = pose_ik.all_solutions(arm, T, limits=False, position_only=position_only)
        assert isinstance(solutions.strategy, PointArm) and solutions.complete, solutions.reason
        assert differences(arm, solutions.q, q).min() < 1e-8 and solutions.residual.max() < 2e-12
        assert all(differences(arm, solutions.q[:k], one).min() > 1e-6 for k, one in enumerate(solutions.q) if k)
        ends = search(arm, T, position_only, rng.uniform(-4.0, 4.0, (100, arm.dof)))
        far = np.array([differences(arm, solutions.q, end) for end in ends])
        assert far.min(axis=1).max() < 1e-4
        near = np.abs(solutions.q[:, np.array(arm.joint_types) == "prismatic"]).max(axis=1, initial=0.0) < 6.0
        assert set(np.flatnonzero(near)) <= set(far.argmin(axis=1))
        counts.append(len(solutions))
    assert max(counts) == most and (most == 1 or not any(count % 2 for count in counts))


@pytest.mark.parametrize("name", ["3R skew", "skew RRP", "PRR elbow", "Stanford", "gantry"])
def test_members_reach_the_position_in_many_digits(name):
    arm, most = {**POSITIONS, **WHOLE}[name]
    position_only, rng = arm.dof == 3, np.random.default_rng(4)
    for _ in range(4):
        T = arm.forward_kinematics(arm.random_configuration(rng))
        for q in pose_ik.all_solutions(arm, T, limits=False, position_only=position_only).q:
            with mpmath.workdps(40):
                home = nearest_pose(arm.home)[0]
                R, p, _ = kinematics(arm, home, q.tolist())
                assert max(abs(a - b) for a, b in zip(p, T[:3, 3].tolist(), strict=True)) < 2e-12
                ahead = rotate(R, [1, 0, 0]) if arm.dof == 6 else T[:3, 0]
                assert max(abs(a - b) for a, b in zip(ahead, T[:3, 0].tolist(), strict=True)) < 2e-12


def test_the_counts_of_textbook_arms_are_those_by_hand():
    """Spherical: d = ±r, with two sides of the shoulder each; cylindrical: r = ±; an elbow: shoulder and elbow."""
    r, height = 1.3, 0.2
    T = lie.pose(np.eye(3), (0.0, np.hypot(r, 0.1), 0.4 + height))
    spherical = pose_ik.all_solutions(POSITIONS["RRP spherical"][0], T, limits=False, position_only=True)
    reach = np.sort(spherical.q[:, 2]) + 0.3
    assert np.abs(reach - np.array([-1, -1, 1, 1]) * np.hypot(r, height)).max() < 1e-12
    cylindrical = pose_ik.all_solutions(POSITIONS["RPP cylindrical"][0], T, limits=False, position_only=True)
    assert np.abs(np.sort(cylindrical.q[:, 2]) + 0.3 - [-r, r]).max() < 1e-12
    assert np.abs(cylindrical.q[:, 1] - height).max() < 1e-12
    gantry, _ = WHOLE["gantry"]
    T = gantry.forward_kinematics([0.1, -0.2, 0.3, 0.4, 0.5, 0.6])
    both = pose_ik.all_solutions(gantry, T).q
    assert np.abs(both[:, :3] - [0.1, -0.2, 0.3]).max() < 1e-12 and np.abs(np.abs(both[:, 4]) - 0.5).max() < 1e-12


@pytest.mark.parametrize("name", ["3R elbow", "RRP spherical", "RPP cylindrical", "PRR elbow", "PRR rail"])
def test_a_position_out_of_reach_has_no_solution_and_that_is_proven(name):
    arm = POSITIONS[name][0]
    places = {"3R elbow": (2.0, 0, 0), "PRR elbow": (0, 3.0, 0), "PRR rail": (5, 0, 0)}
    T = lie.pose(np.eye(3), places.get(name, (0.05, 0, 0.3)))
    none = pose_ik.all_solutions(arm, T, limits=False, position_only=True)
    assert len(none) == 0 and none.complete and none.families == ()


def test_a_target_on_the_first_axis_has_a_family():
    arm = arm_of("elbow", [turn(Z), turn(Y, 0, 0, 0.4), turn(Y, 0.5, 0, 0.4)], (0.9, 0.0, 0.4))
    T = lie.pose(np.eye(3), (0.0, 0.0, 0.9))
    solutions = pose_ik.all_solutions(arm, T, limits=False, position_only=True)
    assert not solutions.complete and "joint 1 is free" in solutions.reason and len(solutions.families) >= 2
    for family in solutions.families:
        assert family.joint == 0 and family.intervals == ((-np.pi, np.pi),)
        for value in np.linspace(-3.0, 3.0, 7):
            q = family.at(value)
            assert q[0] == pytest.approx(value) and np.abs(error_of(arm, q, T, True)).max() < 1e-12
    near = np.array([0.7, 0.1, 1.0])
    assert np.abs(error_of(arm, solutions.nearest(near), T, True)).max() < 1e-12


def test_a_straight_wrist_and_a_mast_have_families():
    gantry = WHOLE["gantry"][0]
    q = np.array([0.1, 0.2, 0.3, 0.5, 0.0, 0.4])
    straight = pose_ik.all_solutions(gantry, gantry.forward_kinematics(q))
    assert "joint 4 is free" in straight.reason and len(straight) == 0
    for value in (-2.0, 0.0, 1.0):
        there = straight.families[0].at(value)
        assert there[3] == pytest.approx(value)
        assert np.abs(error_of(gantry, there, straight.target, False)).max() < 1e-12
    mast = arm_of("mast", [turn(Z), slide(Z), slide(X), *wrist(0.4, 0.0, 0.2)], (0.6, 0.0, 0.2))
    q = np.array([0.3, 0.1, -0.4, 0.5, 0.6, 0.7])  # the wrist is on the first axis
    solutions = pose_ik.all_solutions(mast, mast.forward_kinematics(q))
    assert "joint 1 is free" in solutions.reason
    members = [family.at(0.3) for family in solutions.families]
    assert min(differences(mast, member, q)[0] for member in members) < 1e-9
    other = solutions.families[0].at(-1.0)
    assert np.abs(error_of(mast, other, solutions.target, False)).max() < 1e-12


def test_an_outstretched_arm_has_one_solution_which_is_not_called_complete():
    arm = POSITIONS["PRR rail"][0]
    stretched = pose_ik.all_solutions(arm, arm.forward_kinematics([0.2, 0.3, -np.arctan(0.25)]), position_only=True)
    assert len(stretched) == 1 and not stretched.complete
    assert np.abs(error_of(arm, stretched.q[0], stretched.target, True)).max() < 1e-12


def test_three_joints_reach_a_pose_only_with_its_rotation():
    arm, q = POSITIONS["3R elbow"][0], np.array([0.3, -0.4, 0.9])
    T = arm.forward_kinematics(q)
    whole = pose_ik.all_solutions(arm, T)
    assert len(whole) == 1 and whole.complete and differences(arm, whole.q, q)[0] < 1e-9
    assert len(pose_ik.all_solutions(arm, T, position_only=True, limits=False)) == 4
    turned = T @ lie.pose(lie.exp_so3([0.1, 0.0, 0.0]), np.zeros(3))
    none = pose_ik.all_solutions(arm, turned)
    assert len(none) == 0 and none.complete
    rounded = T @ lie.pose(lie.exp_so3([1e-8, 0.0, 0.0]), np.zeros(3))
    assert not pose_ik.all_solutions(arm, rounded).complete


def test_limits_exclude_solutions_and_all_branches_reports_it():
    arm, _ = WHOLE["Stanford"]
    q = np.array([0.3, -0.4, 0.5, 0.6, 0.7, 0.8])
    T = arm.forward_kinematics(q)
    result = pose_ik.solve(arm, T, q + 0.05, starts=AllBranches())
    assert result.converged and differences(arm, result.q, q)[0] < 1e-9
    narrow = arm.with_limits(position=[(x - 0.1, x + 0.1) for x in q])
    assert len(pose_ik.all_solutions(narrow, T)) == 1 and pose_ik.all_solutions(narrow, T).complete
    ahead = arm.with_limits(position=[(x, 3.0) for x in q])
    assert "limit" in pose_ik.all_solutions(ahead, T).reason
    away = arm.with_limits(position=[(x + 0.05, x + 0.1) for x in q])
    assert pose_ik.solve(away, T, starts=AllBranches()).status is Status.OUTSIDE_LIMITS
    far = T.copy()
    far[:3, 3] = np.array([0.01, 0.0, 0.5]) + far[:3, 2] * 0.3  # the wrist would be too close to axis 1
    assert pose_ik.solve(arm, far, starts=AllBranches()).status is Status.UNREACHABLE
    batch = pose_ik.all_solutions_batch(arm, [T, far])
    assert batch.counts.tolist() == [len(pose_ik.all_solutions(arm, T)), 0] and batch.complete.all()


def test_millimetres_give_the_same_solutions():
    arm, _ = POSITIONS["skew RRP"]
    screws = arm.screws.copy()
    screws[3:, :2] *= 1000.0
    home = arm.home.copy()
    home[:3, 3] *= 1000.0
    fine = robots.from_screws(screws, home, length_unit="mm")
    for q in np.random.default_rng(2).uniform(-2.0, 2.0, (6, 3)):
        T = arm.forward_kinematics(q)
        in_metres = pose_ik.all_solutions(arm, T, limits=False, position_only=True)
        T[:3, 3] *= 1000.0
        solutions = pose_ik.all_solutions(fine, T, limits=False, position_only=True)
        assert len(solutions) == len(in_metres) and solutions.complete
        assert all(differences(arm, in_metres.q, q / [1, 1, 1000]).min() < 1e-8 for q in solutions.q)


def test_arms_that_are_refused():
    flat = arm_of("flat", [turn(Z), turn(Z, 0.5), turn(Z, 0.9)], TIP)
    useless = arm_of("useless", [turn(Z), turn(Y, 0, 0, 0.4), turn(X, 0, 0.1, 0.4)], TIP)
    for arm in (flat, useless, robots.ur10(), arm_of("slides", [slide(X), slide(X), slide(Z)], TIP)):
        with pytest.raises(ParameterError, match="all directions"):
            pose_ik.all_solutions(arm, np.eye(4), position_only=True)
    apart = arm_of("apart", [slide(X), slide(Y), slide(Z), turn(Z, 0.3), turn(X, 0.4, 0.1)], TIP)
    with pytest.raises(ParameterError, match="axes meet"):
        pose_ik.all_solutions(apart, np.eye(4))
    with pytest.raises(ParameterError, match="position_only"):
        pose_ik.all_solutions(POSITIONS["PPP"][0], np.eye(4), position_only=1)
    with pytest.raises(CodegenError, match="cannot be printed: .*; use solver=True"):
        WHOLE["Stanford"][0].source("c", all_solutions=True)


@pytest.mark.parametrize(
    "q",
    [(-0.47708, -0.084729, -0.200000026, 0.18285, 0.244, -0.243), (-2.78141, -2.7826, -0.199999982, -1.38, -0.12, 2.2)],
)
def test_beside_two_singularities_candidates_are_finite(q):
    """The wrist's centre is beside axes 1 and 2: a candidate just beyond reach is not at the target's distance."""
    arm = WHOLE["Stanford"][0]
    solutions = pose_ik.all_solutions(arm, arm.forward_kinematics(q), limits=False)
    assert np.isfinite(solutions.q).all() and solutions.residual.max() < 2e-12
    assert not solutions.complete and solutions.reason
