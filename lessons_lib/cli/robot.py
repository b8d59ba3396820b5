"""Select the robot of a command: one of the library, a URDF, or a Denavit-Hartenberg table."""

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
