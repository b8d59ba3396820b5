"""Columns and codes of the flat arrays of a tree in compiled code."""

from __future__ import annotations

KIND, PARENT, Q, V, ROW, JOINT_COLUMNS = 0, 1, 2, 3, 4, 5

REVOLUTE, PRISMATIC, FREE = 0, 1, 2

PLANAR = 3  # the rotation of a planar base after its two prismatic joints; their rates are its body twist

WORLD = 0  # poses[0] is {s}; the pose of joint i is poses[1 + i]
