"""Trees as values: every kind of joint, the configuration space and its tangent, and what they refuse."""

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from urdf_texts import EVERY_KIND, LIMIT, TWO_LINKS, joint, link, robot, written

from lessons_lib import lie, robots
from lessons_lib.errors import ConfigurationError, FrameNotFound, ParameterError
from lessons_lib.robots import Tree

inf, pi = np.inf, np.pi


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return robots.load_urdf(written(tmp_path_factory.mktemp("every"), EVERY_KIND))


@pytest.fixture(scope="module")
def dog() -> Tree:
    return robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)


def differences(tree: Tree, q: np.ndarray, pose: Any) -> np.ndarray:
    """Return a body Jacobian by central differences along the tangent."""
    h, columns = 1e-5, []
    for direction in np.eye(tree.nv):
        there, back = pose(tree.integrate(q, h * direction)), pose(tree.integrate(q, -h * direction))
        columns.append(lie.log_se3(lie.inverse(back) @ there) / (2 * h))
    return np.column_stack(columns)


def test_coordinates_are_named_in_order(every: Tree) -> None:
    assert every.joint_names == ("float", "plane", "turn", "slide")
    assert every.frame_names == ("a", "b", "c", "d", "e", "f", "g", "h", "i")
    free = tuple(f"float.{part}" for part in ("x", "y", "z", "qx", "qy", "qz", "qw"))
    assert every.q_names == (*free, "plane.x", "plane.y", "plane.angle", "turn", "slide")
    rates = tuple(f"float.{part}" for part in ("wx", "wy", "wz", "vx", "vy", "vz"))
    assert every.v_names == (*rates, "plane.x", "plane.y", "plane.angle", "turn", "slide")
    assert (every.nq, every.nv) == (12, 11)
    assert_array_equal(every.q_of_v, [-1] * 6 + [7, 8, 9, 10, 11])
    places = [every.joint_place(name) for name in every.joint_names]
    assert [every.q_names[in_q] for in_q, _ in places] == [free, every.q_names[7:10], ("turn",), ("slide",)]
    assert [every.v_names[in_v] for _, in_v in places] == [rates, every.v_names[6:9], ("turn",), ("slide",)]
    assert repr(every) == "Tree('r', nq=12, nv=11, 9 frames)"


