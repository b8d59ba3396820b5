"""The command line: `lessons compare`, `lessons solve` and `lessons warm`; `python -m lessons_lib` is the same program.

What a machine may read goes to stdout, everything else to stderr. Exit status: 0 solved, 1 not solved, 2 bad input or
nowhere to write, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessons_lib import __version__
from lessons_lib.errors import LessonsError, ParameterError

if TYPE_CHECKING:
    from lessons_lib.arrays import Array
    from lessons_lib.pose_ik import Result
    from lessons_lib.robots import Chain

SOLVED, NOT_SOLVED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
ROBOTS = ("planar-2r", "ur10", "panda")
MOST_POSES = 100_000  # some minutes of work
METHODS = ("newton", "newton-space", "gauss-newton", "constant", "wampler", "chan", "sugihara", "trust-region")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status.

    Args:
        arguments: Words of the command line; those of this process when left out.
    """
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args([_plain(word) for word in words])
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
        if not isinstance(error, BrokenPipeError):  # a reader that has had enough, such as `head`, is no error
            print(f"lessons: cannot write: {error}", file=sys.stderr)
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 (Python flushes it once more at its end)
        return SOLVED if isinstance(error, BrokenPipeError) else BAD_INPUT
    return status


def _plain(word: str) -> str:
    """Return a negative number in scientific notation without its exponent: argparse takes -1e-3 for an option."""
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
        epilog="Exit status: 0 solved (or compared, or compiled), 1 not solved, 2 bad input.",
    )
    parser.add_argument("--version", action="version", version=f"lessons {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_compare(commands)
    _add_solve(commands)
    _add_warm(commands)
    return parser


def _add_compare(commands: Any) -> None:
    command = commands.add_parser("compare", help="compare Newton-Raphson, Gauss-Newton and Levenberg-Marquardt")
    command.add_argument("problem", choices=("example-6.1", "ur10"), help="which arm and which known start")
    command.add_argument("--poses", type=int, default=1000, help="number of random reachable poses (default: 1000)")
    command.add_argument("--seed", type=int, default=11, help="seed of the random poses and starts (default: 11)")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="comma-separated values on stdout, nothing else")
    form.add_argument("--json", action="store_true", help="JSON on stdout, nothing else")
    command.set_defaults(run=_compare)


def _add_solve(commands: Any) -> None:
    command = commands.add_parser("solve", help="solve one pose")
    command.add_argument("robot", choices=ROBOTS, help="which arm")
    command.add_argument(
        "--target",
        type=float,
        nargs="+",
        required=True,
        metavar="NUMBER",
        help="the pose of the tip: 6 numbers x y z rx ry rz, position in m and rotation vector in rad; "
        "or 16 numbers, the 4x4 matrix row by row",
    )
    command.add_argument("--start", type=float, nargs="+", metavar="NUMBER", help="first q, rad (default: zero)")
    command.add_argument("--method", default="chan", help=f"one of {', '.join(METHODS)} (default: chan)")
    command.add_argument("--damping", type=float, help="the method's number: lambda, w or tau")
    command.add_argument(
        "--weights", type=float, nargs=6, metavar="W", help="six weights of the error: rotation x y z, position x y z"
    )
    command.add_argument("--json", action="store_true", help="JSON on stdout, nothing else")
    command.set_defaults(run=_solve)


def _add_warm(commands: Any) -> None:
    command = commands.add_parser("warm", help="compile all that robots will need, so that nothing waits for it later")
    command.add_argument(
        "robots", nargs="*", choices=ROBOTS, metavar="ROBOT", help=f"some of {', '.join(ROBOTS)} (default: all)"
    )
    command.set_defaults(run=_warm)


def _warm(options: argparse.Namespace) -> int:
    for name in options.robots or ROBOTS:
        _robot(name).compile(lambda line: print(f"lessons: {line}", file=sys.stderr, flush=True))
    return SOLVED


def _compare(options: argparse.Namespace) -> int:
    from lessons_lib import studies
    from lessons_lib.studies import tables

    if not 1 <= options.poses <= MOST_POSES:
        raise ParameterError(f"--poses is {options.poses}; it is a whole number from 1 to {MOST_POSES:,}")
    if options.seed < 0:
        raise ParameterError(f"--seed is {options.seed}; a seed is a whole number, zero or more")
    rows = studies.compare(options.problem, poses=options.poses, seed=options.seed, progress=_progress)
    question = studies.problem(options.problem)
    if options.csv:
        print(tables.as_csv(rows))
    elif options.json:
        print(tables.as_json(question, rows))
    else:
        print(tables.as_text(question, rows))
    return SOLVED


def _progress(names: Iterable[str]) -> Iterable[str]:
    """Return the names with a bar on stderr, where a person is looking."""
    from tqdm import tqdm

    nobody_looks = not sys.stderr.isatty()
    bar: Iterable[str] = tqdm(names, "methods", unit="method", file=sys.stderr, disable=nobody_looks, leave=False)
    return bar


def _solve(options: argparse.Namespace) -> int:
    from lessons_lib import pose_ik, studies

    chain = _robot(options.robot)
    method = studies.method(options.method, options.damping, options.weights)
    result = pose_ik.solve(chain, _target(options.target), options.start, method=method)
    print(json.dumps(_as_dictionary(result), indent=2) if options.json else _as_text(chain, result))
    return SOLVED if result.converged else NOT_SOLVED


def _robot(name: str) -> Chain:
    from lessons_lib import robots

    return {"planar-2r": robots.planar_2r, "ur10": robots.ur10, "panda": robots.panda}[name]()


def _target(numbers: Sequence[float]) -> Array:
    """Return the 4×4 target of 6 or 16 numbers.

    Raises:
        ParameterError: Another count, or a number that is not finite.
    """
    import numpy as np

    from lessons_lib import lie

    values = np.array(numbers, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ParameterError(f"--target is {' '.join(map(str, numbers))}; each of its numbers is finite")
    if len(values) == 16:
        return values.reshape(4, 4)
    if len(values) != 6:
        raise ParameterError(
            f"--target has {len(values)} numbers; give 6 (x y z rx ry rz, m and rad) or 16 (a 4x4 matrix, row by row)"
        )
    T = lie.exp_se3(np.concatenate([values[3:], np.zeros(3)]))
    T[:3, 3] = values[:3]
    return T


def _as_dictionary(result: Result) -> dict[str, Any]:
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
    """Return the value, or None where JSON has no number for it."""
    return value if math.isfinite(value) else None


def _as_text(chain: Chain, result: Result) -> str:
    lines = [result.status.sentence]
    width = max(len(name) for name in chain.joint_names)
    units = {"revolute": "rad", "prismatic": "m", "helical": "rad"}
    for name, kind, value in zip(chain.joint_names, chain.joint_types, result.q, strict=True):
        lines.append(f"  {name.ljust(width)}  {value:12.6f} {units[kind]}")
    lines.append(f"steps: {result.iterations}, restarts: {result.restarts}")
    lines.append(f"errors: {result.orientation_error:.2e} rad, {result.position_error:.2e} m")
    return "\n".join(lines)
