"""Likely mistakes in the target, the first start or the limits: units, degrees, order and frames."""
# Some targets are solved after a wrong correction. A mistake is therefore named only if the corrected problem is solved
# and one of three observations supports it: numbers that only the mistake explains (a point far beyond reach, round
# numbers); a corrected target near the tip at q0; or a correction that solves few similar targets by chance.

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lessons_lib.arrays import Array
from lessons_lib.lie import exp_se3, exp_so3, inverse, log_se3, log_so3
from lessons_lib.pose_ik.explanation.context import MANY_STARTS, FailureContext
from lessons_lib.pose_ik.explanation.explanation import Cause, format_length, format_vector
from lessons_lib.robots.load_warnings import LARGEST_RANGE, NO_LIMIT

Correction = Callable[[Array], Array]
"""A function that undoes a mistake in targets, shape (k, 4, 4)."""

UNITS = {1000.0: "millimetres for metres", 100.0: "centimetres for metres", 1.0 / 0.0254: "inches for metres"}

BASE, TOOL = "a pose in the frame of the arm's own base", "a pose of the flange instead of the tool"
INVERSE = "the inverse pose, T_ds for T_sd"
START, RANGES = "degrees for radians in q0", "degrees for radians in the limits"

FAR, NEAR = 8.0, 0.01
"""A point farther than FAR times the arm's size, or nearer than NEAR times it, may be in another unit of length."""

LIKELY = np.log(5.0)
"""Units are named together if the logarithms of their distances from the usual one differ by less than this."""

SAMPLES, FEWEST = 100, 40
"""Number of similar targets that are drawn, and of failing ones among them that a share requires."""

RARE, OFTEN = 0.015, 0.5
"""Largest share solved by chance of a mistake that is named, and of one that is mentioned as not judged."""

NEARER = 4.0
"""A corrected target is near q0 if its distance from the tip there is smaller by this factor than the target's."""

DECIMALS = 3
"""Largest number of decimals of a round angle in degrees."""

ROUND = 1e-11
"""Largest difference from a round number, rad: the rounding error of the sine of some hundred radians."""


def find_mistakes(context: FailureContext, far: bool) -> tuple[list[Cause], str]:
    """Return likely mistakes, and a sentence about corrections that are often solved by chance."""
    mistakes = find_limits_in_degrees(context) or find_wrong_unit(context)
    if mistakes or not context.is_whole_pose or np.linalg.norm(context.target[:3, 3]) > FAR * context.size:
        return mistakes, ""
    mistakes = [cause for name, target in correct_round_degrees(context) for cause in _if_solved(context, name, target)]
    return (mistakes, "") if mistakes else find_wrong_frame_or_order(context, far)


def _if_solved(context: FailureContext, name: str, corrected: Array, evidence: str = "") -> list[Cause]:
    """Return the mistake if the corrected target is solved."""
    result = context.resolve(target=corrected)
    if not result.converged:
        return []
    sentence = f"the corrected target is solved in {result.iterations} steps{evidence}."
    return [Cause(name, False, sentence, "Check how the target is computed.", result.q, True)]


def find_start_in_degrees(context: FailureContext) -> list[Cause]:
    """Return the mistake if q0 exceeds a revolution and fails, and the same numbers in degrees succeed."""
    arm, q0, revolute = context.arm, context.q0, np.array(context.arm.joint_types) == "revolute"
    if q0 is None or not (abs(q0[revolute]) > 2.0 * np.pi).any() or (abs(q0[revolute]) > 360.0).any():
        return []
    start = np.where(revolute, np.radians(q0), q0)
    if (start < arm.limits[:, 0]).any() or (start > arm.limits[:, 1]).any():
        return []
    original, corrected = (context.solve_once(arm, q, context.stop) for q in (q0, start))
    is_round = (abs(q0 - np.round(q0, DECIMALS)) < 1e-9)[revolute].all()
    if original.converged or not corrected.converged or not (is_round or abs(corrected.q - start).max() < 0.5):
        return []
    sentence = f"q0 = {format_vector(q0)} fails; as degrees it leads to the pose in {corrected.iterations} steps."
    return [Cause(START, False, sentence, "Convert q0 to rad: numpy.radians(q0).", corrected.q, True)]


def find_limits_in_degrees(context: FailureContext) -> list[Cause]:
    """Return the mistake if limits are too large for rad and the pose is solved within the same limits in degrees."""
    arm, revolute = context.arm, np.array(context.arm.joint_types) == "revolute"
    sizes = np.where(np.isfinite(arm.limits) & (abs(arm.limits) < NO_LIMIT), abs(arm.limits), 0.0)[revolute]
    if not (sizes > LARGEST_RANGE).any() or context.from_many_starts.converged:
        return []
    limits = np.where(revolute[:, None], np.radians(arm.limits), arm.limits)
    result = context.solve(arm.with_limits(position=limits), context.target, goal=context.goal, starts=MANY_STARTS)
    if not result.converged:
        return []
    sentence = f"a limit is {sizes.max():.4g} rad, over two revolutions; read as degrees, the limits allow the pose."
    return [Cause(RANGES, False, sentence, "Convert the limits to rad: numpy.radians(limits).", result.q, True)]