def test_limits_and_neutral_configuration(every: Tree) -> None:
    assert_array_equal(every.q0, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    assert_array_equal(every.lower, [-inf] * 11 + [-1])
    assert_array_equal(every.upper, [inf] * 11 + [2])
    assert_array_equal(every.velocity_limits, [inf] * 10 + [3])
    assert_array_equal(np.flatnonzero(every.is_angle), [9, 10])  # a slide that mimics an angle makes no slide of it


def test_masses_of_links_and_of_what_moves(every: Tree) -> None:
    assert_array_equal(every.link_masses, [9, 1, 2, 0.5, 0.7, 0.3, 0.2, 0, 0])
    assert_array_equal(every.link_centres[1], [0.1, 0.2, 0.3])
    assert every.mass == pytest.approx(4.7)  # link a stands still


@pytest.mark.parametrize("seed", range(5))
def test_jacobians_are_the_derivatives_of_poses(every: Tree, seed: int) -> None:
    q = every.random_configuration(np.random.default_rng(seed))
    for name in every.frame_names:
        numeric = differences(every, q, lambda q, name=name: every.forward_kinematics(q, name))
        # central differences: h² of curvature is 1e-10, rounding over h is 1e-11
        assert_allclose(every.body_jacobian(q, name), numeric, atol=1e-8)


def test_a_planar_joint_stays_in_the_plane_of_its_axis(every: Tree) -> None:
    axis, seat = np.array([1.0, 2.0, -2.0]) / 3.0, every.forward_kinematics(every.q0, "c")
    for x, y, angle in np.random.default_rng(4).normal(size=(5, 3)):
        q = every.q0.copy()
        q[7:10] = x, y, angle
        moved = lie.inverse(seat) @ every.forward_kinematics(q, "c")
        assert moved[:3, 3] @ axis == pytest.approx(0.0, abs=1e-15)
        assert np.linalg.norm(moved[:3, 3]) == pytest.approx(np.hypot(x, y))
        assert_allclose(lie.log_so3(moved[:3, :3]), angle * axis, atol=1e-14)


def test_a_planar_joint_about_z_moves_along_x_and_y(tmp_path: Path) -> None:
    text = robot(TWO_LINKS + joint('<axis xyz="0 0 1"/>', kind="planar", limit=""))
    tree = robots.load_urdf(written(tmp_path, text))
    expected = lie.exp_se3([0, 0, 0.5, 0, 0, 0])
    expected[:2, 3] = 0.3, -0.4
    assert_allclose(tree.forward_kinematics([0.3, -0.4, 0.5], "b"), expected, atol=1e-16)


def test_mimics_may_be_free(tmp_path: Path) -> None:
    tree = robots.load_urdf(written(tmp_path, EVERY_KIND), mimic=False)
    assert tree.joint_names == ("float", "plane", "turn", "slide", "echo", "echo of echo", "stuck")


def test_joints_that_are_locked_stand_with_what_mimics_them(every: Tree, tmp_path: Path) -> None:
    held = robots.load_urdf(written(tmp_path, EVERY_KIND), locked={"turn": 0.7, "slide": -0.5})
    assert held.joint_names == ("float", "plane")
    q = every.random_configuration(np.random.default_rng(3))
    q[10:] = 0.7, -0.5
    for name in every.frame_names:
        assert_allclose(held.forward_kinematics(q[:10], name), every.forward_kinematics(q, name), atol=1e-14)
    with pytest.raises(ParameterError, match="no joint 'plane' that turns or slides"):
        robots.load_urdf(written(tmp_path, EVERY_KIND), locked=["plane"])


def test_a_floating_base_is_a_free_root() -> None:
    fixed = robots.load_urdf(robots.urdf_file("two_arms"))
    free = robots.load_urdf(robots.urdf_file("two_arms"), floating_base=True)
    assert free.joint_names == ("root_joint", *fixed.joint_names)
    assert (free.nq, free.nv) == (fixed.nq + 7, fixed.nv + 6)
    assert free.mass == pytest.approx(fixed.mass + 20.0)  # the pedestal moves now
    rng = np.random.default_rng(2)
    q = free.random_configuration(rng)
    base, hand = free.forward_kinematics(q, "pedestal"), free.forward_kinematics(q, "left_hand")
    assert_allclose(base @ fixed.forward_kinematics(q[7:], "left_hand"), hand, atol=1e-15)
    assert_allclose(base[:3, 3], q[:3])
    assert_allclose(free.body_jacobian(q, "pedestal"), np.eye(6, free.nv), atol=2e-15)  # a few roundings


class TestManifold:
    def test_the_quaternion_stays_on_its_side(self, dog: Tree) -> None:
        q, v = dog.q0.copy(), np.zeros(dog.nv)
        for turn in (3.0, 4.0, 6.0, 7.0):
            v[0] = turn
            assert dog.integrate(q, v)[3:7] @ q[3:7] >= 0.0

    def test_a_hundred_thousand_steps_keep_the_quaternion_at_length_one(self, dog: Tree) -> None:
        loops, ahead = robots.tree_kernels.module(), dog.q0.copy()
        v = 0.1 * np.random.default_rng(0).normal(size=dog.nv)
        for _ in range(100_000):
            loops.integrate(dog.q_of_v, ahead.copy(), v, ahead)
        assert np.linalg.norm(ahead[3:7]) == pytest.approx(1.0, abs=1e-15)

    @pytest.mark.parametrize(
        ("start", "end", "way"),
        [(0, 1, 1), (0, 4, 4 - 2 * pi), (3, -3, 2 * pi - 6), (0, 2 * pi, 0), (0.5, 100.5, None)],
    )
    def test_a_continuous_joint_goes_the_short_way(self, every: Tree, start: float, end: float, way: Any) -> None:
        q_0, q_1 = every.q0.copy(), every.q0.copy()
        q_0[10], q_1[10] = start, end
        found = every.difference(q_0, q_1)[9]
        assert -pi <= found < pi
        assert found == pytest.approx((end - start + pi) % (2 * pi) - pi if way is None else way, abs=1e-13)
        assert every.integrate(q_0, 7.0 * np.eye(11)[9])[10] == start + 7.0  # the angle itself is not wrapped

    def test_a_limited_joint_goes_all_the_way(self) -> None:
        arm = robots.load_urdf(robots.urdf_file("ur10"))
        assert_array_equal(arm.difference(np.full(6, -6.0), np.full(6, 6.0)), np.full(6, 12.0))


class TestRandomConfigurations:
    def test_they_fill_the_limits_and_can_be_repeated(self, every: Tree) -> None:
        rng = np.random.default_rng(3)
        drawn = np.array([every.random_configuration(rng) for _ in range(2000)])
        lengths = np.linalg.norm(drawn[:, 3:7], axis=1)
        assert_allclose(lengths, 1.0, atol=1e-15)
        low = np.array([-1, -1, -1, -1, -1, -1, -1, -1, -1, -pi, -pi, -1])
        high = np.array([1, 1, 1, 1, 1, 1, 1, 1, 1, pi, pi, 2])
        assert (drawn >= low).all()
        assert (drawn <= high).all()
        # of 2,000 draws the extremes come within 1 % of the ends but for a chance of 2e-9, a quaternion's within 5 %
        assert_allclose(drawn.min(axis=0), low, atol=0.07)
        assert_allclose(drawn.max(axis=0), high, atol=0.07)
        assert_array_equal(drawn[0], every.random_configuration(np.random.default_rng(3)))

    def test_rotations_are_uniform(self, dog: Tree) -> None:
        rng = np.random.default_rng(4)
        quaternions = np.array([dog.random_configuration(rng)[3:7] for _ in range(4000)])
        # the mean of q qᵀ is I/4; its entries have a standard deviation below 0.18/√4000 = 0.003
        assert_allclose(quaternions.T @ quaternions / 4000, np.eye(4) / 4, atol=0.015)

    def test_they_need_a_generator(self, dog: Tree) -> None:
        with pytest.raises(ParameterError, match="rng is 5; it is a generator"):
            dog.random_configuration(5)  # type: ignore[arg-type]


class TestRefusals:
    @pytest.mark.parametrize(
        ("q", "words"),
        [
            ([0.0], r"q of quadruped must have shape \(19,\), got \(1,\)"),
            (np.zeros((19, 1)), r"got \(19, 1\)"),
            (["a"] * 19, "q of quadruped must be 19 numbers"),
            ([np.nan] * 19, "q of quadruped must be finite"),
            ([0.0] * 19, r"q\[3:7\] of quadruped is a quaternion of length 0; it must be 1"),
            ([0.0] * 6 + [1.00001] + [0.0] * 12, "of length 1.00001; it must be 1"),
        ],
    )
    @pytest.mark.parametrize("method", ["check_configuration", "state", "centre_of_mass", "centre_of_mass_jacobian"])
    def test_a_bad_configuration(self, dog: Tree, method: str, q: Any, words: str) -> None:
        with pytest.raises(ConfigurationError, match=words):
            getattr(dog, method)(q)

    @pytest.mark.parametrize("v", [np.zeros(19), [np.inf] * 18, None, "v"])
    def test_a_bad_tangent(self, dog: Tree, v: Any) -> None:
        with pytest.raises(ConfigurationError, match=r"v of quadruped must (be 18 numbers|have shape|be finite)"):
            dog.integrate(dog.q0, v)

    def test_an_unknown_frame_names_the_near_ones(self, dog: Tree) -> None:
        with pytest.raises(
            FrameNotFound, match="quadruped has no frame 'front_left_toe'; did you mean 'front_left_foot' or"
        ) as error:
            dog.forward_kinematics(dog.q0, "front_left_toe")
        assert error.value.name == "front_left_toe"
        assert error.value.available == dog.frame_names
        assert isinstance(error.value, KeyError)
        assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)

    def test_an_unknown_frame_like_no_other_lists_what_there_is(self, dog: Tree) -> None:
        with pytest.raises(FrameNotFound, match=r"no frame 'Q'; it has 'trunk', 'front_left_hip', .* … \(17 in all\)"):
            dog.body_jacobian(dog.q0, "Q")

    @pytest.mark.parametrize("frame", [None, 3.5, ["trunk"]])
    def test_a_frame_that_is_no_name(self, dog: Tree, frame: Any) -> None:
        with pytest.raises(FrameNotFound, match="quadruped has no frame"):
            dog.frame(frame)

    def test_no_mass_has_no_centre(self, tmp_path: Path) -> None:
        tree = robots.load_urdf(written(tmp_path, robot(link("a", 3.0, "0 0 0") + '<link name="b"/>' + joint())))
        for method in (tree.centre_of_mass, tree.centre_of_mass_jacobian):
            with pytest.raises(ParameterError, match="r has no centre of mass: no link that moves has an <inertial>"):
                method([0.0])


