"""Explanations name the causes and mistakes that a test introduces, and no others."""

import pickle
import re

import numpy as np
import pytest
from scipy.optimize import minimize

from lessons_lib import collisions, pose_ik, robots
from lessons_lib.all_solutions.slices import Slices
from lessons_lib.errors import ParameterError
from lessons_lib.lie import exp_se3, exp_so3, inverse, log_se3
from lessons_lib.pose_ik.explanation import causes, likely_mistakes, reach
from lessons_lib.pose_ik.explanation.explanation import REST

UR10, PANDA = robots.ur10(), robots.panda()
Q = np.array([0.3, -1.2, 1.5, -0.6, 1.1, 0.4])
T = UR10.forward_kinematics(Q)
ONCE = pose_ik.Restarts(0)


def at(point, rotation=None, of=T):
    """Return a pose with another position, and another rotation if one is given."""
    moved = of.copy()
    moved[:3, 3] = point
    if rotation is not None:
        moved[:3, :3] = rotation
    return moved


def small(arm, q, by=0.2):
    """Return an arm with narrow limits around a configuration."""
    return arm.with_limits(position=np.column_stack([q - by, q + by]))


def names(result):
    """Return the names of the causes in order."""
    return [cause.name for cause in result.explain()]


@pytest.mark.parametrize("by", [1e-5, 0.1])
@pytest.mark.parametrize("arm", [UR10, PANDA, robots.planar_2r()], ids=lambda arm: arm.name)
def test_a_point_just_out_of_reach_is_proven_with_its_distance(arm, by):
    shell = reach.find_shell(arm, arm.home[:3, 3], arm.dof)
    direction = np.array([0.6, 0.8, 0.0])
    target = at(shell.center + (shell.outer + by) * direction, of=arm.home)
    found = pose_ik.solve(arm, target).explain()
    assert [cause.name for cause in found if cause.proven] == [reach.POINT]
    assert f", a difference of {1000 * by:.4g} mm." in found[0].sentence
    assert not [cause for cause in found if not cause.proven]


def test_a_point_inside_the_inner_sphere_is_out_of_reach():
    arm = robots.from_dh([(1.0, 0.0, 0.0), (0.4, 0.0, 0.0)], length_unit="m")
    found = pose_ik.solve(arm, at([0.3, 0, 0], of=np.eye(4)), goal=pose_ik.position_only()).explain()
    assert [cause.name for cause in found] == [reach.POINT]
    assert "at least 0.6 m" in found[0].sentence and "300 mm" in found[0].sentence


def test_no_reachable_pose_is_called_out_of_reach():
    rng = np.random.default_rng(4)
    for arm in (UR10, PANDA, robots.planar_2r()):
        shells = [(arm.home[:3, 3], arm.dof), *reach.find_wrist_points(arm)]
        for q in rng.uniform(-3, 3, (200, arm.dof)):
            pose = arm.forward_kinematics(q)
            for point, joints in shells:
                place = pose @ np.linalg.solve(arm.home, [*point, 1.0])
                assert reach.find_shell(arm, point, joints).distance_outside(place[:3]) <= 0.0


INWARD = np.column_stack([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]])


def test_an_impossible_orientation_is_reported_with_the_nearest_possible_one():
    shell = reach.find_shell(UR10, UR10.home[:3, 3], 6)
    target = at(shell.center + [0.75 * shell.outer, 0, 0], INWARD)
    found = pose_ik.solve(UR10, target).explain()
    assert [(cause.name, cause.proven) for cause in found][0] == (reach.ORIENTATION, True)
    angle = float(found[0].remedy.split("orientation ")[1].split("°")[0])
    assert 0.0 < angle < 180.0
    assert np.linalg.norm(UR10.forward_kinematics(found[0].q)[:3, 3] - target[:3, 3]) < 1e-5
    for axis in np.random.default_rng(8).normal(size=(40, 3)):
        nearer = INWARD @ exp_so3(np.radians(0.9 * angle) * axis / np.linalg.norm(axis))
        assert not len(pose_ik.all_solutions(UR10, at(target[:3, 3], nearer), limits=False))
    fit = minimize(  # Kraft's SLSQP, with the position as a constraint
        lambda q: -np.trace(INWARD.T @ UR10.forward_kinematics(q)[:3, :3]),
        found[0].q,
        constraints={"type": "eq", "fun": lambda q: UR10.forward_kinematics(q)[:3, 3] - target[:3, 3]},
    )
    # found near the point, and rounded to a tenth
    assert angle == pytest.approx(np.degrees(np.arccos((-fit.fun - 1) / 2)), abs=0.5)