def find_wrong_unit(context: FailureContext) -> list[Cause]:
    """Return the likely units of a point far beyond reach or close to the base."""
    if not context.mask[3:].all():
        return []
    T, candidates = context.target, list[tuple[float, Cause]]()
    away = float(np.linalg.norm(T[:3, 3]))
    if NEAR * context.size <= away <= FAR * context.size or away == 0.0:
        return []
    points = context.arm.targets(SAMPLES, np.random.default_rng(0))[0][:, :3, 3]
    usual = max(float(np.median(np.linalg.norm(points - context.center, axis=1))), 1e-300)
    for ratio, name in UNITS.items():
        smaller, larger = name.split(" for ")
        factor, text = (1.0 / ratio, name) if away > context.size else (ratio, f"{larger} for {smaller}")
        if context.arm.length_unit != ("m" if away > context.size else "mm"):
            text = f"another unit of length, 1 to {ratio:.4g}, such as {text}"
        corrected = T.copy()
        corrected[:3, 3] *= factor
        there = max(float(np.linalg.norm(corrected[:3, 3] - context.center)), 1e-300)
        evidence = f"; the given point is {away / context.size:.3g} times as far away as the arm can reach"
        candidates += [(abs(np.log(there / usual)), cause) for cause in _if_solved(context, text, corrected, evidence)]
    candidates.sort(key=lambda entry: entry[0])
    likely = [cause for unlikely, cause in candidates if unlikely < candidates[0][0] + LIKELY]
    return [replace(likely[0], name=" or ".join(cause.name for cause in likely))] if likely else []


def correct_round_degrees(context: FailureContext) -> Iterator[tuple[str, Array]]:
    """Yield corrected targets if the values of one angle, or of three, are round numbers of degrees."""
    T = context.target
    size = float(np.linalg.norm(rotation := log_so3(T[:3, :3])))
    for degrees in round_degrees_of(size) if size > 1e-9 else []:
        yield f"degrees for radians, {degrees:g}°", _with_rotation(T, exp_so3(rotation / size * np.radians(degrees)))
    for order, axes in (("xyz about fixed axes", (2, 1, 0)), ("xyz about moving axes", (0, 1, 2))):
        for angles in angles_about(T[:3, :3], axes):
            choices = [
                round_degrees_of(angle) or ([0.0] if abs(angle) < ROUND else round_degrees_of(angle, 0))
                for angle in angles
            ]
            if all(choices) and any(round_degrees_of(angle) for angle in angles):
                i, j, k = (exp_so3(np.eye(3)[axis] * np.radians(choices[axis][0])) for axis in axes)
                listed = ", ".join(f"{some[0]:g}°" for some in choices)
                yield f"degrees for radians, angles {listed} {order}", _with_rotation(T, i @ j @ k)


def round_degrees_of(angle: float, beyond: float = np.pi) -> list[float]:
    """Return the round numbers x with beyond < |x| ≤ 360 for which x rad equals an angle up to revolutions."""
    equivalents = angle + 2.0 * np.pi * np.arange(-58, 59)
    numbers = np.round(equivalents, DECIMALS)
    close = (abs(equivalents - numbers) < ROUND) & (abs(numbers) > beyond) & (abs(numbers) <= 360.0)
    return list(map(float, numbers[close]))


def angles_about(R: Array, axes: tuple[int, int, int]) -> list[Array]:  # noqa: N803
    """Return both triples of angles (x, y, z), rad, about three axes in an order whose product is a rotation."""
    i, j, k = axes
    sign = 1.0 if axes == (0, 1, 2) else -1.0
    middle = np.arctan2(sign * R[i, k], np.hypot(R[i, i], R[i, j]))
    first, last = np.arctan2(-sign * R[j, k], R[k, k]), np.arctan2(-sign * R[i, j], R[i, i])
    triples = np.empty((2, 3))
    triples[:, list(axes)] = (first, middle, last), (first + np.pi, np.pi - middle, last + np.pi)
    return list(triples)


def _with_rotation(T: Array, R: Array) -> Array:  # noqa: N803
    rotated = T.copy()
    rotated[..., :3, :3] = R
    return rotated


def list_corrections(context: FailureContext) -> Iterator[tuple[str, Correction]]:
    """Yield each mistake of frame or order with its correction."""
    base, tool, home = context.arm.base, context.arm.tool, context.arm.home
    if base is not None:
        yield BASE, lambda T: base @ T
    if tool is not None:
        yield TOOL, lambda T: T @ tool
    yield INVERSE, lambda T: np.array([inverse(pose) for pose in T])
    yield "the rotation transposed", lambda T: _with_rotation(T, T[:, :3, :3].transpose(0, 2, 1))
    yield "a twist with (v, ω) for (ω, v)", lambda T: np.array([exp_se3(np.roll(log_se3(pose), 3)) for pose in T])
    yield "a pose seen from the tip at zero, T_bd for T_sd", lambda T: home @ T
    yield "a pose of the base as the tip at zero sees it", lambda T: T @ home


