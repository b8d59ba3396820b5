"""Where each number of a tree lies in the flat arrays that cross into compiled code, and what its codes mean."""

from __future__ import annotations

KIND, PARENT, Q, V, ROW, JOINT_COLUMNS = 0, 1, 2, 3, 4, 5

REVOLUTE, PRISMATIC, FREE = 0, 1, 2

PLANAR = 3  # the rotation of a base in the plane, behind its two slides: their rates are those of its body twist

WORLD = 0  # poses[0] is {s}; the pose of joint i is poses[1 + i]