def test_slices_prove_an_orientation_impossible_for_seven_joints(monkeypatch):
    shell = reach.find_shell(PANDA, PANDA.home[:3, 3], 7)
    target = at(shell.center + [0.75 * shell.outer, 0, 0], INWARD, of=PANDA.home)
    result = pose_ik.solve(PANDA, target)
    found = result.explain()
    assert [(cause.name, cause.proven) for cause in found] == [(reach.ORIENTATION, True)]
    assert "slices of joint 7 contain no solution. The point alone can be reached." in found[0].sentence
    assert not found.not_judged
    # slices without limits that exclude nothing
    monkeypatch.setattr(reach, "search_slices", lambda *arguments: Slices(6, 9, False))
    found = result.explain()
    assert [(cause.name, cause.proven) for cause in found] == [(reach.NOTHING, True)]
    assert "slices of joint 7 contain none within the limits." in found[0].sentence


def test_limits_that_exclude_every_solution_are_named_with_their_joints():
    narrow, target = small(UR10, Q, 0.3), UR10.forward_kinematics(Q + [0.4, 0, 0, 0, 0, 0])
    found = pose_ik.solve(narrow, target).explain()
    assert [cause.name for cause in found] == [reach.LIMITS] and found[0].proven
    assert "8 solutions" in found[0].sentence
    assert "each violates a limit: shoulder pan by 0.1 rad;" in found[0].sentence
    np.testing.assert_allclose(narrow.forward_kinematics(found[0].q), target, atol=1e-9)


def test_slices_prove_that_limits_exclude_every_solution_for_seven_joints():
    q = np.array([0.2, 0.5, 0.3, -1.5, 0.4, 1.6, 0.1])
    narrow = small(PANDA, q, 0.05)
    for by, proven in ((0.0499, False), (0.3, True)):
        target = PANDA.forward_kinematics(q + [0.0, by, 0, 0, 0, 0, 0])
        found = pose_ik.solve(narrow, target, q, starts=ONCE, stop=pose_ik.Stop(max_iterations=1)).explain()
        assert ((reach.LIMITS, True) in [(cause.name, cause.proven) for cause in found]) is proven
        assert proven is not bool(found.not_judged)
    assert "slices of joint 7 every solution violates a limit" in found[0].sentence


def test_a_target_out_of_the_plane_of_a_planar_arm_is_explained():
    arm = robots.planar_2r()
    lifted = arm.forward_kinematics([0.3, 0.4])
    lifted[2, 3] = 0.1
    tilted = lifted.copy()
    tilted[:3, :3] = exp_so3([0.2, 0, 0]) @ tilted[:3, :3]
    assert "100 mm off it" in pose_ik.solve(arm, lifted).explain()[0].sentence
    found = pose_ik.solve(arm, tilted).explain()
    assert found[0].name == reach.PLANE and found[0].proven
    assert "tilted out of it by 11.5°" in found[0].sentence and "100 mm" in found[0].sentence


def test_a_singular_start_is_explained_by_its_lost_direction():
    arm, inward = robots.planar_2r(), at([1.2, 0, 0], of=np.eye(4))
    result = pose_ik.solve(arm, inward, q0=[0, 0], goal=pose_ik.position_only(), starts=ONCE)
    found = result.explain()
    assert [cause.name for cause in found] == [REST]
    assert "cannot move along (1, 0, 0)" in found[0].sentence or "cannot move along (-1, 0, 0)" in found[0].sentence
    start = np.array(found[0].remedy.split("(")[1].split(")")[0].split(","), dtype=float)
    assert pose_ik.solve(arm, inward, q0=start, goal=pose_ik.position_only(), starts=ONCE).converged


