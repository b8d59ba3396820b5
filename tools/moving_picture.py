"""Record the README's picture: an arm follows a target that is dragged. `python -m tools.moving_picture [FILE]`."""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

from lessons_lib import lie, pose_ik, robots, viewer
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "book")]
from chromium import WITHOUT_GPU, browser_path  # noqa: E402

PICTURE = ROOT / "book" / "_static" / "dragged_target.webp"
SIZE = (720, 420)
EYE, LOOK_AT, VIEW = np.array([1.9, -1.5, 1.05]), np.array([0.35, 0.05, 0.42]), np.radians(42)
"""Position and target of the camera, m, and its vertical angle of view."""

FRAMES, FRAME = 60, 60
"""Number of pictures, and how long each is shown, ms."""

UNLIT = 8
"""First pictures, in which light may be missing."""

HAND = np.array([[0, 0], [0, 23], [6, 18], [10, 27], [15, 25], [11, 16], [19, 16]])
"""Corners of the mouse's arrow, pixels."""


def target_at(turn: float) -> Array:
    """Return the target after a part of its round, 0 to 1: a closed curve before the arm, tilted to and fro."""
    angle = 2.0 * np.pi * turn
    position = np.array([0.75, 0.05, 0.5]) + [0.12 * np.sin(2.0 * angle), 0.45 * np.sin(angle), 0.28 * np.cos(angle)]
    down = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # the tip's z points forward
    return lie.pose(lie.exp_so3(0.35 * np.array([0.0, np.cos(angle), np.sin(angle)])) @ down, position)


def camera() -> Array:
    """Return the camera's pose: x to the right, y downwards, z ahead."""
    ahead = (LOOK_AT - EYE) / np.linalg.norm(LOOK_AT - EYE)
    right = np.cross(ahead, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return lie.pose(np.column_stack([right, np.cross(ahead, right), ahead]), EYE)


def pixel(point: Array) -> Array:
    """Return the pixel of a point in {s}."""
    x, y, z = (lie.inverse(camera()) @ [*point, 1.0])[:3]
    focal = SIZE[1] / (2.0 * np.tan(VIEW / 2.0))
    place: Array = np.array(SIZE) / 2.0 + focal * np.array([x, y]) / z
    return place


def record(page: Page) -> list[Image.Image]:
    """Return the pictures of one round."""
    arm = robots.ur10()
    q = pose_ik.solve(arm, target_at(0.0), [0.2, -1.2, 1.6, -0.5, 1.4, 0.0]).q
    scene = viewer.show(arm, q)
    try:
        goal = scene.target(target_at(0.0))
        page.goto(scene.address)
        page.wait_for_selector("canvas")
        while not scene._server.get_clients():
            page.wait_for_timeout(100)
        (client,) = scene._server.get_clients().values()
        page.wait_for_timeout(3000)
        pictures = [picture(arm, scene, client, goal, target_at(k / FRAMES)) for k in range(-UNLIT, FRAMES)]
        return pictures[UNLIT:]
    finally:
        scene.stop()


def picture(arm: Chain, scene: viewer.Viewer, client: Any, goal: Any, pose: Array) -> Image.Image:
    """Return the browser's picture with the target dragged to a pose, and the mouse pointer at it."""
    goal._handle.position, goal._handle.wxyz = pose[:3, 3], lie.so3_to_quaternion(pose[:3, :3], order="wxyz")
    result = pose_ik.solve(arm, pose, scene.q, starts=pose_ik.Near())
    assert result.converged, result.status.sentence
    scene.draw(result.q)
    wxyz = lie.so3_to_quaternion(camera()[:3, :3], order="wxyz")
    drawn = Image.fromarray(client.get_render(SIZE[1], SIZE[0], wxyz=wxyz, position=EYE, fov=VIEW))
    hand = [tuple(corner) for corner in HAND + pixel(pose[:3, 3])]
    ImageDraw.Draw(drawn).polygon(hand, fill="#1f2a36", outline="white", width=2)
    return drawn


def main() -> None:
    """Record the picture into a file, by default the README's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=PICTURE)
    file = parser.parse_args().file
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", *WITHOUT_GPU]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=flags)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        first, *others = record(page)
        browser.close()
    first.save(file, save_all=True, append_images=others, duration=FRAME, loop=0, quality=70, method=6)
    print(f"{file}: {file.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
