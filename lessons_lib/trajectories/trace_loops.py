"""Compiled loops of `trace`: solving waypoint by waypoint, and dynamic programming over layers of configurations."""

from __future__ import annotations

import math

import numpy as np

from lessons_lib.arrays import Array, Integers
from lessons_lib.pose_ik.iteration import evaluate, workspace
from lessons_lib.pose_ik.joint_ranges import clip, unwrap
from lessons_lib.pose_ik.layout import CONVERGED, ITERATIONS, JOINTS, LOWER, PERIOD, STATUS, UPPER
from lessons_lib.pose_ik.search import is_problem, solve_row
from lessons_lib.pose_ik.search_rules import copy, write_report
from lessons_lib.robots.revolutions import unwrap_joint

PREVIOUS, AHEAD, FIRST = 0, 1, 2
STOP, SKIP, GO_ON = 0, 1, 2

EQUAL_COST = 1.0 + 1e-12
"""Factor within which costs count as equal, so that the length decides."""


def write_guess(history: Array, codes: Integers, joints: Array, guess: Array) -> None:
    """Write the initial guess: the current configuration, its extrapolation by the last step, or the first one."""
    # `history`, shape (3, n), is the first, the current and the previous configuration. `codes` are those of `start`
    # and `on_failure`, and the number of waypoints reached in a row.
    origin = 0 if codes[0] == FIRST else 1
    for i in range(guess.shape[0]):
        guess[i] = history[origin, i]
    if codes[0] == AHEAD and codes[2] >= 2:
        for i in range(guess.shape[0]):
            guess[i] += history[1, i] - history[2, i]
        clip(guess, joints)


def follow(
    targets: Array,
    history: Array,
    codes: Integers,
    joints: Array,
    reach: Array,
    settings: Array,
    seeds: Integers,
    reports: Array,
    scratch: Array,
    run: int,
    at: Integers,
) -> int:
    """Solve unchecked waypoints, shape (4 k, 4), until one is not reached; return the number of waypoints reached."""
    # there is one seed for all, or one for each; the other arguments are those of `write_guess` and `search.solve_row`
    n, count = joints.shape[0], targets.shape[0] // 4
    work, state = workspace(scratch, run, at, settings), np.empty(2, dtype=np.int64)
    no_trace, guess, q = scratch[0:0].reshape((0, n + 8)), np.empty(n), np.empty(n)
    for row in range(count):
        target, report = targets[4 * row : 4 * row + 4], reports[row]
        write_guess(history, codes, joints, guess)
        if not is_problem(target, guess, joints):
            return row
        seed = seeds[row] if seeds.shape[0] > 1 else seeds[0]
        solve_row(target, guess, joints, reach, settings, seed, report, no_trace, work, state, 0.0)
        if report[STATUS] != CONVERGED:
            return row
        copy(report[JOINTS : JOINTS + n], q)
        if unwrap(q, history[1], joints):
            evaluate(work, q)
            write_report(report, CONVERGED, int(report[ITERATIONS]), q, guess, work[2])
        copy(history[1], history[2])
        copy(q, history[1])
        codes[2] += 1
    return int(count)


def search_layers(
    nodes: Array, ends: Integers, joints: Array, summed: int, costs: Array, origins: Integers, reached: Array
) -> None:
    """Write the cheapest path to each node: its cost and length, the previous node, and the node unwrapped by it."""
    # `ends` are the indices after the last node of each layer. The cost is the length (summed = 1) or the largest joint
    # change. The costs, shape (N, 2), and unwrapped nodes, shape (N, n), of the first layer are inputs.
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