def find_wrong_frame_or_order(context: FailureContext, far: bool) -> tuple[list[Cause], str]:
    """Return the supported mistakes of frame and order, and a sentence about the other corrections that are solved."""
    T, mistakes, open_questions, tried = context.target, list[Cause](), list[str](), [context.target]
    failing: Array | None = None
    for name, correct in list_corrections(context):
        corrected = correct(T[None])[0]
        solved = [] if any(np.allclose(corrected, one) for one in tried) else _if_solved(context, name, corrected)
        tried.append(corrected)
        if not solved:
            continue
        if failing is None:
            similar = draw_similar_targets(context)
            failing = similar if far else similar[~context.solve_each(similar)]
        evidence = find_round_position(context, name, corrected) or find_near_start(
            context, correct, corrected, failing
        )
        share = 0.0 if evidence else measure_share_by_chance(context, correct, failing)
        if share <= RARE:
            evidence = evidence or f"of similar targets that fail, {100 * share:.2g} % are solved by this correction"
            sentence = f"{solved[0].sentence[:-1]}; {evidence}."
            mistakes.append(replace(solved[0], sentence=sentence))
        elif share <= OFTEN:
            open_questions.append(name)
    if mistakes or not open_questions:  # mistakes about a base or a tool are the likeliest
        return [cause for cause in mistakes if cause.name in (BASE, TOOL)] or mistakes, ""
    return [], (
        f"whether the target is {' or '.join(open_questions)}: the corrected target is solved, but the same "
        "correction also helps with similar targets"
    )


def find_round_position(context: FailureContext, name: str, corrected: Array) -> str:
    """Return the evidence if only the corrected position is round to a thousandth of the arm, otherwise ""."""
    grid = 10.0 ** np.floor(np.log10(context.size)) / 1000.0
    original, there = (T[:3, 3] / grid for T in (context.target, corrected))
    is_round = (abs(there - np.round(there)) < 1e-6).all() and np.count_nonzero(np.round(there)) > 1
    about_one_axis = np.diag(corrected[:3, :3]).max() > 1.0 - 1e-9  # its inverse is round without a mistake
    if not is_round or (abs(original - np.round(original)) < 1e-3).all() or (name == INVERSE and about_one_axis):
        return ""
    return f"its position {format_vector(corrected[:3, 3])} is round, that of the given one is not"


def find_near_start(context: FailureContext, correct: Correction, corrected: Array, failing: Array) -> str:
    """Return the evidence if the corrected target is near the tip at q0, and similar targets seldom are, else ""."""
    if context.q0 is None:
        return ""
    tip, length = context.arm.forward_kinematics(context.q0), context.arm.length

    def distances(poses: Array) -> tuple[Array, Array, Array]:
        cosines = (np.einsum("ij,kij->k", tip[:3, :3], poses[:, :3, :3]) - 1.0) / 2.0
        angles, lengths = np.arccos(np.clip(cosines, -1.0, 1.0)), np.linalg.norm(poses[:, :3, 3] - tip[:3, 3], axis=1)
        return np.hypot(angles, lengths / length), angles, lengths

    both, angles, lengths = distances(np.array([context.target, corrected]))
    if both[0] < NEARER * both[1]:
        return ""
    similar = draw_similar_targets(context, 4 * SAMPLES)
    share = float(np.mean(distances(correct(similar))[0] <= both[1])) * SAMPLES / max(len(failing), 1)
    if share > RARE:
        return ""
    near, original = (
        f"{np.degrees(angle):.3g}° and {format_length(distance, context.arm.unit_in_words)}"
        for angle, distance in zip(angles[::-1], lengths[::-1], strict=True)
    )
    return f"it is {near} from the tip at q0, the given one {original}"


def draw_similar_targets(context: FailureContext, count: int = SAMPLES) -> Array:
    """Draw targets with random rotations, as far from the arm's center as the target, shape (count, 4, 4)."""
    # rotations between poses of the arm without limits, because a planar arm rotates in its plane only
    rotations = context.unlimited.targets(4 * count, np.random.default_rng(0))[0][:, :3, :3]
    rotations = rotations[: 2 * count] @ rotations[2 * count :].transpose(0, 2, 1)
    poses = np.tile(context.target, (count, 1, 1))
    poses[:, :3, :3] = rotations[:count] @ context.target[:3, :3]
    poses[:, :3, 3] = context.center + rotations[count:] @ (context.target[:3, 3] - context.center)
    return poses


def measure_share_by_chance(context: FailureContext, correct: Correction, failing: Array) -> float:
    """Return the share of failing targets that a correction solves; inf if there are too few targets."""
    if len(failing) < FEWEST:
        return np.inf
    solved = list[bool]()
    for part, largest in ((failing[:10], 1.0), (failing[10:FEWEST], 0.2), (failing[FEWEST:], 3.0 * RARE)):
        if not len(part) or (solved and np.mean(solved) > largest):
            break  # the share is too large
        solved += context.solve_each(correct(part)).tolist()
    return float(np.mean(solved))
