"""The kernels of the live figures under Node agree with the library: a thousand random cases for each robot."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from node import in_node
from scipy.spatial.transform import Rotation

from lessons_lib import codegen, lie, plots, robots
from lessons_lib.course.adjoint import live as two_frames
from lessons_lib.course.floating_base import standing
from lessons_lib.course.live import (
    BallFigure,
    ColumnsFigure,
    ElbowFigure,
    LogarithmFigure,
    ScrewFigure,
    TwoFramesFigure,
)
from lessons_lib.course.live.arm_kernel import arm_kernel
from lessons_lib.course.live.link_shapes import skeleton_of
from lessons_lib.course.live.tree_kernel import free_kernels, tree_kernel
from lessons_lib.course.paths import live as path
from lessons_lib.course.robot_models import live as model
from lessons_lib.course.singularities import live as singularity
from lessons_lib.course.tasks import two_hands
from lessons_lib.course.twists import live_screw as screw
from lessons_lib.errors import ParameterError
from lessons_lib.plots.twists import pair_motion
from lessons_lib.robots import Chain, Tree
from lessons_lib.trajectories import interpolate

CASES = 1000
TOLERANCE = 1e-12  # the demand; each side rounds some hundred operations on lengths of a metre


def lifted() -> Chain:
    """A chain with a prismatic and a helical joint, unlike the library's robots."""
    screws = [[0, 0, 1, 0, 0, 0.05], [0, 0, 0, 0.6, 0, 0.8], [1, 0, 0, 0, 0.3, 0]]
    home = np.eye(4)
    home[:3, 3] = 0.5, 0.1, 0.4
    return robots.from_screws(np.transpose(screws), home, name="lift")


def far(found: list[dict[str, Any]], name: str, expected: Any) -> float:
    return float(np.abs(np.array([case[name] for case in found]) - np.array(expected)).max())


@pytest.mark.parametrize("make", [robots.planar_2r, robots.planar_3r, robots.ur10, robots.panda, lifted])
def test_the_drawn_arm_agrees_with_the_librarys_kinematics(make: Callable[[], Chain]) -> None:
    chain, rng = make(), np.random.default_rng(15)
    body = skeleton_of(chain)
    q = np.array([np.zeros(chain.dof), *(chain.random_configuration(rng) for _ in range(CASES))])
    found = in_node(codegen.source([arm_kernel(chain)], "javascript"), "arm_kernel", [[case.tolist()] for case in q])
    assert far(found, "T", [chain.forward_kinematics(case) for case in q]) <= TOLERANCE
    assert far(found, "J_s", [chain.space_jacobian(case) for case in q]) <= TOLERANCE
    assert far(found, "J_p", [plots.tip_jacobian(chain, case) for case in q]) <= TOLERANCE
    assert far(found, "points", [body.at(chain, case) for case in q]) <= TOLERANCE


def test_the_numbers_of_solutions_of_the_2r_agree() -> None:
    rng, source = np.random.default_rng(16), ElbowFigure().specification["source"]
    targets, second = rng.uniform(-2.3, 2.3, (CASES, 2)), rng.uniform(0.1, 1.2, CASES)
    targets[:3], second[:3] = [[1.7, 0.0], [-0.3, 0.0], [0.0, 0.0]], [0.7, 0.7, 1.0]  # one solution, on each edge
    cases = [[[float(np.hypot(*target))], [1.0, length]] for target, length in zip(targets, second, strict=True)]
    counted = [case["answers"][0] for case in in_node(source, "answers_kernel", cases)]
    pairs = zip(targets, second, strict=True)
    assert counted == [len(robots.planar_2r_solutions(target, 1.0, length)) for target, length in pairs]
    assert set(counted) == {0, 1, 2}


