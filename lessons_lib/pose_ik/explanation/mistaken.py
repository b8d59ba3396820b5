"""Suspect a mistake in how the target was written: another unit, another order, degrees, or another frame.

A mistake is suspected only if it explains the failure better than having no mistake. Each reading of the target undoes
one mistake; it counts if the pose that it gives is solved. But a reading may be solved by chance: of poses that fail
like this one, some have an inverse that is solved, too. So for readings that can be applied to any pose, `chance`
measures how often that happens, and only a reading that is rarely solved by chance is suspected. For the others the
numbers themselves are the evidence: a point many times farther away than the arm reaches, or angles that are no
multiples of anything in rad and round numbers in degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie import exp_se3, exp_so3, inverse, log_se3, log_so3
from lessons_lib.pose_ik.arm import arm_of
from lessons_lib.pose_ik.explanation.explanation import Cause
from lessons_lib.pose_ik.explanation.question import Question

Reading = tuple[str, Callable[[Array], Array]]
"""The name of a mistake, and what undoes it in targets, shape (k, 4, 4): the poses meant, shape (k, 4, 4) or, where
several may have been meant, (k, c, 4, 4)."""

UNITS = {1000.0: "millimetres for metres", 100.0: "centimetres for metres", 1.0 / 0.0254: "inches for metres"}
"""Names of units that are taken for others, by their ratio."""

BASE, TOOL = "a pose in the frame of the arm's own base", "a pose of the flange instead of the tool"
"""Mistakes in the frame that an arm with a base or a tool invites: others are not suspected beside them."""

FAR = 8.0
"""A point this many times farther away than the arm reaches is in another unit of length, if it is solved there."""

NEAR = 0.01
"""A point within this part of the arm's reach of its base is in another unit, if it is solved there."""

ALIKE = np.log(5.0)
"""Units in which the distance is as usual to within this factor more are as likely as the likeliest."""

SAMPLES = 100
"""Number of poses among which those that fail like the target are looked for."""

FEWEST = 40
"""Number of failing poses from which a share is read, and after which a share far too large is left alone."""

RARE = 0.015
"""A reading that is solved by chance in at most this share of comparable failures is suspected."""

MOST_SOLVES = 2000
"""About how many solves `chance` makes at most."""

OFTEN = 0.5
"""A reading that is solved by chance more often than this is not even mentioned."""

DIGITS = 3
"""Decimals of an angle in degrees at most that makes it a round number."""

ROUND = 1e-11
"""How far [rad] an angle may be from such a number: what the sine of an angle of some hundred rad loses."""


def mistaken(asked: Question, far: bool) -> tuple[list[Cause], str]:
    """Return the suspected mistakes, and what to say of readings that are solved, but would often be solved by chance.

    Args:
        asked: What was asked.
        far: Whether the point is proven to be out of reach.
    """
    if not asked.is_whole:
        return [], ""
    suspected = units_mistaken(asked)
    if suspected or _off_scale(asked):
        return suspected, ""
    suspected = [cause for name, meant in round_degrees(asked) for cause in _solved(asked, name, meant)]
    if suspected:
        return suspected, ""
    by_chance, seen, comparable = [], [asked.target], None
    for name, undo in readings(asked):
        if suspected and undo is _of_degrees:
            continue  # it has so many angles that one is near to any other reading
        poses = [T for T in undo(asked.target[None]).reshape(-1, 4, 4) if not any(np.allclose(T, one) for one in seen)]
        seen += poses
        solved = np.flatnonzero(asked.solved(np.array(poses))) if len(poses) > 1 else range(len(poses))
        found = _solved(asked, name, poses[solved[0]]) if len(solved) else []
        if found and comparable is None:
            comparable = failing_like(asked, far)
        if found and comparable is not None:
            share = chance(asked, undo, comparable)
            if share <= RARE:
                suspected += found
            elif share <= OFTEN:
                by_chance.append(name)
    if suspected:
        return [cause for cause in suspected if cause.name in (BASE, TOOL)] or suspected, ""
    if not by_chance:
        return [], ""
    words = (
        f"whether the target is {' or '.join(by_chance)}: it is solved then, but so are other targets that fail like it"
    )
    return [], f"{words}, by chance"


