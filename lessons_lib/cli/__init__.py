"""The command line: `lessons compare`, `solve`, `why`, `study`, `source`, `warm`; `python -m lessons_lib` is the same.

Results go to stdout, everything else to stderr. Exit status: 0 solved, 1 not solved, 2 bad input or an output that
cannot be written, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessons_lib import __version__, hooks
from lessons_lib.cli.arguments import (
    COUNTS,
    add_arguments,
    as_dictionary,
    as_text,
    chain_of,
    chains_of,
    floats_of,
    one_number,
    pose_of,
    warn,
)
from lessons_lib.cli.study import add_study, print_table
from lessons_lib.errors import LessonsError, ParameterError, decimal_comma
from lessons_lib.studies.method_registry import METHODS

if TYPE_CHECKING:
    from lessons_lib.pose_ik import Goal, Result

SOLVED, NOT_SOLVED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
MAX_POSES = 100_000  # some minutes of work
WHY = "solve, and explain why a pose is not reached: causes in order, each with the numbers that show it"
COMPARED = {
    "example-6.1": "known: steps of the planar 2R from Modern Robotics' start (0°, 30°)",
    "ur10": "known: steps of the UR10 from the singular home, to the first of nine waypoints",
}
LANGUAGES = ("numpy", "scalar", "javascript", "c", "array_api")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status.

    Args:
        arguments: Words of the command line; those of this process by default.
    """
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")  # an ASCII stream gets ° as \xb0
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args([_without_exponent(word) for word in words])
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except LessonsError as error:
        print(f"lessons: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("lessons: interrupted", file=sys.stderr)
        return INTERRUPTED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a reader such as `head` may stop early
            print(f"lessons: cannot write: {error}", file=sys.stderr)
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 (Python flushes it again at exit)
        return SOLVED if isinstance(error, BrokenPipeError) else BAD_INPUT
    return status


def _without_exponent(word: str) -> str:
    """Return a negative number without its exponent, because argparse reads -1e-3 as an option."""
    if not word.startswith("-"):
        return word
    try:
        value = Decimal(word)
    except InvalidOperation:
        return word
    return format(value, "f") if value.is_finite() else word


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lessons",
        description="From Symbols to Solver: inverse kinematics, compared and solved.",
        epilog="Exit status: 0 solved (or compared, or compiled), 1 not solved, 2 bad input, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"lessons {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_compare(commands)
    for name, help_ in (("solve", "solve one pose, or each line of standard input"), ("why", WHY)):
        _add_solve(commands, name, help_)
    add_study(commands)
    _add_source(commands)
    _add_warm(commands)
    return parser


def _add_compare(commands: Any) -> None:
    command = commands.add_parser("compare", help="compare Newton-Raphson, Gauss-Newton and Levenberg-Marquardt")
    command.add_argument("problem", choices=tuple(COMPARED), help="which arm and which known start")
    command.add_argument("--poses", type=int, default=1000, help="number of random reachable poses (default: 1000)")
    command.add_argument("--seed", type=int, default=11, help="seed of the random poses and starts (default: 11)")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print comma-separated values only")
    form.add_argument("--json", action="store_true", help="print JSON only")
    command.set_defaults(run=_compare)


def _add_solve(commands: Any, name: str, help_: str) -> None:
    command = commands.add_parser(name, help=help_)
    add_arguments(command)
    command.add_argument(
        "--target",
        nargs="+",
        required=True,
        metavar="NUMBER",
        help="the pose of the tip: 6 numbers x y z rx ry rz, position in m and rotation vector in rad; "
        "7 numbers x y z qx qy qz qw, position and unit quaternion with its real part last, as in ROS and Pinocchio; "
        "16 numbers, the 4x4 matrix row by row; or - to read one target from each line of standard input and to print "
        "a line of JSON for it",
    )
    command.add_argument("--start", nargs="+", metavar="NUMBER", help="first configuration, rad or m (default: zero)")
    _add_method(command, "chan")
    counts = command.add_mutually_exclusive_group()
    counts.add_argument(
        "--weights",
        type=one_number,
        nargs=6,
        metavar="W",
        help="six weights of the error: rotation x y z, position x y z",
    )
    counts.add_argument("--position-only", action="store_true", help="reach the position with any orientation")
    counts.add_argument("--orientation-only", action="store_true", help="reach the orientation at any position")
    counts.add_argument(
        "--pointing",
        nargs=3,
        metavar="NUMBER",
        help="let the tip rotate about this axis in its frame: 0 0 1 for its z axis",
    )
    command.add_argument(
        "--max-time", type=one_number, metavar="SECONDS", help="time limit of each search (default: none)"
    )
    command.add_argument("--json", action="store_true", help="print JSON only")
    command.set_defaults(run=_solve, explains=name == "why")


def _add_method(command: argparse.ArgumentParser, default: str | None) -> None:
    help_ = f"one of {', '.join(METHODS)} (default: {default or 'that of solve in Python'})"
    command.add_argument("--method", default=default, help=help_)
    command.add_argument("--damping", type=one_number, help="parameter of the damping: lambda, w or tau")


def _add_source(commands: Any) -> None:
    command = commands.add_parser("source", help="print the generated kinematics of a robot")
    add_arguments(command)
    command.add_argument("--language", choices=LANGUAGES, default="c", help="language of the text (default: c)")
    command.add_argument("--solver", action="store_true", help="print a whole solver, in C or JavaScript")
    _add_method(command, None)
    command.set_defaults(run=_source)


def _add_warm(commands: Any) -> None:
    command = commands.add_parser("warm", help="compile the code of robots and figures in advance")
    add_arguments(command, many=True)
    command.set_defaults(run=_warm)


def _source(options: argparse.Namespace) -> int:
    from lessons_lib import studies

    problem = {}
    if options.method is not None:
        problem["method"] = studies.method(options.method, options.damping)
    if not options.solver and (options.method, options.damping) != (None, None):
        raise ParameterError("--method and --damping belong to a solver; add --solver")
    if options.method is None and options.damping is not None:
        raise ParameterError("--damping is a parameter of a method, got none; add --method NAME")
    print(chain_of(options).source(options.language, options.solver, **problem), end="")
    return SOLVED


def _warm(options: argparse.Namespace) -> int:
    from lessons_lib import extras

    for chain in chains_of(options):
        chain.compile(warn)
    if not (options.robots or options.urdf or options.dh or extras.missing_modules("course")):
        for derive_figures in hooks.implementations("figures"):
            derive_figures(warn)
    return SOLVED


def _compare(options: argparse.Namespace) -> int:
    from lessons_lib import studies
    from lessons_lib.studies.comparison import MANY_STARTS, ONE_START, RESTARTS

    if not 1 <= options.poses <= MAX_POSES:
        raise ParameterError(f"--poses must be an integer from 1 to {MAX_POSES:,}, got {options.poses}")
    if options.seed < 0:
        raise ParameterError(f"--seed must be a nonnegative integer, got {options.seed}")
    table = studies.compare(options.problem, poses=options.poses, seed=options.seed)
    heading = f"""{options.problem}: {options.poses} random reachable poses, \
solved to {ONE_START.orientation:g} rad and {ONE_START.position:g} m"""
    legend = f"""{COMPARED[options.problem]}
first: largest change of a joint in the first of these steps, rad
solved, mean, median: one random start for each pose, at most {ONE_START.max_iterations} steps
step, largest: largest change of a joint in one step, rad; median and maximum over all poses
restarted: solved with {RESTARTS.count} restarts of {MANY_STARTS.max_iterations} steps; restarts: mean number used"""
    print_table(table, options, f"{heading}\n\n{table.as_text()}\n\n{legend}", problem=options.problem)
    return SOLVED


def _solve(options: argparse.Namespace) -> int:
    from lessons_lib import pose_ik, studies

    chain, goal, method = chain_of(options), _goal(options), studies.method(options.method, options.damping)
    start = None if options.start is None else floats_of(options.start, "--start")

    answer: dict[str, Any]

    def solve(words: Sequence[str], what: str) -> Result:
        target = pose_of(floats_of(words, what), what)
        return pose_ik.solve(chain, target, start, goal=goal, method=method, max_time=options.max_time)

    if options.target != ["-"]:
        result = solve(options.target, "--target")
        answer = as_dictionary(result) | (_causes(result) if options.explains else {})
        text = as_text(chain, result) + (f"\n{result.explain()}" if options.explains else "")
        print(json.dumps(answer, indent=2) if options.json else text)
        return SOLVED if result.converged else NOT_SOLVED
    statuses = {SOLVED}
    for number, line in enumerate(sys.stdin, 1):
        try:
            line = line.removeprefix("\ufeff")  # a byte order mark
            words = line.split() if decimal_comma(line, COUNTS) else line.replace(",", " ").split()
            result = solve(words, f"line {number}")
        except LessonsError as error:
            answer = {"line": number, "error": str(error)}
            statuses.add(BAD_INPUT)
        else:
            answer = {"line": number, **as_dictionary(result), **(_causes(result) if options.explains else {})}
            statuses.add(SOLVED if result.converged else NOT_SOLVED)
        print(json.dumps(answer), flush=True)
    return max(statuses)


def _causes(result: Result) -> dict[str, Any]:
    """Return the explanation as a dictionary for JSON."""
    explanation = result.explain()
    causes = [{key: getattr(cause, key) for key in ("name", "proven", "sentence", "remedy")} for cause in explanation]
    return {"causes": causes, "not_judged": list(explanation.not_judged)}


def _goal(options: argparse.Namespace) -> Goal | None:
    from lessons_lib import pose_ik

    if options.weights is not None:
        return pose_ik.pose(options.weights)
    if options.pointing is not None:
        return pose_ik.pointing(floats_of(options.pointing, "--pointing"))
    if options.position_only:
        return pose_ik.position_only()
    return pose_ik.orientation_only() if options.orientation_only else None