def test_a_ball_holds_one_of_the_two_solutions_and_the_other_is_outside_both() -> None:
    rng, source = np.random.default_rng(21), BallFigure().specification["source"]
    t = rng.uniform(-np.pi, np.pi, (CASES, 2))
    q = t + rng.uniform(-0.15, 0.15, (CASES, 2)) * np.abs(np.sin(t[:, 1:]))
    told = [case["bounds"] for case in in_node(source, "step_kernel", np.stack([q, t], axis=1).tolist())]
    shown = [k for k, (_, _, h) in enumerate(told) if h <= 0.5]
    sizes = [case["sizes"] for case in in_node(source, "ball_kernel", [[told[k]] for k in shown])]
    mirrored = np.column_stack([t[:, 0] + t[:, 1], -t[:, 1]])  # of equal links: the other elbow
    for k, (radius, alone) in zip(shown, sizes, strict=True):
        ways = np.remainder(np.array([t[k], mirrored[k]]) - q[k] + np.pi, 2.0 * np.pi) - np.pi
        near, other = sorted(np.linalg.norm(ways, axis=1))
        assert near <= radius * (1.0 + 1e-9) and radius <= alone < other
    assert CASES / 4 < len(shown) < CASES


def test_solutions_of_the_2r_return_the_tip_to_its_target() -> None:
    rng, source = np.random.default_rng(17), ElbowFigure().specification["source"]
    q, pair = rng.uniform(-np.pi, np.pi, (CASES, 2)), [1.0, 0.7]
    tips = robots.planar_2r_corners(q, *pair)
    assert far(in_node(source, "corners_kernel", [[case, pair] for case in q.tolist()]), "points", tips) <= TOLERANCE
    targets = tips[:, 2]
    counted = in_node(source, "answers_kernel", [[[r], pair] for r in np.hypot(*targets.T)])
    cases = [
        [target, case["answers"][1:], pair, [sign]]
        for target, case in zip(targets.tolist(), counted, strict=True)
        for sign in (1, -1)[: case["answers"][0]]
    ]
    expected = np.concatenate([robots.planar_2r_solutions(target, *pair) for target in targets])
    assert far(in_node(source, "angles_kernel", cases), "q", expected) <= TOLERANCE


def test_exponentials_and_the_pair_that_is_none() -> None:
    rng = np.random.default_rng(18)
    scales = 10.0 ** rng.uniform(-9, 0.5, CASES)
    xi = np.array([np.zeros(6), *(scale * rng.normal(size=6) for scale in scales)])
    cases = [[case] for case in xi.tolist()]
    source = codegen.source(screw.kernels(), "javascript")
    assert far(in_node(source, "exp_kernel", cases), "T", [lie.exp_se3(case) for case in xi]) <= TOLERANCE
    assert far(in_node(source, "pair_kernel", cases), "T", [pair_motion(case) for case in xi]) <= TOLERANCE


def test_a_screw_agrees_with_the_figure() -> None:
    rng, figure = np.random.default_rng(19), ScrewFigure()
    places = [{c.name: rng.uniform(c.low, c.high) for c in figure.controls[:4]} for _ in range(CASES)]
    cases, expected = [], []
    for place in places:
        for name, value in place.items():
            setattr(figure, name, value)
        cases.append([[place["distance"], *np.radians([place["tilt"], place["climb"], place["angle"]])]])
        expected.append(figure.twist)
    assert far(in_node(figure.specification["source"], "screw_kernel", cases), "xi", expected) <= TOLERANCE


def test_a_twist_is_seen_from_the_second_frame_as_the_figure_tells() -> None:
    rng, figure = np.random.default_rng(20), TwoFramesFigure()
    frames, twists, seen = [], [], []
    source = codegen.source(two_frames.kernels(), "javascript")
    for _ in range(CASES):
        for control in figure.controls[:6]:
            setattr(figure, control.name, rng.uniform(control.low, control.high))
        frames.append([[figure.x, figure.y, *np.radians([figure.turn, figure.lean])]])
        twists.append([[np.radians(figure.tilt), figure.pitch]])
        seen.append((figure.T_sb, figure.V_s, figure.V_b))
    T, V_s, V_b = zip(*seen, strict=True)
    assert far(in_node(source, "frame_kernel", frames), "T", T) <= TOLERANCE
    assert far(in_node(source, "twist_kernel", twists), "V_s", V_s) <= TOLERANCE
    cases = [[pose.tolist(), twist.tolist()] for pose, twist, _ in seen]
    assert far(in_node(source, "seen_kernel", cases), "V_b", V_b) <= TOLERANCE