def _solved(asked: Question, name: str, meant: Array) -> list[Cause]:
    """Return the suspicion of a mistake if the target without it is solved."""
    found = asked.tried(target=meant)
    if not found.converged:
        return []
    return [Cause(name, False, f"without it the target is solved in {found.iterations} steps.", REMEDY, found.q)]


REMEDY = "Check how the target is made."


def units_mistaken(asked: Question) -> list[Cause]:
    """Return the suspicion that a point far off, or at the arm's base, is in another unit in which it is solved.

    Of several units the likeliest is that in which the point is about as far away as those of random configurations.
    """
    T, found = asked.target, list[tuple[float, Cause]]()
    away, size = float(np.linalg.norm(T[:3, 3])), max(arm_of(asked.arm).size, 1e-300)
    points = asked.arm.targets(SAMPLES, np.random.default_rng(0))[0][:, :3, 3]
    usual = max(float(np.median(np.linalg.norm(points - asked.center, axis=1))), 1e-300)
    for ratio, name in UNITS.items():
        smaller, larger = name.split(" for ")
        if away > FAR * size:
            name, factor = unit_mistake(asked, ratio, name), 1.0 / ratio
        elif 0.0 < away < NEAR * size:
            name, factor = unit_mistake(asked, 1.0 / ratio, f"{larger} for {smaller}"), ratio
        else:
            continue
        meant = _scaled(T, factor)
        there = max(float(np.linalg.norm(meant[:3, 3] - asked.center)), 1e-300)
        found += [(abs(np.log(there / usual)), cause) for cause in _solved(asked, name, meant)]
    found.sort(key=lambda entry: entry[0])
    alike = [cause for unlikely, cause in found if unlikely < found[0][0] + ALIKE]
    return [replace(alike[0], name=" or ".join(cause.name for cause in alike))] if alike else []


def round_degrees(asked: Question) -> Iterator[tuple[str, Array]]:
    """Yield round numbers of degrees that were taken for rad, as angle about an axis or as three angles."""
    T = asked.target
    turn = log_so3(T[:3, :3])
    size = float(np.linalg.norm(turn))
    if size > 1e-9:
        for degrees in in_degrees(size):
            yield f"degrees for radians, {degrees:g}°", _turned(T, exp_so3(turn / size * np.radians(degrees)))
    for order, turned in (("xyz about fixed axes", (2, 1, 0)), ("xyz about moving axes", (0, 1, 2))):
        for angles in angles_about(T[:3, :3], turned):
            listed = [in_degrees(angle) or ([0.0] if abs(angle) < ROUND else in_degrees(angle, 0)) for angle in angles]
            if any(in_degrees(angle) for angle in angles) and all(listed):
                meant = [choices[0] for choices in listed]
                words = ", ".join(f"{angle:g}°" for angle in meant)
                yield f"degrees for radians, angles {words} {order}", _turned(T, _product(np.radians(meant), turned))


def unit_mistake(asked: Question, ratio: float, name: str) -> str:
    """Return the name of a mistake in the unit of length; of an arm whose unit is not known, the ratio as well."""
    if asked.arm.length_unit == ("mm" if ratio < 1.0 else "m"):
        return name
    return f"another unit of length, 1 to {max(ratio, 1.0 / ratio):.4g}, such as {name}"


def in_degrees(angle: float, beyond: float = np.pi) -> list[float]:
    """Return the round numbers beyond some size, at most 360, of which an angle [rad] is what they are as radians."""
    turns = angle + 2.0 * np.pi * np.arange(-58, 59)
    numbers = np.round(turns, DIGITS)
    close = (abs(turns - numbers) < ROUND) & (abs(numbers) > beyond) & (abs(numbers) <= 360.0)
    return [float(number) for number in numbers[close]]


def angles_about(R: Array, order: tuple[int, int, int]) -> list[Array]:  # noqa: N803
    """Return both triples of angles (x, y, z) [rad] of which a rotation is the product in an order of the axes."""
    i, j, k = order
    sign = 1.0 if order == (0, 1, 2) else -1.0
    middle = np.arctan2(sign * R[i, k], np.hypot(R[i, i], R[i, j]))
    first, last = np.arctan2(-sign * R[j, k], R[k, k]), np.arctan2(-sign * R[i, j], R[i, i])
    found = []
    for angles in ((first, middle, last), (first + np.pi, np.pi - middle, last + np.pi)):
        triple = np.empty(3)
        triple[list(order)] = angles
        found.append(triple)
    return found


