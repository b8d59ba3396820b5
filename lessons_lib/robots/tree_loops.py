"""The compiled loops over the joints of a tree, compiled once for all robots with the kernels of tree_derivation.py."""
# A robot is data: `joints` has a row for each moving joint, parents before children (columns in tree_layout.py),
# `placements` the pose of each joint in its parent's frame. One pass computes the poses of the joints and the space
# twist of each rate; frames are read from them. The last entry of `poses` and of `twists` is scratch, which saves
# passing one more array.

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.tree_layout import FREE, KIND, PARENT, PLANAR, PRISMATIC, ROW, WORLD, Q, V

if TYPE_CHECKING:
    from lessons_lib.robots.tree_code import (
        between_kernel,
        centre_column_kernel,
        free_integral_kernel,
        free_kernel,
        free_pose_kernel,
        into_frame_kernel,
        log_se3_kernel,
        place_kernel,
        point_kernel,
        prismatic_kernel,
        revolute_kernel,
    )


UNIT_TOLERANCE = 1e-6  # of the length of a quaternion: one typed with seven digits


def is_configuration(q_of_v: Integers, q: Array) -> bool:
    """Return whether q is finite, and the quaternion of each free joint has length one."""
    for i in range(q.size):
        if not math.isfinite(q[i]):
            return False
    k = 0
    while k < q_of_v.shape[0]:
        if q_of_v[k] < 0 and is_free(q_of_v, k):
            start, squared = 2 - q_of_v[k], 0.0
            for i in range(start, start + 4):
                squared += q[i] * q[i]
            if not abs(math.sqrt(squared) - 1.0) <= UNIT_TOLERANCE:
                return False
            k += 5
        k += 1
    return True


def update_tree(joints: Integers, placements: Array, ratios: Array, q: Array, poses: Array, twists: Array) -> None:
    """Write the pose of each joint into poses[1:1 + n], the space twist of each rate into a row of `twists`."""
    q_rows = q.reshape(-1, 1)
    for i in range(joints.shape[0]):
        kind, parent, at, row = joints[i, KIND], joints[i, PARENT], joints[i, Q], joints[i, ROW]
        if kind == FREE:
            free_kernel(poses[parent], placements[i], q[at : at + 7], poses[1 + i], twists[row : row + 6])
        elif kind == PRISMATIC:
            prismatic_kernel(poses, parent, placements, i, q_rows, at, ratios, i, poses, 1 + i, twists, row)
        else:
            revolute_kernel(poses, parent, placements, i, q_rows, at, ratios, i, poses, 1 + i, twists, row)
        if kind == PLANAR:  # x and y of the base are the columns of its rotation
            for k in range(3):
                twists[row - 2, 3 + k], twists[row - 1, 3 + k] = poses[1 + i, k, 0], poses[1 + i, k, 1]


def frame_pose(carrier: int, offset: Array, poses: Array, T: Array) -> None:
    """Write the pose of a frame with pose `offset` in the frame of joint `carrier` (from 1, 0 is {s})."""
    place_kernel(poses[carrier], offset, T)


def frame_jacobian(carrier: int, offset: Array, joints: Integers, poses: Array, twists: Array, J: Array) -> None:
    """Write a frame's body Jacobian, 6×nv, and its pose into the scratch entry of `poses`."""
    T, column = poses[-1], twists[-1]
    place_kernel(poses[carrier], offset, T)
    J[:] = 0.0
    while carrier != WORLD:
        i = carrier - 1
        first, row = joints[i, V], joints[i, ROW]
        for k in range(6 if joints[i, KIND] == FREE else 1):
            into_frame_kernel(T, twists[row + k], column)
            for j in range(6):
                J[j, first + k] += column[j]  # += because a mimic joint shares its leader's column
        carrier = joints[i, PARENT]


def accumulate_masses(joints: Integers, bodies: Array, poses: Array, below: Array) -> float:
    """Write mass and first moment that each joint carries, (1 + n, 4) in {s}; return the whole mass."""
    below[WORLD] = 0.0
    for i in range(1, bodies.shape[0]):
        point_kernel(poses[i], bodies[i], below[i])
    for i in range(bodies.shape[0] - 1, 0, -1):
        parent = joints[i - 1, PARENT]
        for k in range(4):
            below[parent, k] += below[i, k]
    return float(below[WORLD, 0])