@pytest.mark.parametrize("arm", [robots.planar_2r().with_limits(position=[(-1.0, 1.0), (-2.5, 2.5)]), PANDA])
def test_a_local_minimum_is_reported_with_curvature_and_a_successful_start(arm):
    rng, seen, goal = np.random.default_rng(5), 0, None if arm is PANDA else pose_ik.position_only()
    for _ in range(60):
        target = arm.forward_kinematics(arm.random_configuration(rng))
        options = {"goal": goal, "starts": pose_ik.Near(500), "stop": pose_ik.Stop(max_iterations=400)}
        result = pose_ik.solve(arm, target, q0=arm.random_configuration(rng), **options)
        if result.status is not pose_ik.Status.LOCAL_MINIMUM:
            continue
        found = result.explain()
        assert [cause.name for cause in found] == [causes.MINIMUM], str(found)
        assert "at a limit" in found[0].sentence or "least curvature" in found[0].sentence
        assert found[0].remedy.endswith("succeeds.")
        seen += 1
    assert seen > 3


def test_an_unfinished_search_reports_the_steps_that_are_left():
    result = pose_ik.solve(UR10, T, q0=Q + 0.3, starts=ONCE, stop=pose_ik.Stop(max_iterations=2))
    found = result.explain()
    assert [cause.name for cause in found] == [causes.BUDGET] and found[0].proven
    more = int(found[0].sentence.split()[0])
    again = pose_ik.Stop(max_iterations=2 + more)
    assert pose_ik.solve(UR10, T, q0=Q + 0.3, starts=ONCE, stop=again).converged
    few = pose_ik.Stop(max_iterations=1 + more)
    assert not pose_ik.solve(UR10, T, q0=Q + 0.3, starts=ONCE, stop=few).converged


def test_a_tolerance_below_rounding_is_reported_with_the_bound():
    stop, seen = pose_ik.Stop(orientation=1e-15, position=2e-15), 0
    rng = np.random.default_rng(6)
    for _ in range(40):
        q = UR10.random_configuration(rng)
        result = pose_ik.solve(UR10, UR10.forward_kinematics(q), q0=q + 0.01, starts=ONCE, stop=stop)
        if not result.converged:
            found = result.explain()
            assert found[0].name == causes.TOLERANCE, str(found)
            within = re.match(r"an exact solution is within (\S+) of q, and rounding may add", found[0].sentence)
            assert float(within[1]) >= pose_ik.certificate(UR10, UR10.forward_kinematics(q), found[0].q).radius
            seen += 1
    assert seen > 0


def test_a_start_that_leads_outside_is_distinguished_from_limits_that_exclude():
    rng, seen = np.random.default_rng(0), 0
    for _ in range(30):
        target = PANDA.forward_kinematics(PANDA.random_configuration(rng))
        result = pose_ik.solve(PANDA, target, q0=PANDA.random_configuration(rng), starts=ONCE)
        if result.status is pose_ik.Status.OUTSIDE_LIMITS:
            assert names(result) == [reach.OUTSIDE]
            fields = ("q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error")
            row = pose_ik.BatchResult(*(np.array([getattr(result, name)]) for name in fields))[0]
            assert not len(pose_ik.explain(PANDA, target, row)), "a row of a long batch does not contain its start"
            seen += 1
    assert seen > 2


