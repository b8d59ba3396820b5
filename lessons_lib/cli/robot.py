"""Which robot the words of a command mean: one of the library's, a URDF, or a table of Denavit and Hartenberg."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lessons_lib.cli.poses import floats_of, pose_of
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:
    from lessons_lib.robots import Chain

ROBOTS = ("planar-2r", "ur10", "panda")
TYPES = ("revolute", "prismatic", "fixed")
CONVENTIONS = ("standard", "modified")


def add_arguments(command: argparse.ArgumentParser, many: bool = False) -> None:
    """Let a command be told its robot; `many` lets it be told several of the library's."""
    named = "some of" if many else "one of"
    command.add_argument(
        "robots" if many else "robot",
        nargs="*" if many else "?",
        type=_one_of_ours if many else str,
        choices=None if many else ROBOTS,  # Python 3.11 takes no robots at all for a choice, and a wrong one
        metavar="ROBOT",
        help=f"{named} {', '.join(ROBOTS)}{' (default: all)' if many else ''}",
    )
    command.add_argument("--urdf", metavar="FILE", help="a robot of your own: its URDF")
    command.add_argument("--base", metavar="LINK", help="of the URDF: the link that carries {s} (default: the root)")
    command.add_argument(
        "--tip", metavar="LINK", help="of the URDF: the link that carries {b} (default: the only leaf)"
    )
    command.add_argument(
        "--dh",
        metavar="FILE",
        help="a robot of your own: a line a joint, a alpha d [theta] [lower upper] [revolute|prismatic|fixed], "
        "m and rad, # begins a comment",
    )
    command.add_argument("--convention", choices=CONVENTIONS, default="standard", help="of --dh (default: standard)")
    command.add_argument("--tool", nargs="+", metavar="NUMBER", help="pose of the tool in the tip's frame, as --target")


def _one_of_ours(name: str) -> str:
    if name not in ROBOTS:
        raise argparse.ArgumentTypeError(f"invalid choice: {name!r} (choose from {', '.join(map(repr, ROBOTS))})")
    return name


def chain_of(options: argparse.Namespace) -> Chain:
    """Return the one robot that a command was told.

    Raises:
        ParameterError: None, or more than one, or an option that belongs to another.
        LessonsError: A file that is not what it should be.
    """
    from lessons_lib import robots

    given = [name for name in ("robot", "urdf", "dh") if getattr(options, name, None)]
    if len(given) != 1:
        told = " and ".join(word if word == "robot" else f"--{word}" for word in given) or "none"
        raise ParameterError(f"a robot is one of {', '.join(ROBOTS)}, or --urdf FILE, or --dh FILE; got {told}")
    for name in ("base", "tip"):
        if getattr(options, name) and not options.urdf:
            raise ParameterError(f"--{name} is {getattr(options, name)!r}; it names a link of a --urdf FILE")
    if options.urdf:
        chain = robots.from_urdf(Path(options.urdf), options.base, options.tip)
    elif options.dh:
        chain = read_dh(Path(options.dh), options.convention)
    else:
        chain = {"planar-2r": robots.planar_2r, "ur10": robots.ur10, "panda": robots.panda}[options.robot]()
    return chain.with_tool(pose_of(floats_of(options.tool, "--tool"), "--tool")) if options.tool else chain


def chains_of(options: argparse.Namespace) -> list[Chain]:
    """Return the robots that a command was told: by default all of the library's."""
    if options.urdf or options.dh:
        options.robot = " ".join(options.robots)
        return [chain_of(options)]
    return [chain_of(argparse.Namespace(**{**vars(options), "robot": name})) for name in options.robots or ROBOTS]


def read_dh(file: Path, convention: str) -> Chain:
    """Return the chain of a table in a text file.

    Raises:
        ParameterError: It cannot be read, or a line is no row of a table; the message names the line.
        ConventionError: There is no row that moves.
    """
    from lessons_lib import robots

    try:
        lines = file.read_text(encoding="utf8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f"--dh {str(file)!r} cannot be read: {error}") from error
    rows, limits, types = [], [], []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        types.append(words.pop() if words[-1] in TYPES else "revolute")
        values = floats_of(words, f"line {number} of {str(file)!r}")
        if len(values) not in (3, 4, 5, 6):
            raise ParameterError(
                f"line {number} of {str(file)!r} has {len(values)} numbers; a row is a alpha d, "
                "or a alpha d theta, and after these two more are the limits"
            )
        bounds = values[-2:] if len(values) > 4 else [-float("inf"), float("inf")]
        row = values[:-2] if len(values) > 4 else values
        rows.append([*row, *[0.0] * (4 - len(row))])
        if types[-1] != "fixed":
            limits.append(bounds)
    if not rows:
        raise ParameterError(f"--dh {str(file)!r} has no row; a line a joint: a alpha d, in m and rad")
    return robots.from_dh(rows, convention, limits=limits or None, name=file.stem, joint_types=types)  # type: ignore[arg-type]


def warn(line: str) -> None:
    """Tell a person something on stderr."""
    print(f"lessons: {line}", file=sys.stderr, flush=True)
