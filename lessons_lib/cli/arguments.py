"""Words of the command line: numbers, poses and robots; and a result as JSON or text."""

from __future__ import annotations

import argparse
import math
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessons_lib.errors import ParameterError, decimal_comma

if TYPE_CHECKING:
    from lessons_lib.arrays import Array
    from lessons_lib.pose_ik import Result
    from lessons_lib.robots import Chain


def add_arguments(command: argparse.ArgumentParser, many: bool = False) -> None:
    """Add the arguments that select a robot; with `many`, several of the library."""
    from lessons_lib.robots import ROBOTS
    from lessons_lib.robots.denavit_hartenberg import CONVENTIONS

    named = "some of" if many else "one of"
    command.add_argument(
        "robots" if many else "robot",
        nargs="*" if many else "?",
        type=_robot_name if many else str,
        choices=None if many else tuple(ROBOTS),  # Python 3.11 checks an empty list against the choices
        metavar="ROBOT",
        help=f"{named} {', '.join(ROBOTS)}{' (default: all)' if many else ''}",
    )
    command.add_argument("--urdf", metavar="FILE", help="a robot from a URDF file")
    command.add_argument("--base", metavar="LINK", help="link of the URDF that carries {s} (default: the root)")
    command.add_argument("--tip", metavar="LINK", help="link of the URDF that carries {b} (default: the only leaf)")
    command.add_argument(
        "--dh",
        metavar="FILE",
        help="a robot from a table with one line a joint: a alpha d [theta] [lower upper] [revolute|prismatic|fixed], "
        "in m and rad, numbers like 0.5, -pi/2 or 90°; # begins a comment",
    )
    command.add_argument(
        "--convention", choices=CONVENTIONS, default="standard", help="convention of --dh (default: standard)"
    )
    command.add_argument(
        "--tool", nargs="+", metavar="NUMBER", help="pose of the tool in the tip's frame, in the forms of --target"
    )


def _robot_name(name: str) -> str:
    from lessons_lib.robots import ROBOTS

    if name not in ROBOTS:
        raise argparse.ArgumentTypeError(f"invalid choice: {name!r} (choose from {', '.join(map(repr, ROBOTS))})")
    return name


def chain_of(options: argparse.Namespace) -> Chain:
    """Return the robot that the options of a command name; ParameterError unless it is exactly one."""
    from lessons_lib import robots

    sources = [name for name in ("robot", "urdf", "dh") if getattr(options, name, None)]
    if len(sources) != 1:
        named = " and ".join(word if word == "robot" else f"--{word}" for word in sources) or "none"
        raise ParameterError(f"give one robot: {', '.join(robots.ROBOTS)}, --urdf FILE or --dh FILE; got {named}")
    for name in ("base", "tip"):
        if getattr(options, name) and not options.urdf:
            raise ParameterError(f"--{name} needs --urdf FILE, whose link it names, got {getattr(options, name)}")
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        if options.urdf:
            chain = robots.from_urdf(Path(options.urdf), options.base, options.tip)
        elif options.dh:
            chain = robots.load_dh(options.dh, options.convention)
        else:
            chain = robots.ROBOTS[options.robot]()
    for warning in issued:
        warn(str(warning.message))
    return chain.with_tool(pose_of(floats_of(options.tool, "--tool"), "--tool")) if options.tool else chain


def chains_of(options: argparse.Namespace) -> list[Chain]:
    """Return the robots of a command, by default all of the library."""
    from lessons_lib.robots import ROBOTS

    if options.urdf or options.dh:
        options.robot = " ".join(options.robots)
        return [chain_of(options)]
    return [chain_of(argparse.Namespace(**{**vars(options), "robot": name})) for name in options.robots or ROBOTS]


def warn(line: str) -> None:
    print(f"lessons: {line}", file=sys.stderr, flush=True)


COUNTS = 6, 7, 16
"""Valid numbers of words of a pose."""


def floats_of(words: Sequence[str], what: str) -> list[float]:
    """Return words as numbers; raise ParameterError for one that is not a finite number."""
    values = []
    for word in words:
        try:
            values.append(float(word))
        except ValueError:
            comma = ", which has a decimal comma: write a point" if decimal_comma(f"{word} ", COUNTS) else ""
            raise ParameterError(f"{what} must be numbers such as 0.5 or 5e-1, got {word!r}{comma}") from None
    if not all(map(math.isfinite, values)):
        raise ParameterError(f"{what} must be finite numbers, got {' '.join(map(str, values))}")
    return values


def one_number(word: str) -> float:
    """Return the number of an option; raise argparse.ArgumentTypeError if it is none."""
    try:
        return float(word)
    except ValueError:
        comma = "it has a decimal comma: write a point" if decimal_comma(f"{word} ") else "write it as 0.5 or 5e-1"
        raise argparse.ArgumentTypeError(f"invalid number {word!r}; {comma}") from None


def pose_of(numbers: Sequence[float], what: str) -> Array:
    """Return the 4×4 pose of 6, 7 or 16 numbers; raise ParameterError or TransformError if they are none."""
    import numpy as np

    from lessons_lib import lie

    values = np.array(numbers, dtype=np.float64)
    if len(values) == 16:
        return values.reshape(4, 4)
    if len(values) not in COUNTS:
        raise ParameterError(
            f"{what} must be 6 numbers (x y z rx ry rz, m and rad), 7 (x y z qx qy qz qw) or 16 (a 4x4 matrix, row "
            f"by row), got {len(values)}"
        )
    if len(values) == 6 and (angle := np.linalg.norm(values[3:])) > 2 * np.pi:
        warn(f"the rotation vector of {what} is longer than one revolution, {angle:g} rad; convert degrees to rad")
    of_rotation = lie.exp_so3 if len(values) == 6 else lie.quaternion_to_so3
    return lie.pose(of_rotation(values[3:]), values[:3])


def as_dictionary(result: Result) -> dict[str, Any]:
    return {
        "converged": result.converged,
        "status": result.status.name,
        "sentence": result.status.sentence,
        "q": result.q.tolist(),
        "iterations": result.iterations,
        "restarts": result.restarts,
        "orientation_error": _finite(result.orientation_error),
        "position_error": _finite(result.position_error),
    }


def _finite(value: float) -> float | None:
    """Return the value, or None if it is not finite, which JSON cannot write."""
    return value if math.isfinite(value) else None


def as_text(chain: Chain, result: Result) -> str:
    lines = [result.status.sentence]
    width = max(len(name) for name in chain.joint_names)
    for name, unit, value in zip(chain.joint_names, chain.joint_units, result.q, strict=True):
        lines.append(f"  {name.ljust(width)}  {value:12.6f} {unit}")
    lines.append(f"steps: {result.iterations}, restarts: {result.restarts}")
    lines.append(f"errors: {result.orientation_error:.2e} rad, {result.position_error:.2e} {chain.unit_in_words}")
    return "\n".join(lines)