MISTAKES = {
    "millimetres for metres": at(1000 * T[:3, 3]),
    "the rotation transposed": at(T[:3, 3], T[:3, :3].T),
    "the inverse pose, T_ds for T_sd": inverse(T),
    "a twist with (v, ω) for (ω, v)": exp_se3(np.roll(log_se3(T), 3)),
    "a pose seen from the tip at zero, T_bd for T_sd": inverse(UR10.home) @ T,
    "a pose of the base as the tip at zero sees it": T @ inverse(UR10.home),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_target_is_named_if_the_corrected_one_is_solved(mistake):
    result = pose_ik.solve(small(UR10, Q), MISTAKES[mistake])
    assert not result.converged
    found = [cause for cause in result.explain() if cause.name == mistake]
    assert len(found) == 1 and not found[0].proven
    assert np.abs(UR10.forward_kinematics(found[0].q) - T).max() < 1e-5


@pytest.mark.parametrize(("unit", "size"), [("m", 1.0), ("mm", 1000.0), (None, 1000.0), (None, 1.0)])
def test_lengths_are_reported_in_the_unit_of_the_robot(unit, size):
    rows = np.array(robots.UR10_DH) * [size, 1.0, size]
    arm = robots.from_dh(rows, length_unit=unit)
    shell = reach.find_shell(arm, arm.home[:3, 3], 6)
    (found,) = pose_ik.solve(arm, at(shell.center + [shell.outer + 0.48 * size, 0, 0])).explain()
    words = {"m": "480 mm", "mm": "480 mm", None: f"{0.48 * size:.4g} length units"}[unit]
    assert found.sentence.endswith(f", a difference of {words}.")
    assert f"allow at most {shell.outer:.4g} {unit or 'length units'}" in found.sentence
    assert unit == "m" or " m " not in found.sentence


@pytest.mark.parametrize(("ratio", "name"), [(1000.0, "millimetres"), (100.0, "centimetres"), (1 / 0.0254, "inches")])
def test_another_unit_of_length_is_named(ratio, name):
    point = T[:3, 3] * 1.1 / np.linalg.norm(T[:3, 3])
    (suspected,) = [cause for cause in pose_ik.solve(UR10, at(point * ratio)).explain() if not cause.proven]
    assert f"{name} for metres" in suspected.name.split(" or ")


@pytest.mark.parametrize("degrees", [(37.5,), (-200.25,), (20.5, -30.0, 110.25), (0.0, 45.0, 90.0)])
def test_angles_in_degrees_are_named_if_they_are_round_numbers(degrees):
    def rotation_about_axes(angles):
        x, y, z = angles if len(angles) == 3 else (0.0, 0.0, angles[0])
        return exp_so3([0, 0, z]) @ exp_so3([0, y, 0]) @ exp_so3([x, 0, 0])

    intended = at(T[:3, 3], rotation_about_axes(np.radians(degrees)))
    arm = small(UR10, pose_ik.solve(UR10, intended).q)
    result = pose_ik.solve(arm, at(T[:3, 3], rotation_about_axes(degrees)))
    suspected = [cause for cause in result.explain() if not cause.proven]
    assert suspected and all(cause.name.startswith("degrees for radians, ") for cause in suspected)
    assert all(f"{angle:g}°" in suspected[-1].name for angle in degrees)


def test_a_pose_in_the_frame_of_the_base_or_of_the_flange_is_named():
    base, tool = exp_se3([0.3, 0.2, 1.0, 0.5, -2.0, 0.1]), exp_se3([0.0, 0.4, 0.0, 0.1, 0.0, 0.3])
    plain = robots.planar_2r()
    for arm in (plain.on_base(base), plain.with_tool(tool)):
        suspected = names(pose_ik.solve(arm, plain.forward_kinematics([0.4, 0.9])))
        expected = "the frame of the arm's own base" if arm.tool is None else "of the flange instead of the tool"
        assert len([name for name in suspected if expected in name]) == 1


@pytest.mark.parametrize("arm", [UR10, PANDA], ids=lambda arm: arm.name)
def test_a_correction_often_solved_by_chance_is_not_named(arm):
    rng, mentioned = np.random.default_rng(3), 0
    for _ in range(8):
        shell = reach.find_shell(arm, arm.home[:3, 3], arm.dof)
        offset = exp_so3(rng.normal(size=3)) @ [shell.outer * rng.uniform(0.8, 1.6), 0, 0]
        result = pose_ik.solve(arm, at(shell.center + offset, exp_so3(rng.normal(size=3) * 2)))
        if not result.converged:
            found = result.explain()
            assert all(cause.proven or cause.name in (reach.POINT, reach.LIMITS) for cause in found), str(found)
            mentioned += any("similar targets" in words for words in found.not_judged)
    assert mentioned


def test_every_goal_of_a_position_is_explained_or_lists_open_questions():
    for goal in (pose_ik.position_only(), pose_ik.pointing((0, 0, 1)), pose_ik.pose((1, 1, 1, 2, 2, 2))):
        found = pose_ik.solve(UR10, at([3.0, 0, 0]), q0=Q, goal=goal).explain()
        assert found[0].name == reach.POINT
        assert bool(found.not_judged) == (0.0 in goal.weights)


def test_a_row_of_a_batch_and_a_pickled_result_are_explained_by_the_function():
    far = at([3.0, 0, 0])
    row = pose_ik.solve_batch(UR10, [T, far])[1]
    with pytest.raises(ParameterError, match="pose_ik.explain"):
        row.explain()
    assert pose_ik.explain(UR10, far, row)[0].name == reach.POINT
    with pytest.raises(ParameterError, match="pose_ik.explain"):
        pickle.loads(pickle.dumps(pose_ik.solve(UR10, far))).explain()
    with pytest.raises(ParameterError, match="ndarray"):
        pose_ik.explain(UR10, far, row.q)


def test_an_obstacle_is_named_with_its_clearance():
    tip = T[:3, 3]
    scene = collisions.Scene(UR10, collisions.fitted_links(UR10, 0.05), [collisions.sphere(tip, 0.1, "ball")])
    found = pose_ik.solve(UR10, T, free_of=scene).explain()
    assert len(found) == 1 and found[0].name == "something is in the way"
    clearance = float(found[0].sentence.split("clearance is ")[1].split(" mm")[0])
    most = max(scene.clearance(q) for q in pose_ik.all_solutions(UR10, T).q)
    assert "ball" in found[0].sentence and clearance == float(f"{1000 * most:.3g}")
    assert found[0].proven, "all solutions of this arm are known, and each touches"


FREE = UR10.with_limits(position=np.tile([-np.inf, np.inf], (6, 1)))
SOON = {"starts": ONCE, "stop": pose_ik.Stop(max_iterations=6)}


@pytest.mark.parametrize("decimals", [0, 9], ids=["whole degrees", "any degrees"])
def test_a_start_in_degrees_is_a_likely_mistake(decimals):
    start = np.round(np.degrees(Q) + [3.0, -2.0, 4.0, 1.0, -3.0, 2.0] + 1e-3 * np.pi, decimals)
    result = pose_ik.solve(FREE, T, start, **SOON)
    assert not result.converged
    (found,) = [cause for cause in result.explain() if cause.is_mistake]
    assert found.name == likely_mistakes.START and "(likely mistake)" in str(found)
    assert np.abs(FREE.forward_kinematics(found.q) - T).max() < 1e-5


def test_limits_in_degrees_are_a_likely_mistake_only_if_they_explain_the_failure():
    with pytest.warns(UserWarning, match="degrees"):
        arm = small(UR10, np.degrees(Q), np.degrees(0.02))
    assert likely_mistakes.RANGES in names(pose_ik.solve(arm, T))
    assert likely_mistakes.RANGES not in names(pose_ik.solve(arm, at([3.0, 0.0, 0.0])))


def test_a_corrected_target_near_the_tip_at_q0_supports_a_mistake():
    q0, swapped = Q + 0.05, exp_se3(np.roll(log_se3(T), 3))
    (found,) = [cause for cause in pose_ik.solve(UR10, swapped, q0).explain() if cause.is_mistake]
    assert found.name == "a twist with (v, ω) for (ω, v)" and "from the tip at q0" in found.sentence
    for start in (None, -q0):
        assert not [cause for cause in pose_ik.solve(UR10, swapped, start).explain() if cause.is_mistake]
