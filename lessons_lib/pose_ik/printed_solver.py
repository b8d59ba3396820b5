"""A whole solver for a controller: the search for one pose over a single lane, and its kernels, as C99.

It is printed from the text that `solve` runs, for a chain, a goal and a method. What lanes leave to another loop is
left here, too, and says so in its status.
"""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from lessons_lib import __version__
from lessons_lib.arrays import Array
from lessons_lib.codegen import c_plain, modules
from lessons_lib.codegen.linker import Recipe
from lessons_lib.errors import CodegenError
from lessons_lib.pose_ik import lanes, layout
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import Stepping
from lessons_lib.pose_ik.problem import Problem
from lessons_lib.pose_ik.result import STATUSES
from lessons_lib.pose_ik.starts import Restarts
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.variants import variant_of
from lessons_lib.robots import Chain
from lessons_lib.robots.chain_source import plain

LANES = 1


def source(
    arm: Chain,
    *,
    goal: Goal | None = None,
    method: Stepping | None = None,
    starts: Restarts | None = None,
    stop: Stop | None = None,
    evaluations: int = 1000,
) -> str:
    """Return the text of a solver, C99, which needs <math.h> and <stdint.h> alone and allocates nothing.

    It defines `pose_room` and `solve_target`, which are told of at the head of the text, and everything else static.

    Args:
        arm: The arm.
        goal: As in `solve`.
        method: As in `solve`; one that the engine compiles.
        starts: As in `solve`.
        stop: As in `solve`.
        evaluations: Of pose, Jacobian and step in one call, at most: what bounds its time.

    Raises:
        ParameterError: An argument is not what it should be.
        CodegenError: The method runs in Python alone; the default one on an arm in millimetres, whose search measures
            in other units.
    """
    problem = check_problem(arm, method, stop, starts, goal)
    if not lanes.knows(problem):
        raise CodegenError(f"{problem.method!r} is not compiled, so there is no C of it; see Method and Restarts")
    if problem.unit != 1.0:
        raise CodegenError(f"{arm.name} is measured in {problem.unit:g} m by the default method; name a method")
    text = c_plain.source(search_of(problem), ("f2", "f1", "f1", "i", "f1"))
    room = lanes.room_for(problem, evaluations * arm.dof, LANES)
    return "\n".join([_head(problem, evaluations, room.size), text, _entry(arm, room)])


def search_of(problem: Problem) -> Any:
    """Return the search for one pose over a single lane, of which the text is printed."""
    arm, variant = problem.chain, variant_of(problem.method)
    parts = lanes.search_parts(arm, LANES, variant, "solve_pose")
    recipe = Recipe("pose_ik_one_lane", parts, f"{arm.recipe}\n{variant.recipe(arm.dof)}")
    return modules.load(recipe, owner=arm).solve_pose


def _head(problem: Problem, evaluations: int, size: int) -> str:
    """Return the comment at the head, and what a caller needs to know as numbers."""
    arm, stop = problem.arm, problem.stop
    statuses = [f"{code} {status.name}" for code, status in enumerate(STATUSES)]
    spent = f"When they are used up the status is {layout.INTERRUPTED}: with the seed {layout.RESUME} it goes on."
    tolerances = f"{stop.orientation:g} rad, {stop.position:g} m; {stop.max_iterations} steps a start"
    lines = [
        f"Inverse kinematics of {problem.chain.name}, derived and printed by lessons-lib {__version__}; licence: MIT.",
        "",
        f"   int solve_target(const double T[16], const double start[{problem.chain.dof}], int64_t seed,",
        "                    double room[POSE_ROOM], double report[POSE_REPORT]);",
        "",
        "T: the pose of the tip in the base, 4x4, row by row, position in m; start: the first q, within the limits;",
        "seed: of the random starts, zero or more; room: what it works in, filled by pose_room(room) once.",
        "Returns 1 where the pose is solved. report: status, steps, restarts, errors in rad and in m, q, first q.",
        f"Status: {', '.join(statuses)}; below zero: not decided, the library's other loops would go on.",
        "",
        f"Method: {problem.method!r}; tolerances {tolerances}.",
        f"One call makes at most {evaluations} evaluations. {spent}",
        "Limits of the joints: " + ", ".join(f"[{lower:.6g}, {upper:.6g}]" for lower, upper in arm.bounds) + ".",
    ]
    short = [part for line in lines for part in textwrap.wrap(plain(line), 112, replace_whitespace=False) or [""]]
    comment = "\n".join(f" * {line}".rstrip() for line in short)
    report = layout.JOINTS + 2 * problem.chain.dof
    return f"/*\n{comment}\n */\n#define POSE_ROOM {size}\n#define POSE_REPORT {report}\n"


def _entry(arm: Chain, room: Array) -> str:
    """Return what a controller calls."""
    filled = "\n".join(f"  room[{k}] = {_number(room[k])};" for k in np.flatnonzero(room))
    return f"""\
void pose_room(double *room);
int solve_target(const double *T, const double *start, int64_t seed, double *room, double *report);

/* Fill the room in which the search works, once. */
void pose_room(double *room) {{
  for (int k = 0; k < POSE_ROOM; k++) room[k] = 0.0;
{filled}
}}

/* Search for a configuration with which the tip has the pose T. */
int solve_target(const double *T, const double *start, int64_t seed, double *room, double *report) {{
  double target[16], first[{arm.dof}];
  for (int k = 0; k < 16; k++) target[k] = T[k];
  for (int k = 0; k < {arm.dof}; k++) first[k] = start[k];
  return solve_pose((array){{target, 4, 4}}, (array){{first, {arm.dof}, 1}}, (array){{room, POSE_ROOM, 1}}, seed,
                    (array){{report, POSE_REPORT, 1}});
}}
"""


def _number(value: float) -> str:
    return "INFINITY" if value == np.inf else repr(float(value))