def _product(angles: Array, order: tuple[int, int, int]) -> Array:
    first, second, third = (exp_so3(np.eye(3)[axis] * angles[axis]) for axis in order)
    product: Array = first @ second @ third
    return product


def _scaled(T: Array, factor: float) -> Array:  # noqa: N803
    scaled = T.copy()
    scaled[:3, 3] *= factor
    return scaled


def _turned(T: Array, R: Array) -> Array:  # noqa: N803
    turned = T.copy()
    turned[:3, :3] = R
    return turned


def _off_scale(asked: Question) -> bool:
    return bool(np.linalg.norm(asked.target[:3, 3]) > FAR * max(arm_of(asked.arm).size, 1e-300))


def readings(asked: Question) -> Iterator[Reading]:
    """Yield the mistakes that can be undone in any pose; each takes poses of shape (k, 4, 4)."""
    base, tool, home = asked.arm.base, asked.arm.tool, asked.arm.home
    if base is not None:
        yield BASE, lambda T: base @ T
    if tool is not None:
        yield TOOL, lambda T: T @ tool
    yield "the inverse pose, T_ds for T_sd", lambda T: np.array([inverse(pose) for pose in T])
    yield "the rotation transposed", _transposed
    yield "a twist with (v, ω) for (ω, v)", _swapped
    yield "a pose seen from the tip at zero, T_bd for T_sd", lambda T: home @ T
    yield "a pose of the base as the tip at zero sees it", lambda T: T @ home
    yield "degrees for radians", _of_degrees


def _transposed(T: Array) -> Array:  # noqa: N803
    transposed = T.copy()
    transposed[:, :3, :3] = T[:, :3, :3].transpose(0, 2, 1)
    return transposed


def _swapped(T: Array) -> Array:  # noqa: N803
    return np.array([exp_se3(np.roll(log_se3(pose), 3)) for pose in T])


def _of_degrees(T: Array) -> Array:  # noqa: N803
    """Return the rotations by up to 360 degrees of which the angle, taken for rad, gives that of a pose."""
    meant = np.tile(T[:, None], (1, 114, 1, 1))
    for row, pose in enumerate(T):
        turn = log_so3(pose[:3, :3])
        size = max(float(np.linalg.norm(turn)), 1e-300)
        for place, turns in enumerate((*range(-57, 0), *range(1, 58))):
            meant[row, place, :3, :3] = exp_so3(turn / size * np.radians(size + 2.0 * np.pi * turns))
    return meant


def failing_like(asked: Question, far: bool) -> Array:
    """Return poses that fail as the target does, shape (k, 4, 4): as far from the arm's center, turned at random.

    The rotations are differences of poses of the arm without its limits: a planar arm turns in its plane alone.
    """
    rng, arm = np.random.default_rng(0), asked.unlimited
    turns = arm.targets(4 * SAMPLES, rng)[0][:, :3, :3]
    turns = turns[: 2 * SAMPLES] @ turns[2 * SAMPLES :].transpose(0, 2, 1)
    center = asked.center
    poses = np.tile(asked.target, (SAMPLES, 1, 1))
    poses[:, :3, :3] = turns[:SAMPLES] @ asked.target[:3, :3]
    poses[:, :3, 3] = center + turns[SAMPLES:] @ (asked.target[:3, 3] - center)
    return poses if far else poses[~asked.solved(poses)]


def chance(asked: Question, undo: Callable[[Array], Array], failing: Array) -> float:
    """Return the share of failing poses that a reading makes solvable, infinite if there are too few of them."""
    if len(failing) < FEWEST:
        return np.inf
    failing = failing[: max(20, MOST_SOLVES // undo(failing[:1]).size * 16)]
    solved = list[bool]()
    for part, most in ((failing[:10], 1.0), (failing[10:FEWEST], 0.2), (failing[FEWEST:], 3.0 * RARE)):
        if not len(part) or (solved and np.mean(solved) > most):
            break
        meant = undo(part)
        rows = asked.solved(meant.reshape(-1, 4, 4)).reshape(len(part), -1)
        solved += [bool(row.any()) for row in rows]
    return float(np.mean(solved))
