"""The kernels of the live figures under Node agree with the library."""

import numpy as np
import pytest
from node import in_front, in_node

from lessons_lib import codegen, lie, plots, robots
from lessons_lib.codegen import js_plain
from lessons_lib.course import joints_on_line
from lessons_lib.course.branches.live import LOCKED, script
from lessons_lib.course.floating_base import standing
from lessons_lib.course.live import BranchesFigure, TimingFigure
from lessons_lib.course.live.arm_kernel import arm_kernel
from lessons_lib.course.live.link_shapes import skeleton_of
from lessons_lib.course.live.singular_values import singular_values
from lessons_lib.course.live.tree_kernel import free_kernels, tree_kernel
from lessons_lib.course.redundancy.live import READY, SwingFigure
from lessons_lib.course.tasks import two_hands
from lessons_lib.errors import ParameterError

CASES = 300
TOLERANCE = 1e-12  # the demand; each side rounds some hundred operations on lengths of a metre


def helical_chain():
    """A chain with a prismatic and a helical joint, unlike the library's robots."""
    screws = [[0, 0, 1, 0, 0, 0.05], [0, 0, 0, 0.6, 0, 0.8], [1, 0, 0, 0, 0.3, 0]]
    home = lie.pose(np.eye(3), (0.5, 0.1, 0.4))
    return robots.from_screws(np.transpose(screws), home, name="lift")


def far(found, name, expected):
    return float(np.abs(np.array([case[name] for case in found]) - np.array(expected)).max())


@pytest.mark.parametrize("make", [robots.planar_2r, robots.planar_3r, robots.ur10, robots.panda, helical_chain])
def test_the_drawn_arm_agrees_with_the_librarys_kinematics(make):
    chain, rng = make(), np.random.default_rng(15)
    body = skeleton_of(chain)
    q = np.array([np.zeros(chain.dof), *(chain.random_configuration(rng) for _ in range(CASES))])
    found = in_node(codegen.source([arm_kernel(chain)], "javascript"), "arm_kernel", [[case.tolist()] for case in q])
    assert far(found, "T", [chain.forward_kinematics(case) for case in q]) <= TOLERANCE
    assert far(found, "J_s", [chain.space_jacobian(case) for case in q]) <= TOLERANCE
    assert far(found, "J_p", [plots.tip_jacobian(chain, case) for case in q]) <= TOLERANCE
    assert far(found, "points", [body.at(chain, case) for case in q]) <= TOLERANCE


@pytest.mark.parametrize("make", [two_hands.body, standing.quadruped])
def test_a_tree_has_the_librarys_poses_and_jacobians(make):
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


def test_a_base_in_the_plane_is_no_robot_of_a_page():
    tree = robots.load_urdf(robots.urdf_file("planar_2r"), planar_base=True)
    with pytest.raises(ParameterError, match="must be fixed or floating, got a planar one"):
        tree_kernel(tree, tree.frame_names)


DECOMPOSED = """
import { loadKernels } from "front/kernels";
import { nullSpace, svd } from "front/svd";
const kernels = loadKernels(told.source);
return { ...svd(kernels, told.J), free: nullSpace(kernels, told.J) };
"""
J = np.array([[0.3, -1.2, 0.5, 2.0], [1.1, 0.4, -0.7, 0.1], [-0.2, 0.9, 1.6, -0.8]])
MATRICES = {
    "wide": J,
    "dependent rows": np.array([J[0], J[1], 2.0 * J[0] - J[1]]),
    "one column": np.array([[3.0], [4.0], [0.0]]),
    "equal rows": np.array([J[0], J[0]]),
    "six by seven": np.random.default_rng(1).normal(size=(6, 7)),
}


@pytest.mark.parametrize("name", MATRICES)
def test_the_page_decomposes_a_matrix_as_numpy_does(name):
    matrix = MATRICES[name]
    found = in_front(DECOMPOSED, {"source": js_plain.source([singular_values()]), "J": matrix.tolist()})
    sigma, u, y, free = (np.array(found[key]) for key in ("sigma", "u", "y", "free"))
    expected = np.zeros(len(matrix))
    values = np.linalg.svd(matrix, compute_uv=False)
    expected[: len(values)] = values
    np.testing.assert_allclose(sigma, expected, atol=1e-14)
    np.testing.assert_allclose(u @ u.T, np.eye(len(matrix)), atol=1e-14)
    np.testing.assert_allclose((u.T * sigma) @ y, matrix, atol=1e-14)
    rank = int((values > 1e-12).sum())
    assert len(free) == matrix.shape[1] - rank
    np.testing.assert_allclose(matrix @ np.reshape(free, (-1, matrix.shape[1])).T, 0.0, atol=1e-13)


ON_THE_LINE = """
import { loadKernels } from "front/kernels";
const kernels = loadKernels(told.source);
return told.cases.map((inputs) => kernels.motion_kernel(...inputs));
"""
SPEED, ACCELERATION = 2.0, 6.0


