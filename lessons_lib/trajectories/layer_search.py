"""The compiled dynamic programming of `free_directions`, over layers of configurations."""

from __future__ import annotations

import math

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.layout import LOWER, PERIOD, UPPER
from lessons_lib.robots.revolutions import unwrap_joint

EQUAL_COST = 1.0 + 1e-12
"""Costs within this factor count as equal; then the length decides."""


def search_layers(
    nodes: Array, ends: Integers, joints: Array, summed: int, costs: Array, origins: Integers, reached: Array
) -> None:
    """Write the cheapest way to each node: cost and length, the node before, and the node unwrapped beside that.

    `ends` are the indices after the last node of each layer. The cost is the length (summed = 1) or the largest change
    of a joint. Costs, shape (N, 2), and unwrapped nodes, shape (N, n), of the first layer are given.
    """
    n, begin = joints.shape[0], 0
    for layer in range(1, ends.shape[0]):
        for b in range(ends[layer - 1], ends[layer]):
            least, length = math.inf, math.inf
            for a in range(begin, ends[layer - 1]):
                allowed = least * EQUAL_COST - (costs[a, 0] if summed == 1 else 0.0)
                if costs[a, 0] > least * EQUAL_COST:
                    continue
                largest, square = 0.0, 0.0
                for i in range(n):
                    near = reached[a, i]
                    move = unwrap_joint(nodes[b, i], near, joints[i, LOWER], joints[i, UPPER], joints[i, PERIOD]) - near
                    largest = max(largest, abs(move))
                    square += move * move
                    if largest > allowed:
                        break
                if largest > allowed:
                    continue
                far = math.sqrt(square)
                cost = costs[a, 0] + far if summed == 1 else max(costs[a, 0], largest)
                if cost * EQUAL_COST < least or (cost <= least * EQUAL_COST and costs[a, 1] + far < length):
                    least, length = cost, costs[a, 1] + far
                    origins[b] = a
            costs[b, 0], costs[b, 1] = least, length
            for i in range(n):
                reached[b, i] = unwrap_joint(
                    nodes[b, i], reached[origins[b], i], joints[i, LOWER], joints[i, UPPER], joints[i, PERIOD]
                )
        begin = ends[layer - 1]