def test_the_gap_of_two_poses() -> None:
    rng = np.random.default_rng(21)
    poses = np.array([lie.exp_se3(rng.normal(size=6)) for _ in range(2 * CASES)]).reshape(CASES, 2, 4, 4)
    poses[0, 1] = poses[0, 0]
    expected = [
        [np.linalg.norm(A[:3, 3] - B[:3, 3]), np.linalg.norm(lie.log_so3(A[:3, :3].T @ B[:3, :3]))] for A, B in poses
    ]
    found = in_node(codegen.source([model.gap_kernel()], "javascript"), "gap_kernel", poses.tolist())
    assert far(found, "gap", expected) <= TOLERANCE


@pytest.mark.parametrize("make", [two_hands.body, standing.quadruped])
def test_a_tree_has_the_librarys_poses_and_jacobians(make: Callable[[], Tree]) -> None:
    tree, rng = make(), np.random.default_rng(22)
    q = [tree.random_configuration(rng) for _ in range(CASES)]
    floating, ends = tree.free_starts != (), [name for name in tree.frame_names if name.endswith(("foot", "_hand"))]
    bodies = ["trunk"] if floating else []
    kernel = tree_kernel(tree, tree.frame_names, points=ends, bodies=bodies, centre=floating)
    found = in_node(codegen.source([kernel], "javascript"), kernel.name, [[case.tolist()] for case in q])
    states = [tree.state(case) for case in q]
    for frame in tree.frame_names:
        assert far(found, f"T_{frame}", [state.forward_kinematics(frame) for state in states]) <= TOLERANCE
    for frame in ends:
        poses = [(state.forward_kinematics(frame), state.body_jacobian(frame)) for state in states]
        assert far(found, f"J_{frame}", [T[:3, :3] @ J[3:] for T, J in poses]) <= TOLERANCE
    for frame in bodies:
        assert far(found, f"B_{frame}", [state.body_jacobian(frame) for state in states]) <= TOLERANCE
    if floating:
        assert far(found, "centre", [state.centre_of_mass() for state in states]) <= TOLERANCE
        steps = rng.uniform(-1.0, 1.0, (CASES, tree.nv))
        cases = [[case[:7].tolist(), step[:6].tolist()] for case, step in zip(q, steps, strict=True)]
        ahead = in_node(codegen.source(free_kernels(), "javascript"), "free_integral_kernel", cases)
        expected = [tree.integrate(case, step)[:7] for case, step in zip(q, steps, strict=True)]
        positions = [{"ahead": case["ahead"][:3]} for case in ahead]
        assert far(positions, "ahead", [row[:3] for row in expected]) <= TOLERANCE
        along = [abs(np.dot(case["ahead"][3:], row[3:])) for case, row in zip(ahead, expected, strict=True)]
        assert np.abs(np.array(along) - 1.0).max() <= TOLERANCE


def test_a_box_is_rolled_and_its_arrow_found() -> None:
    rng, figure = np.random.default_rng(22), LogarithmFigure()
    source, settings, arrows, rotations = figure.specification["source"], [], [], []
    for k in range(CASES):
        for name in ("turn", "azimuth", "elevation"):
            control = next(one for one in figure.controls if one.name == name)
            setattr(figure, name, rng.uniform(control.low, control.high))
        figure.turn = 180.0 if k == 0 else figure.turn
        settings.append([np.radians([figure.azimuth, figure.elevation, figure.turn]).tolist()])
        arrows.append(figure.arrows[0])
        rotations.append(figure.rotation)
    assert far(in_node(source, "arrow_kernel", settings), "arrow", arrows) <= TOLERANCE
    assert far(in_node(source, "exp_so3_kernel", [[arrow.tolist()] for arrow in arrows]), "R", rotations) <= TOLERANCE
    log = "function log_of(T) { const w = [0, 0, 0]; log_rotation_kernel(matrix(T.flat(), 3, 3), w); return {w}; }"
    cases = [[R.tolist()] for R in rotations]
    assert far(in_node(f"{source}\n{log}", "log_of", cases), "w", [lie.log_so3(R) for R in rotations]) <= TOLERANCE
    rolled = [[R.tolist(), arrow.tolist()] for R, arrow in zip(rotations, arrows[::-1], strict=True)]
    expected = [Rotation.from_rotvec(arrow).as_matrix() @ R for R, arrow in zip(rotations, arrows[::-1], strict=True)]
    assert far(in_node(source, "rolled_kernel", rolled), "rolled", expected) <= TOLERANCE
    lengths = np.array([0.0, 1e-9, *np.linalg.norm(arrows, axis=1), 2 * np.pi])
    least = 2 * np.sin(lengths / 2) / np.maximum(lengths, 1e-300)
    least[0] = 1.0
    left = in_node(source, "across_kernel", [[[length]] for length in lengths])
    assert far(left, "left", least[:, None]) <= TOLERANCE


