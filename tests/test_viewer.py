"""Viewer in a browser: poses of the parts, playback of paths and motions, dragged targets."""

import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from lessons_lib import differential_ik, lie, pose_ik, robots, trajectories, viewer
from lessons_lib.errors import ConfigurationError, ParameterError
from lessons_lib.robots.stick_figure import prefixes

PAGE = Path(__file__).resolve().parent.parent / "book" / "api" / "viewer.md"
PATIENCE = 600_000.0  # timeout, ms, long enough for a busy machine
SIZE = (1000, 600)
LISTEN = """
    window.drawn = [];
    window.__THREE_DEVTOOLS__ = new EventTarget();
    window.__THREE_DEVTOOLS__.addEventListener("observe", ({detail}) => detail.isScene && window.drawn.push(detail));
    window.meshes = (corners) => {
        const found = [];
        for (const scene of window.drawn) scene.traverse((thing) => {
            if (thing.isMesh && thing.geometry.attributes.position?.count === corners) {
                thing.updateWorldMatrix(true, false);
                found.push(thing.matrixWorld.elements.slice());
            }
        });
        return found;
    };
    window.lies = (corners, at) => window.meshes(corners).some((one) =>
        at.every((x, i) => Math.abs(x - one[12 + i]) < 1e-5));
    window.near = (corners, poses) => {
        const found = window.meshes(corners);
        return found.length === poses.length && poses.every((pose) =>
            found.some((one) => one.every((x, i) => Math.abs(x - pose[i]) < 1e-5)));
    };
"""
"""three.js announces every scene to developer tools; this script records them."""

STANDS = "([corners, poses]) => window.near(corners, poses)"
LIES = "([corners, at]) => window.lies(corners, at)"
CAUGHT = """([corners, color]) => {
    const held = [];
    for (const scene of window.drawn) scene.traverse((thing) => {
        if (thing.isMesh && thing.geometry.attributes.position?.count === corners)
            held.push(thing.parent.children.some((part) => part.material.color.getHexString() === color));
    });
    return held.filter(Boolean).length === 1;
}"""
DRUM = 504  # corners of a generated joint
ARROW = 52  # corners of the draggable part of a target's arrow
YELLOW = "ffff40"  # an arrow under the mouse
UP = np.array([[0, -1, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 0], [0, 0, 0, 1]], dtype=np.float64)
"""Rotation from {s} to the world of three.js, where y points up."""


@pytest.fixture(scope="module")
def shown(browser_in_space):
    """A planar arm on its path, in a page."""
    arm = robots.planar_2r()
    waypoints = np.array([arm.forward_kinematics(q) for q in ([0.3, 0.9], [0.5, 0.8], [0.7, 0.6])])
    scene = viewer.show(trajectories.trace(arm, waypoints, [0.3, 0.9]), port=8137)
    page = browser_in_space.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
    page.set_default_timeout(PATIENCE)
    page.add_init_script(LISTEN)
    page.goto(scene.address)
    yield scene, page
    page.close()
    scene.stop()


def wait_until_shown(page, chain, q):
    """Wait until the joints in the page have the poses of the product of exponentials at q, to 10 µm."""
    assert page.wait_for_function(STANDS, arg=[DRUM, expected_matrices(chain, q)]).json_value()


def expected_matrices(chain, q):
    """Return the expected matrices of the joints, column by column."""
    return [(UP @ pose).T.ravel().tolist() for pose in prefixes(chain, q)[1:]]


def test_the_slider_moves_the_robot_along_the_path(shown):
    scene, page = shown
    for key, q in (("ArrowRight", [0.5, 0.8]), ("ArrowLeft", [0.3, 0.9])):
        page.get_by_role("slider").first.press(key)
        wait_until_shown(page, scene.robot, np.array(q))


def test_a_motion_plays_to_its_end(shown):
    scene, page = shown
    motion = trajectories.retime(np.array([[0.2, 1.0], [0.6, 0.4], [0.8, 0.6]]), scene.robot, acceleration=30.0)
    scene.play(motion)
    slider = page.get_by_role("slider").last
    page.get_by_text("time [s]").wait_for()
    slider.press("End")
    wait_until_shown(page, scene.robot, motion.at(motion.duration)[0])
    slider.press("Home")
    wait_until_shown(page, scene.robot, np.array([0.2, 1.0]))
    page.get_by_role("button", name="play").last.click()
    wait_until_shown(page, scene.robot, np.array([0.8, 0.6]))


def pixel(scene, point):
    """Project a point in {s} to a pixel; the camera's x axis points right, y down, and z forward."""
    (client,) = scene._server.get_clients().values()
    camera = client.camera
    x, y, z = lie.quaternion_to_so3(camera.wxyz, order="wxyz").T @ (point - camera.position)
    half = z * np.tan(camera.fov / 2.0)
    return SIZE[0] * (1.0 + x / (half * camera.aspect)) / 2.0, SIZE[1] * (1.0 + y / half) / 2.0


