"""Which robot the words of a command mean: one of the library's, a URDF, or a table of Denavit and Hartenberg."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from lessons_lib.cli.poses import floats_of, pose_of
from lessons_lib.errors import ParameterError

if TYPE_CHECKING:
    from lessons_lib.robots import Chain


def add_arguments(command: argparse.ArgumentParser, many: bool = False) -> None:
    """Let a command be told its robot; `many` lets it be told several of the library's."""
    from lessons_lib.robots import ROBOTS
    from lessons_lib.robots.denavit_hartenberg import CONVENTIONS

    named = "some of" if many else "one of"
    command.add_argument(
        "robots" if many else "robot",
        nargs="*" if many else "?",
        type=_one_of_ours if many else str,
        choices=None if many else tuple(ROBOTS),  # Python 3.11 takes no robots at all for a choice, and a wrong one
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
        "m and rad, numbers like 0.5, -pi/2 or 90°; # begins a comment",
    )
    command.add_argument("--convention", choices=CONVENTIONS, default="standard", help="of --dh (default: standard)")
    command.add_argument("--tool", nargs="+", metavar="NUMBER", help="pose of the tool in the tip's frame, as --target")


def _one_of_ours(name: str) -> str:
    from lessons_lib.robots import ROBOTS

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
        raise ParameterError(f"a robot is one of {', '.join(robots.ROBOTS)}, or --urdf FILE, or --dh FILE; got {told}")
    for name in ("base", "tip"):
        if getattr(options, name) and not options.urdf:
            raise ParameterError(f"--{name} is {getattr(options, name)!r}; it names a link of a --urdf FILE")
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
    """Return the robots that a command was told: by default all of the library's."""
    from lessons_lib.robots import ROBOTS

    if options.urdf or options.dh:
        options.robot = " ".join(options.robots)
        return [chain_of(options)]
    return [chain_of(argparse.Namespace(**{**vars(options), "robot": name})) for name in options.robots or ROBOTS]


def warn(line: str) -> None:
    """Tell a person something on stderr."""
    print(f"lessons: {line}", file=sys.stderr, flush=True)