def centre_of_mass(joints: Integers, bodies: Array, poses: Array, below: Array, centre: Array) -> None:
    """Write the centre of mass in {s}; `below` is scratch of the shape of `bodies`."""
    total = accumulate_masses(joints, bodies, poses, below)
    for k in range(3):
        centre[k] = below[WORLD, 1 + k] / total


def centre_of_mass_jacobian(
    joints: Integers, bodies: Array, poses: Array, twists: Array, below: Array, J: Array
) -> None:
    """Write the Jacobian of the centre of mass in {s}, 3×nv; `below` is scratch."""
    column = twists[-1]
    accumulate_masses(joints, bodies, poses, below)
    J[:] = 0.0
    for i in range(joints.shape[0]):
        first, row = joints[i, V], joints[i, ROW]
        for k in range(6 if joints[i, KIND] == FREE else 1):
            centre_column_kernel(twists[row + k], below[1 + i], below[WORLD], column)
            for j in range(3):
                J[j, first + k] += column[j]


def is_free(q_of_v: Integers, k: int) -> bool:
    """Return whether the rates from k on are the six of a free joint, not the three of a planar base."""
    return bool(k + 3 < q_of_v.shape[0] and q_of_v[k + 3] == q_of_v[k])


def embed_planar_base(plane: Array, base: Array) -> None:
    """Write x, y and angle of a planar base as position and quaternion into zeros."""
    base[0], base[1] = plane[0], plane[1]
    base[5], base[6] = math.sin(0.5 * plane[2]), math.cos(0.5 * plane[2])


def integrate(q_of_v: Integers, q: Array, v: Array, ahead: Array) -> None:
    """Write the configuration after unit time along the tangent v."""
    # `q_of_v` is the coordinate of each rate; −1 − start marks the six rates of a free joint, whose seven coordinates
    # begin at `start`, or the three of a planar base, (ω, v_x, v_y), whose coordinates are x, y and an angle
    k = 0
    while k < v.shape[0]:
        i = q_of_v[k]
        if i >= 0:
            ahead[i] = q[i] + v[k]
            k += 1
            continue
        start = -1 - i
        if not is_free(q_of_v, k):
            here, there, twist = np.zeros(7), np.empty(7), np.zeros(6)
            embed_planar_base(q[start : start + 3], here)
            twist[2:5] = v[k : k + 3]
            free_integral_kernel(here, twist, there)
            ahead[start], ahead[start + 1], ahead[start + 2] = there[0], there[1], q[start + 2] + v[k]
            k += 3
            continue
        base, result = q[start : start + 7], ahead[start : start + 7]
        free_integral_kernel(base, v[k : k + 6], result)
        along = 0.0
        for j in range(3, 7):
            along += base[j] * result[j]
        if along < 0.0:  # of the two quaternions of the rotation, the nearer one
            for j in range(3, 7):
                result[j] = -result[j]
        k += 6


def difference(q_of_v: Integers, periods: Array, q_0: Array, q_1: Array, v: Array) -> None:
    """Write the tangent from q_0 to q_1; `periods` is 2π if a revolution changes nothing, else 0."""
    k = 0
    while k < v.shape[0]:
        i = q_of_v[k]
        if i >= 0:
            v[k] = q_1[i] - q_0[i]
            if periods[k] > 0.0:
                v[k] -= periods[k] * math.floor(v[k] / periods[k] + 0.5)
            k += 1
            continue
        start = -1 - i
        T_0, T_1, T = np.empty((4, 4)), np.empty((4, 4)), np.empty((4, 4))
        if not is_free(q_of_v, k):
            here, twist = np.zeros(7), np.empty(6)
            embed_planar_base(q_0[start : start + 3], here)
            free_pose_kernel(here, T_0)
            embed_planar_base(q_1[start : start + 3], here)
            free_pose_kernel(here, T_1)
            between_kernel(T_0, T_1, T)
            log_se3_kernel(T, twist)
            v[k : k + 3] = twist[2:5]
            k += 3
            continue
        free_pose_kernel(q_0[start : start + 7], T_0)
        free_pose_kernel(q_1[start : start + 7], T_1)
        between_kernel(T_0, T_1, T)
        log_se3_kernel(T, v[k : k + 6])
        k += 6