def test_the_lever_of_an_entry_is_the_shortest_way_between_two_lines() -> None:
    rng, figure = np.random.default_rng(6), ColumnsFigure()
    cases, feet, told = [], [], []
    for _ in range(CASES // 10):
        for control in figure.controls:
            setattr(figure, control.name, rng.uniform(control.low, control.high))
        J = figure.chain.space_jacobian(figure.q)
        for axis, joint in ((axis, joint) for axis in range(3) for joint in range(6)):
            lever = figure.lever(axis, joint)
            if lever.sine > 0.05:  # nearer to parallel, rounding moves the feet
                cases.append([np.eye(3)[axis].tolist(), J[:, joint].tolist()])
                feet.append(lever.feet.ravel())
                told.append([np.sign(J[3 + axis, joint]) * lever.length, lever.sine])
    found = in_node(figure.specification["source"], "lever_kernel", cases)
    assert far(found, "feet", feet) <= 400 * TOLERANCE  # the sine's inverse, squared
    assert far(found, "lever", told) <= 400 * TOLERANCE


def test_the_three_factors_of_the_ur10_make_its_determinant() -> None:
    chain, rng = robots.ur10(), np.random.default_rng(22)
    q = [chain.random_configuration(rng) for _ in range(CASES)]
    found = in_node(singularity.source(), "factor_kernel", [[case.tolist()] for case in q])
    a_2, a_3 = (row[0] for row in robots.UR10_DH[1:3])
    products = [-a_2 * a_3 * np.prod(case["factors"]) for case in found]
    assert np.abs(np.array(products) - np.linalg.det([chain.space_jacobian(case) for case in q])).max() <= TOLERANCE


def test_the_ways_between_two_poses_are_those_of_interpolate() -> None:
    rng, source = np.random.default_rng(23), codegen.source(path.kernels(), "javascript")
    changes = rng.uniform([-1, -1, -1, -3], [1, 1, 1, 3], (CASES, 4))
    begins, parts = [lie.exp_se3(rng.normal(size=6)) for _ in changes], rng.uniform(0, 1, CASES)
    ends = []
    for T_0, change in zip(begins, changes, strict=True):
        T_1 = lie.exp_se3([0, 0, change[3], 0, 0, 0]) @ T_0
        T_1[:3, 3] = T_0[:3, 3] + change[:3]
        ends.append(T_1)
    told = [[T_0.tolist(), change.tolist()] for T_0, change in zip(begins, changes, strict=True)]
    assert far(in_node(source, "end_kernel", told), "T_1", ends) <= TOLERANCE
    pairs = [
        (T_0, T_1, s, lie.log_se3(lie.inverse(T_0) @ T_1)) for T_0, T_1, s in zip(begins, ends, parts, strict=True)
    ]
    expected = {how: [interpolate(T_0, T_1, s, how) for T_0, T_1, s, _ in pairs] for how in ("screw", "decoupled")}
    cases = [[T_0.tolist(), xi.tolist(), [s]] for T_0, _, s, xi in pairs]
    assert far(in_node(source, "screw_kernel", cases), "T", expected["screw"]) <= TOLERANCE
    cases = [[T_0, xi, change[:3].tolist(), s] for (T_0, xi, s), change in zip(cases, changes, strict=True)]
    assert far(in_node(source, "straight_kernel", cases), "T", expected["decoupled"]) <= TOLERANCE


def test_a_base_in_the_plane_is_no_robot_of_a_page() -> None:
    tree = robots.load_urdf(robots.urdf_file("planar_2r"), planar_base=True)
    with pytest.raises(ParameterError, match="must be fixed or floating, got a planar one"):
        tree_kernel(tree, tree.frame_names)
