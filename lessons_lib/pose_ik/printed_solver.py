"""The source code of a solver, for a controller or a page: the SIMD search with one lane, and its kernels."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from lessons_lib import __version__
from lessons_lib.arrays import check_count
from lessons_lib.codegen import c_plain, js_plain, modules
from lessons_lib.errors import CodegenError
from lessons_lib.pose_ik import lanes, layout
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.methods import StepMethod
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
    language: str,
    *,
    goal: Goal | None = None,
    method: StepMethod | None = None,
    starts: Restarts | None = None,
    stop: Stop | None = None,
    evaluations: int = 1000,
) -> str:
    """Return the text of a solver, which allocates nothing: C99, which needs <math.h> and <stdint.h>, or JavaScript.

    It defines `pose_room` and `solve_target`; the comment at its head shows in three lines how they are called. In C
    all else is static.

    Args:
        arm: The arm.
        language: "c" or "javascript".
        goal: As in `solve`.
        method: As in `solve`; one that the engine compiles.
        starts: As in `solve`.
        stop: As in `solve`.
        evaluations: Of pose, Jacobian and step in one call, at most: what bounds its time.

    Raises:
        ParameterError: An argument is not what it should be.
        CodegenError: Another language; the method runs in Python alone; the default one on an arm in millimetres, whose
            search measures in other units.
    """
    if language not in _ENTRIES:
        raise CodegenError(f"language must be {' or '.join(map(repr, _ENTRIES))} for a solver, got {language!r}")
    problem = check_problem(arm, method, stop, starts, goal)
    check_count("evaluations", evaluations, 1)
    if not lanes.knows(problem):
        raise CodegenError(f"{problem.method!r} with {problem.starts!r} cannot be printed; use a Method with Restarts")
    if problem.unit != 1.0:
        unit = f"{problem.unit:g} {arm.unit_in_words}"
        raise CodegenError(
            f"the default method scales {arm.name} to units of {unit}, as no printed solver does; name a method"
        )
    search, types = search_of(problem), ("f2", "f1", "f1", "i", "f1")
    text = c_plain.source(search, types) if language == "c" else js_plain.source([("solve_pose", search, types)])
    room = lanes.make_scratch(problem, evaluations * arm.dof, LANES)
    numbers = {"POSE_ROOM": room.size, "POSE_REPORT": layout.JOINTS + 2 * arm.dof}
    named = "".join(_ENTRIES[language]["constant"].format(name=name, value=n) for name, n in numbers.items())
    filled = "\n".join(f"  room[{k}] = {_number(room[k], language)};" for k in np.flatnonzero(room))
    entry = _ENTRIES[language]["entry"].replace("DOF", str(arm.dof)).replace("FILLED", filled)
    return "\n".join([_head(problem, evaluations, language), named, text, entry])


def search_of(problem: Problem) -> Any:
    """Return the search for one pose with one lane, whose text is printed."""
    arm, variant = problem.chain, variant_of(problem.method)
    recipe = lanes.recipe(arm, variant, LANES)
    return modules.load(recipe, owner=arm).solve_pose


def _head(problem: Problem, evaluations: int, language: str) -> str:
    """Return the comment at the head of the file."""
    arm, stop = problem.arm, problem.stop
    statuses = [f"{code} {status.name}" for code, status in enumerate(STATUSES)]
    spent = f"When they are used up the status is {layout.INTERRUPTED}: with the seed {layout.RESUME} it goes on."
    position = f"{stop.position:g} {problem.chain.unit_in_words}"
    tolerances = f"{stop.orientation:g} rad, {position}; {stop.max_iterations} steps a start"
    lines = [
        f"Inverse kinematics of {problem.chain.name}, derived and printed by lessons-lib {__version__}; licence: MIT.",
        "",
        "Use:",
        "",
        *usage(language, problem.chain.dof),
        "",
        "T: the pose of the tip in the base, 4x4, row by row, position in m; start: the first q, within the limits.",
        "seed (1 above): any whole number from zero on; it chooses the random starts.",
        "room: scratch memory of one search at a time. Fill it by pose_room first: without that, no pose is solved.",
        "Returns whether the pose is solved. report: status, steps, restarts, errors in rad and in m, q, first q.",
        f"Status: {', '.join(statuses)}; below zero: not decided, the library's other loops would go on.",
        "",
        f"Method: {problem.method!r}; tolerances {tolerances}.",
        f"One call makes at most {evaluations} evaluations. {spent}",
        "Limits of the joints: " + ", ".join(f"[{lower:.6g}, {upper:.6g}]" for lower, upper in arm.bounds) + ".",
    ]
    short = [part for line in lines for part in textwrap.wrap(plain(line), 112, replace_whitespace=False) or [""]]
    comment = "\n".join(f" * {line}".rstrip() for line in short)
    return f"/*\n{comment}\n */"


def usage(language: str, dof: int) -> list[str]:
    """Return the three lines of the header that solve a pose T from a first configuration."""
    last = layout.JOINTS + dof
    return _ENTRIES[language]["use"].format(dof=dof, first=layout.JOINTS, last=last).splitlines()


_ENTRIES = {
    "c": {
        "use": """\
   double room[POSE_ROOM], report[POSE_REPORT], q[{dof}];
   pose_room(room);  // once
   if (solve_target(T, start, 1, room, report)) for (int k = 0; k < {dof}; k++) q[k] = report[{first} + k];""",
        "constant": "#define {name} {value}\n",
        "entry": """\
void pose_room(double *room);
int solve_target(const double *T, const double *start, int64_t seed, double *room, double *report);

/* Fill the room in which the search works, once. */
void pose_room(double *room) {
  for (int k = 0; k < POSE_ROOM; k++) room[k] = 0.0;
FILLED
}

/* Search for a configuration with which the tip has the pose T. */
int solve_target(const double *T, const double *start, int64_t seed, double *room, double *report) {
  double target[16], first[DOF];
  for (int k = 0; k < 16; k++) target[k] = T[k];
  for (int k = 0; k < DOF; k++) first[k] = start[k];
  return solve_pose((array){target, 4, 4}, (array){first, DOF, 1}, (array){room, POSE_ROOM, 1},
                    seed, (array){report, POSE_REPORT, 1});
}
""",
    },
    "javascript": {
        "use": """\
   const room = pose_room(), report = new Float64Array(POSE_REPORT);  // once
   let q;
   if (solve_target(T, start, 1, room, report)) q = report.slice({first}, {last});""",
        "constant": "const {name} = {value};\n",
        "entry": """\
/** Return the room in which a search works. */
function pose_room() {
  const room = new Float64Array(POSE_ROOM);
FILLED
  return room;
}

/** Search for a configuration with which the tip has the pose T; say whether there is one. */
function solve_target(T, start, seed, room, report) {
  return Boolean(solve_pose(matrix(Float64Array.from(T), 4, 4), Float64Array.from(start), room, seed, report));
}
""",
    },
}
"""How each language is used, writes a constant, and defines the entry points; DOF is the number of joints."""


def _number(value: float, language: str) -> str:
    endless = {"c": "INFINITY", "javascript": "Infinity"}[language]
    return f"{'-' if value < 0.0 else ''}{endless}" if np.isinf(value) else repr(float(value))
