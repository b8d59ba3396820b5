"""The command `lessons study`: run a grid of cases."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from typing import TYPE_CHECKING, Any, get_args

from lessons_lib.cli.arguments import add_arguments, chains_of, one_number, warn
from lessons_lib.errors import ParameterError
from lessons_lib.studies.method_registry import METHODS, First

if TYPE_CHECKING:
    from lessons_lib.pose_ik import Goal
    from lessons_lib.studies import Study, Table

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
    command = commands.add_parser(
        "study",
        help="solve many random poses for each case of a grid, and store the results",
        description="Solve many random poses for each case of a grid, and print a table with a row for each case.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(command, many=True)
    grid = command.add_argument_group("the grid", "each option takes one or several values")
    grid.add_argument("--method", nargs="+", default=["chan"], metavar="NAME", help=f"any of {', '.join(METHODS)}")
    grid.add_argument(
        "--damping",
        nargs="+",
        type=one_number,
        metavar="NUMBER",
        help="parameter of each damped method (default: its own)",
    )
    grid.add_argument(
        "--start",
        nargs="+",
        choices=get_args(First),
        default=["random"],
        help="first start: random for each pose, the middle of the joint ranges, or zero (default: random)",
    )
    grid.add_argument(
        "--restarts", nargs="+", type=int, default=[0], metavar="COUNT", help="largest number of restarts (default: 0)"
    )
    grid.add_argument(
        "--goal", nargs="+", choices=GOALS, default=["pose"], help="part of the pose that counts (default: pose)"
    )
    case = command.add_argument_group("each case")
    case.add_argument("--poses", type=int, default=1000, help="number of random reachable poses (default: 1000)")
    case.add_argument("--steps", type=int, default=30, help="largest number of steps from each start (default: 30)")
    case.add_argument("--seed", type=int, default=0, help="seed of the random poses and starts (default: 0)")
    run = command.add_argument_group("the run")
    run.add_argument("--output", metavar="FOLDER", help="folder of the results; a study that is in it is resumed")
    run.add_argument("--chunk", type=int, default=10_000, help="number of poses in each file (default: 10000)")
    where = run.add_mutually_exclusive_group()
    where.add_argument(
        "--threads", type=int, metavar="COUNT", help="largest number of threads on this machine (default: all cores)"
    )
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="address of a Dask scheduler, such as tcp://10.0.0.1:8786"
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print comma-separated values only")
    form.add_argument("--json", action="store_true", help="print JSON only")
    command.set_defaults(run=_study)


def _study(options: argparse.Namespace) -> int:
    import warnings

    from lessons_lib import studies

    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        answers = studies.run(make_study(options), options.output, scheduler=options.scheduler, threads=options.threads)
    for warning in issued:
        warn(str(warning.message))
    study, folder, table = answers.study, str(answers.folder) if answers.folder else None, answers.table()
    cases = f"{len(study.cases)} case{'s' * (len(study.cases) > 1)}"
    heading = f"{cases}, {study.poses:,} random reachable poses each, seed {study.seed}"
    text = f"{heading}\n\n{table.as_text()}" + (f"\n\nresults in {folder}" if folder else "")
    print_table(table, options, text, folder=folder, complete=answers.complete)
    if not answers.complete:
        raise KeyboardInterrupt
    return 0


def make_study(options: argparse.Namespace) -> Study:
    """Return the study of a command; raise LessonsError for an invalid argument."""
    from lessons_lib import pose_ik
    from lessons_lib.studies import Strategy, Study, method

    methods = {}
    for name in options.method:
        damped = name in METHODS and METHODS[name].damped
        for damping in options.damping if damped and options.damping else [None]:
            methods[name if damping is None else f"{name} {damping:g}"] = method(name, damping)
    if options.damping and not any(METHODS[name].damped for name in options.method):
        raise ParameterError(f"--damping needs a damped method, got {options.damping} with {', '.join(options.method)}")
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


def print_table(table: Table, options: argparse.Namespace, text: str, **about: object) -> None:
    """Print a table as CSV, as JSON with further entries, or as text, by the options --csv and --json."""
    if options.csv:
        writer = csv.DictWriter(sys.stdout, table.rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table.rows)
    else:
        print(json.dumps({**about, "rows": table.rows}, indent=2, allow_nan=False) if options.json else text)
