"""The command `lessons study`: a grid of cases from the words of a command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, get_args

from lessons_lib.cli.poses import one_number
from lessons_lib.cli.robot import add_arguments, chains_of, warn
from lessons_lib.errors import ParameterError
from lessons_lib.studies.menu import MENU, First

if TYPE_CHECKING:
    from lessons_lib.pose_ik import Goal
    from lessons_lib.studies import Answers, Study

GOALS = ("pose", "position", "orientation")
EPILOG = """
The study combines every robot, method, damping, start, number of restarts and goal. All cases of a robot solve the same
random poses.

With --output each chunk becomes a Parquet file, complete or absent, in a folder named by the study's hash. If the
command is interrupted, the same command solves the missing chunks. The metadata of each file contain units, seeds,
versions and machine; any Parquet reader can read the folder.

To use several machines, start `dask scheduler` on one, `dask worker tcp://HOST:8786 --nthreads CORES` on each, all
with this library, and add --scheduler tcp://HOST:8786. The results are the same.

  lessons study ur10 --method newton chan constant --damping 0.01 0.1 1 --restarts 0 --poses 10000
  lessons study ur10 panda --start random middle --restarts 0 100 --poses 1000000 --output results
"""


def add_study(commands: Any) -> None:
    """Add the command to the program."""
    command = commands.add_parser(
        "study",
        help="solve many random poses for each of a grid of cases, and keep the answers",
        description="Solve many random poses for each of a grid of cases, and print a table with a row for each.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(command, many=True)
    grid = command.add_argument_group("the grid", "one or several words each")
    grid.add_argument("--method", nargs="+", default=["chan"], metavar="NAME", help=f"of {', '.join(MENU)}")
    grid.add_argument(
        "--damping", nargs="+", type=one_number, metavar="NUMBER", help="of each method that has one (default: its own)"
    )
    grid.add_argument(
        "--start",
        nargs="+",
        choices=get_args(First),
        default=["random"],
        help="the first start: random, another for each pose; the middle of the joints' ranges; zero (default: random)",
    )
    grid.add_argument("--restarts", nargs="+", type=int, default=[0], metavar="COUNT", help="at most (default: 0)")
    grid.add_argument("--goal", nargs="+", choices=GOALS, default=["pose"], help="what is asked for (default: pose)")
    asked = command.add_argument_group("what is asked of each case")
    asked.add_argument("--poses", type=int, default=1000, help="number of random reachable poses (default: 1000)")
    asked.add_argument("--steps", type=int, default=30, help="from each start, at most (default: 30)")
    asked.add_argument("--seed", type=int, default=0, help="of all that is random (default: 0)")
    done = command.add_argument_group("how it is done")
    done.add_argument("--output", metavar="FOLDER", help="keep the answers here, and go on with those that are here")
    done.add_argument("--chunk", type=int, default=10_000, help="poses answered and kept together (default: 10000)")
    where = done.add_mutually_exclusive_group()
    where.add_argument("--threads", type=int, metavar="COUNT", help="on this machine, at most (default: all cores)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask scheduler, as tcp://10.0.0.1:8786")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="comma-separated values on stdout, nothing else")
    form.add_argument("--json", action="store_true", help="JSON on stdout, nothing else")
    command.set_defaults(run=_study)


def _study(options: argparse.Namespace) -> int:
    import warnings

    from lessons_lib import studies

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answers = studies.run(declared(options), options.output, scheduler=options.scheduler, threads=options.threads)
    for warning in told:
        warn(str(warning.message))
    if options.json:
        print(answers.as_json())
    else:
        print(answers.as_csv() if options.csv else _as_text(answers))
    if not answers.complete:
        raise KeyboardInterrupt
    return 0


def declared(options: argparse.Namespace) -> Study:
    """Return the study that the words declare.

    Raises:
        LessonsError: An argument is not what it should be.
    """
    from lessons_lib import pose_ik
    from lessons_lib.studies import Strategy, Study, method

    methods = {}
    for name in options.method:
        damped = name in MENU and MENU[name].damped
        for damping in options.damping if damped and options.damping else [None]:
            methods[name if damping is None else f"{name} {damping:g}"] = method(name, damping)
    if options.damping and not any(MENU[name].damped for name in options.method):
        raise ParameterError(f"--damping is {options.damping}, and no method of {', '.join(options.method)} has one")
    stop = pose_ik.Stop(max_iterations=options.steps)
    strategies = {
        f"{first}, {restarts} restarts": Strategy(first, stop, pose_ik.Restarts(restarts))
        for first in options.start
        for restarts in options.restarts
    }
    goals: dict[str, Goal | None] = {
        "pose": None,
        "position": pose_ik.position_only(),
        "orientation": pose_ik.orientation_only(),
    }
    return Study(
        chains_of(options),
        methods,
        strategies,
        {name: goals[name] for name in options.goal},
        poses=options.poses,
        seed=options.seed,
        chunk=options.chunk,
    )


def _as_text(answers: Answers) -> str:
    study, cases = answers.study, len(answers.study.cases)
    heading = f"{cases} case{'s' * (cases > 1)}, {study.poses:,} random reachable poses each, seed {study.seed}"
    kept = [f"\nresults in {answers.folder}"] if answers.folder else []
    return "\n".join([heading, "", answers.as_text(), *kept])