def test_the_arm_follows_a_dragged_target(shown):
    """The mouse drags the arrow along the x axis of a target by −0.4 m."""
    scene, page = shown
    goal, first, dragged = pose_ik.position_only(), np.array([0.9, -1.2]), threading.Event()
    at = scene.robot.forward_kinematics(first)
    scene.draw(first)
    target = scene.target(at, "dragged")

    @target.moved
    def follow(pose):
        scene.draw(pose_ik.solve(scene.robot, pose, scene.q, goal=goal).q)

    @target._handle.on_update
    def _(event):
        if event.phase == "end":
            dragged.set()

    long, x = 0.25, at[:3, 0]  # of an arrow, m
    page.wait_for_function(LIES, arg=[ARROW, (UP[:3, :3] @ (at[:3, 3] + long / 2.0 * x)).tolist()])
    end = time.monotonic() + PATIENCE / 1000.0
    while not page.evaluate(CAUGHT, [ARROW, YELLOW]):  # a busy page is late, and an arc lies beside the arrow
        assert time.monotonic() < end, "the mouse does not hit the arrow"
        across, down = pixel(scene, at[:3, 3] + 0.9 * long * x)
        page.mouse.move(across + 1.0, down)
        page.mouse.move(across, down)
        page.wait_for_timeout(50)
    page.mouse.down()
    page.mouse.move(*pixel(scene, at[:3, 3] + (0.9 * long - 0.4) * x), steps=8)
    page.mouse.up()
    assert dragged.wait(PATIENCE / 1000.0)

    pose = target.pose
    np.testing.assert_allclose(pose[:3, :3], at[:3, :3], rtol=0, atol=1e-12)
    np.testing.assert_allclose(pose[:3, 3], at[:3, 3] - 0.4 * x, rtol=0, atol=0.01)  # two pixels
    wait_until_shown(page, scene.robot, pose_ik.solve(scene.robot, pose, first, goal=goal).q)
    np.testing.assert_allclose(scene.poses(scene.q)["tip"][:3, 3], pose[:3, 3], rtol=0, atol=1e-6)


URDF = """<robot name="one"><link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
<link name="arm"><visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual>
<visual><geometry><sphere radius="0.06"/></geometry></visual>
<collision><geometry><capsule radius="0.06" length="0.4"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.05"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


@pytest.mark.parametrize("urdf", [URDF, None], ids=["shapes of its file", "rods"])
def test_a_configuration_is_shown_where_its_frames_are(urdf):
    at = differential_ik.Configuration(robots.load_urdf(URDF), [0.5])
    scene = viewer.show(at, urdf=urdf, port=8147)
    try:
        arm = scene._frames["arm"]
        expected = at.get_transform_frame_to_world("arm")
        np.testing.assert_allclose(arm.position, expected[:3, 3], rtol=0, atol=1e-12)
        np.testing.assert_allclose(lie.quaternion_to_so3(arm.wxyz, order="wxyz"), expected[:3, :3], rtol=0, atol=1e-12)
        names = [name for name in scene._server.scene._handle_from_node_name if name.startswith("/robot/")]
        assert urdf is None or sorted(names) == [f"/robot/{name}" for name in "arm arm/1 arm/2 base base/0".split()]
    finally:
        scene.stop()


def test_an_arm_is_shown_at_the_start_of_its_motion():
    arm, ends = robots.planar_2r(), np.array([[0.2, 1.0], [0.8, 0.6]])
    motion = trajectories.rest_to_rest(arm, *ends, acceleration=9.0, jerk=99.0)
    for arguments in ((arm, motion), (motion,)):
        scene = viewer.show(*arguments, port=8157)
        try:
            np.testing.assert_allclose(scene.q, ends[0], atol=1e-6)
            assert scene.robot is arm
            slider = next(one for one in scene._server.gui._gui_input_handle_from_uuid.values() if hasattr(one, "max"))
            slider.value = slider.max
            np.testing.assert_allclose(scene.q, ends[1], atol=1e-6)
        finally:
            scene.stop()


def test_show_refuses_values_without_a_robot():
    with pytest.raises(ParameterError, match="robot must be a chain, .* got a str"):
        viewer.show("ur10")
    for port in ("8080", 0, 70_000, True):
        with pytest.raises(ParameterError, match="port must be a whole number from 1 to 65535, got"):
            viewer.show(robots.planar_2r(), port=port)
    with pytest.raises(ParameterError, match="show the tree"):
        viewer.show(robots.planar_2r(), urdf=URDF)
    for rows in ([], [0.0, 0.0], "ready"):
        with pytest.raises(ConfigurationError, match=r"q must be configurations, shape \(k, n\)"):
            viewer.Viewer.play(None, rows)


def test_the_code_of_the_viewer_page_follows_a_target(monkeypatch):
    monkeypatch.setattr(viewer.Viewer, "wait", lambda scene: None)
    names = {}
    try:
        for text in re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            exec(compile(text, PAGE.name, "exec"), names)
        scene, target, begun = names["scene"], names["target"], time.monotonic()
        nearby = names["arm"].forward_kinematics(scene.q + 0.05)
        target._handle.position = nearby[:3, 3]
        target._handle.wxyz = lie.so3_to_quaternion(nearby[:3, :3], order="wxyz")
        while np.abs(scene.poses(scene.q)["tip"] - nearby).max() > 1e-6:
            assert time.monotonic() - begun < PATIENCE / 1000.0
            time.sleep(0.01)
        names["follow"](nearby)
    finally:
        names["scene"].stop()