def test_the_page_moves_the_joints_as_python_does_and_its_borders_are_limits():
    low, high = [-1.2, 0.05, 0, -9], [1.2, 1.0, 6, 9]
    drawn = np.random.default_rng(22).uniform(low, high, (300, 4))
    cases = [[[s], [d], [x, u]] for s, d, x, u in drawn.tolist()]
    found = in_front(ON_THE_LINE, {"source": TimingFigure().specification["source"], "cases": cases})
    for ((s,), (d,), (x, u)), page in zip(cases, found, strict=True):
        q, first, second = (row[0] for row in joints_on_line([s], d))
        np.testing.assert_allclose(page["q"], q, atol=1e-12)
        np.testing.assert_allclose(page["rates"], first * np.sqrt(x), atol=1e-9)
        np.testing.assert_allclose(page["accelerations"], first * u + second * x, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(page["corners"][1], [s, d], atol=1e-12)
        np.testing.assert_allclose(robots.planar_2r().forward_kinematics(q)[:2, 3], [s, d], atol=1e-12)
        *slow, both = page["ceilings"]
        np.testing.assert_allclose(slow * np.abs(first), SPEED, rtol=1e-12)
        ends = [(sign * ACCELERATION - second * both**2) / first for sign in (1, -1)]  # of s̈, for each joint
        gap = np.min(np.maximum(*ends)) - np.max(np.minimum(*ends))
        assert abs(gap) < 1e-9 * np.abs(ends).max()  # the two intervals touch


ANSWERS = """
function answers(T, closed, free) {
  const [Q, codes] = [new Float64Array(48), new Float64Array(13)];
  const {kind, backwards, signs, length} = closed;
  const rows = (A) => ({at: Float64Array.from(A.flat()), rows: A.length, columns: A[0].length});
  const [pose, back, K, limits] = [T, closed.back, closed.constants, closed.limits].map(rows);
  const found = {at: Q, rows: 8, columns: 6};
  const count = solve_closed_form(pose, back, kind, backwards, K, signs, limits, length, free, 0, found, codes);
  const kept = Array.from({length: count}, (_, i) => [...Q.subarray(6 * i, 6 * i + 6)]);
  return {q: kept, codes: [...codes.subarray(1, 1 + count)], up: kept.map((q) => elbow_kernel(q).up[0])};
}
"""


def in_page(figure, targets, free=0.0):
    closed = figure._specification["data"]["closed"]
    return in_node(script() + ANSWERS, "answers", [[T.tolist(), closed, free] for T in targets])


def test_the_slider_walks_a_family_while_the_tip_stays():
    figure = BranchesFigure(locked=True)
    assert figure.facts["count"] == 4 and figure.facts["families"] == 2
    walked = [in_page(figure, [figure.target], free)[0] for free in (-2.0, 0.5, 1.7)]
    for found in walked:
        free = [q for q, code in zip(found["q"], found["codes"], strict=True) if code & 56]
        assert len(found["q"]) == 6 and len(free) == 2
        poses = [figure.chain.forward_kinematics(q) for q in found["q"]]
        assert np.abs(np.array(poses) - figure.chain.forward_kinematics(LOCKED)).max() < 1e-12
    moves = np.ptp([found["q"][0] for found in walked], axis=0)
    assert (moves[[1, 2, 3, 5]] > 0.1).all() and moves[[0, 4]].max() < 1e-12


def test_the_distance_of_solutions_ignores_whole_revolutions():
    """Compared with the angle of e^{i(a − b)}, by NumPy."""
    pairs = np.random.default_rng(4).uniform(-9, 9, (50, 2, 6))
    program = 'import { apart } from "course/branches/view";\nreturn told.map(([a, b]) => apart(a, b));'
    expected = np.linalg.norm(np.angle(np.exp(1j * (pairs[:, 0] - pairs[:, 1]))), axis=1)
    np.testing.assert_allclose(in_front(program, pairs.tolist()), expected, rtol=1e-12)


def test_the_page_finds_the_postures_of_python():
    figure = SwingFigure()
    program = """
    import { loadKernels } from "front/kernels";
    import { Swing } from "course/redundancy/swing_model";
    const swing = new Swing(loadKernels(told.source), "panda", told.ready);
    return swing.follow(told.ready, 150, 3).map(({ q, twist }) => [q, twist]);
    """
    found = in_front(program, {"source": figure.specification["source"], "ready": READY})
    for angle, (q, twist) in zip(np.arange(-150.0, 151.0, 3.0), found, strict=True):
        figure.swing = float(angle)
        np.testing.assert_allclose(q, figure.q, rtol=0, atol=1e-9)
        assert np.abs(twist).max() <= 1e-12
    assert np.degrees(robots.arm_angle(figure.chain, figure.q)) == pytest.approx(150.0, abs=1e-9)
