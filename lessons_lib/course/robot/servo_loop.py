"""An arm's loop at a fixed rate, printed as JavaScript: solve each pose from the last solution; motors follow."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import JOINTS
from lessons_lib.pose_ik.simd_search import solve_pose


def answer_places(places: Array, target: Array, answers: Array, room: Array, report: Array) -> bool:
    """Write the solution for each hand position, (m, 2), m, except the first, and return whether all were reached."""
    # `target` is a pose whose x and y are overwritten; the first row of `answers`, (m, n), is the start
    reached = True
    for k in range(1, places.shape[0]):
        target[0, 3] = places[k, 0]
        target[1, 3] = places[k, 1]
        if not solve_pose(target, answers[k - 1], room, 0, report):
            reached = False
        for j in range(answers.shape[1]):
            answers[k, j] = report[JOINTS + j]
    return reached


def follow_answers(answers: Array, motor: Array, q: Array, accelerations: Array) -> None:
    """Let each joint's motor follow: its speed is the gain times a delayed error, up to a limit."""
    # `answers`: desired joint positions in each cycle, (m, n), rad. `motor`: cycle in s, delay in cycles, gain in 1/s,
    # encoder step in rad, 1 if the speed of the solutions is fed forward, maximum speed in rad/s. Outputs: `q`, (m, n),
    # rad, and the requested accelerations of the motors, (m, n), rad/s².
    cycle, delay, gain, step, forward, most = motor[0], int(motor[1]), motor[2], motor[3], motor[4], motor[5]
    for j in range(answers.shape[1]):
        q[0, j] = answers[0, j]
        before = 0.0
        for k in range(answers.shape[0]):
            old = max(k - delay, 0)
            speed = gain * (answers[old, j] - step * math.floor(q[old, j] / step + 0.5))
            if k > 0:
                speed += forward * (answers[k, j] - answers[k - 1, j]) / cycle
            speed = min(max(speed, -most), most)
            accelerations[k, j] = (speed - before) / cycle
            before = speed
            if k + 1 < answers.shape[0]:
                q[k + 1, j] = q[k, j] + cycle * speed