class TestState:
    def test_it_is_updated_in_place(self, dog: Tree) -> None:
        rng = np.random.default_rng(6)
        state = dog.state()
        assert_array_equal(state.forward_kinematics("trunk"), np.eye(4))
        q = dog.random_configuration(rng)
        state.update(q)
        fresh = dog.state(q)
        for name in ("rear_left_foot", "trunk"):
            assert_array_equal(state.forward_kinematics(name), fresh.forward_kinematics(name))
            assert_array_equal(state.body_jacobian(name), fresh.body_jacobian(dog.frame(name)))
        assert_array_equal(state.centre_of_mass(), fresh.centre_of_mass())

    def test_what_it_returns_is_not_written_again(self, dog: Tree) -> None:
        state = dog.state()
        first = [state.forward_kinematics("trunk"), state.body_jacobian("trunk"), state.centre_of_mass_jacobian()]
        kept = [array.copy() for array in first]
        state.update(dog.random_configuration(np.random.default_rng(7)))
        state.forward_kinematics("rear_left_foot")
        state.body_jacobian("rear_left_foot")
        state.centre_of_mass_jacobian()
        for array, copy in zip(first, kept, strict=True):
            assert_array_equal(array, copy)


def test_a_tree_is_frozen_and_read_only(dog: Tree) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        dog.name = "cat"  # type: ignore[misc]
    arrays = [dog.q0, dog.lower, dog.upper, dog.velocity_limits, dog.q_of_v, dog.link_masses, dog.link_centres]
    arrays += [getattr(dog.arrays, field.name) for field in dataclasses.fields(dog.arrays)]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = 1


def test_arguments_are_left_alone(dog: Tree) -> None:
    q, v = dog.random_configuration(np.random.default_rng(8)), np.ones(dog.nv)
    kept = q.copy(), v.copy()
    dog.integrate(q, v)
    dog.difference(q, dog.q0)
    dog.forward_kinematics(q, "trunk")
    assert_array_equal(q, kept[0])
    assert_array_equal(v, kept[1])


def test_names_never_reach_the_source(tmp_path: Path) -> None:
    nasty = "&quot;&quot;&quot;); import os; os.abort() #&lt;script&gt;"
    text = f'<robot name="{nasty}"><link name="a"/><link name="b"/>{joint(name=nasty, limit=LIMIT)}</robot>'
    tree = robots.load_urdf(written(tmp_path, text))
    assert tree.joint_names == ('"""); import os; os.abort() #<script>',)
    tree.state().forward_kinematics("b")
    assert "abort" not in robots.tree_kernels.recipe().text()  # one text for all robots
