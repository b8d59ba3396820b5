"""The source code of a solver for a controller or a page: a search with the kernels of an arm, in one text."""
# It is the SIMD search with one lane, or the sequential search for the problems that the SIMD search does not serve.
# With one lane the SIMD search takes two thirds of the time of the sequential one for a UR10.

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from lessons_lib import __version__
from lessons_lib.arrays import Array, check_count
from lessons_lib.codegen import c_plain, js_plain, linker
from lessons_lib.codegen.addresses import KERNEL
from lessons_lib.codegen.linker import Constants, Imported, Plain, Recipe
from lessons_lib.errors import CodegenError, ParameterError
from lessons_lib.lie import poses
from lessons_lib.other_libraries import suggest_arguments
from lessons_lib.pose_ik import lanes, layout, printed_search, sequential
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.pose_ik.goal import Goal
from lessons_lib.pose_ik.iteration import scratch_size
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.problem import Problem, Stop
from lessons_lib.pose_ik.result import STATUSES
from lessons_lib.pose_ik.settings import reach_of, settings_of
from lessons_lib.pose_ik.starts import Near, Starts
from lessons_lib.pose_ik.variant import is_compiled, variant_of
from lessons_lib.robots import Chain
from lessons_lib.robots.chain_source import comment_text

LANES = 1
_TYPES = ("f2", "f1", "f1", "i", "f1")
"""The types of a search's arguments: target, first start, room, seed, report; a sequential one also takes kernels."""


@suggest_arguments
def source(
    arm: Chain,
    language: str,
    /,
    *,
    goal: Goal | None = None,
    method: StepMethod | None = None,
    starts: Starts | None = None,
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
        evaluations: Of pose, Jacobian and step in one call, at most: what bounds its time. The sequential search pauses
            between two starts alone, so it needs more than twice the steps of one.

    Raises:
        ParameterError: An argument is invalid, or the evaluations are too few.
        CodegenError: Another language; a method that runs in Python alone; the default method on an arm in millimetres,
            whose search measures in other units.
    """
    if language not in _ENTRIES:
        raise CodegenError(f"language must be {' or '.join(map(repr, _ENTRIES))} for a solver, got {language!r}")
    problem = check_problem(arm, method, stop, starts, goal)
    check_count("evaluations", evaluations, 1)
    if not is_compiled(problem.method):
        raise CodegenError(f"{problem.method!r} runs in Python alone and cannot be printed; use a Method")
    if problem.unit != 1.0:
        unit = f"{problem.unit:g} {arm.unit_in_words}"
        raise CodegenError(
            f"the default method scales {arm.name} to units of {unit}, as no printed solver does; name a method, such "
            "as method=pose_ik.LevenbergMarquardt()"
        )
    scratch, (search, *kernels) = initial_scratch(problem, evaluations), search_for(problem)
    printed: list[Any] = [("run", run, KERNEL) for run in kernels]
    printed += [(search.__name__, search, (*_TYPES, *("k" for _ in kernels)))]
    text = {"c": c_plain, "javascript": js_plain}[language].source(printed)
    numbers = {"POSE_ROOM": scratch.size, "POSE_REPORT": layout.JOINTS + 2 * arm.dof}
    named = "".join(_ENTRIES[language]["constant"].format(name=name, value=n) for name, n in numbers.items())
    filled = "\n".join(f"  room[{k}] = {_number(scratch[k], language)};" for k in np.flatnonzero(scratch))
    entry = _ENTRIES[language]["entry"].replace("DOF", str(arm.dof)).replace("FILLED", filled)
    entry = entry.replace("SEARCH", search.__name__).replace(", KERNELS", ", run" if kernels else "")
    return "\n".join([_head(problem, evaluations, language), named, text, entry])


def search_for(problem: Problem) -> list[Any]:
    """Return the functions to print: the search, and for a sequential one the kernels that it calls."""
    arm = problem.chain
    if lanes.supports(problem):
        return [linker.load(lanes.recipe(arm, variant_of(problem.method), LANES), owner=arm).solve_pose]
    parts = (
        Imported(sequential.search_module(), "*"),
        Constants({"ORTHONORMALIZE_TOLERANCE": poses.ORTHONORMALIZE_TOLERANCE}),
        Plain("lessons_lib.lie.poses", only=("orthonormalize",)),
        Plain("lessons_lib.pose_ik.printed_search"),
    )
    return [linker.load(Recipe("pose_ik_printed", parts)).solve_bounded, sequential.kernel_module_for(problem).run]


def initial_scratch(problem: Problem, evaluations: int) -> Array:
    """Return the array of inputs and state of the printed search, whose calls are limited to `evaluations`."""
    arm, dof = problem.arm, problem.chain.dof
    if lanes.supports(problem):
        scratch = lanes.make_scratch(problem, evaluations * dof, LANES)
        lanes.settings_in(scratch, problem, LANES)[layout.DESCENDS] = 1.0  # a target out of reach is UNREACHABLE
        return scratch
    settings, (_, at) = settings_of(problem).copy(), sequential.kernels_for(problem)
    start = int(settings[layout.MAX_ITERATIONS]) + 3  # one for the first q, two for the one that is reported
    # a search that stays near its start takes two, and does not pause; others pause after the start that exceeds
    needed = 2 * start + int(settings[layout.SAMPLES])
    if evaluations < needed:
        raise ParameterError(
            f"evaluations must be at least {needed} for {problem.starts!r} with so many steps a start, "
            f"got {evaluations}; allow more, or fewer steps by {'Near' if isinstance(problem.starts, Near) else 'Stop'}"
        )
    if not isinstance(problem.starts, Near):
        settings[layout.EVALUATIONS] = evaluations - start
    header = np.zeros(printed_search.SETTINGS_BEGIN)
    header[: layout.AT_ENTRIES], header[printed_search.SETTINGS_SIZE] = at, settings.size
    rest = np.zeros(16 + dof + scratch_size(at))
    return np.concatenate([header, settings, reach_of(problem), arm.joints.ravel(), rest])


def _head(problem: Problem, evaluations: int, language: str) -> str:
    """Return the comment at the head of the file."""
    arm, stop = problem.arm, problem.stop
    statuses = [f"{code} {status.name}" for code, status in enumerate(STATUSES)]
    spent = f" If they are used up, the status is {layout.INTERRUPTED}; the same call with seed {layout.RESUME} "
    spent += "resumes."
    steps = int(settings_of(problem)[layout.MAX_ITERATIONS])
    unit = problem.chain.unit_in_words
    tolerances = f"{stop.orientation:g} rad, {stop.position:g} {unit}; {steps} steps a start"
    lines = [
        f"Inverse kinematics of {problem.chain.name}, derived and printed by lessons-lib {__version__}; licence: MIT.",
        "",
        "Use:",
        "",
        *usage(language, problem.chain.dof),
        "",
        f"T: the pose of the tip in the base, 4x4, row by row, position in {unit}; start: first q, within the limits.",
        "seed (1 above): any whole number from zero on; it chooses the random starts.",
        "room: scratch memory of one search at a time. Fill it by pose_room first: without that, no pose is solved.",
        f"Returns whether the pose is solved. report: status, steps, restarts, errors in rad and {unit}, q, first q.",
        f"Status: {', '.join(statuses)}; {_explain_negative_status(problem)}.",
        f"After a status below zero, or {layout.UNREACHABLE}, the rest of the report is not valid.",
        "",
        f"Method: {problem.method!r}; {_describe_starts(problem)}; tolerances {tolerances}.",
        f"One call makes at most {evaluations} evaluations.{'' if isinstance(problem.starts, Near) else spent}",
        "Limits of the joints: " + ", ".join(f"[{lower:.6g}, {upper:.6g}]" for lower, upper in arm.bounds) + ".",
    ]
    wrapped = (textwrap.wrap(comment_text(line), 112, replace_whitespace=False) or [""] for line in lines)
    comment = "\n".join(f" * {part}".rstrip() for parts in wrapped for part in parts)
    return f"/*\n{comment}\n */"


def _explain_negative_status(problem: Problem) -> str:
    """Return the meanings of the negative statuses."""
    invalid = f"{layout.NEEDS_FALLBACK} T is not a pose, or start is outside the limits"
    if not lanes.supports(problem):
        return f"{invalid}, {layout.INVALID_DAMPING} the method has no step"
    settings = lanes.simd_settings(problem)
    unsolved = f"{invalid}, or rounding prevents a step"
    if settings[layout.REPORTS_BEST] > 0.0:
        return unsolved
    failed = "no start led to the pose" + ("; another seed may" if settings[layout.STARTS] > 1.0 else "")
    if settings[layout.FIRST_START] == 0.0:
        return f"{unsolved}, or {failed}"
    return f"{unsolved}, {layout.UNCONSTRAINED_STARTS_FAILED} {failed}"


def _describe_starts(problem: Problem) -> str:
    """Return the starts, and how many of them the printed search makes if that is fewer."""
    if lanes.supports(problem):
        made = int(lanes.simd_settings(problem)[layout.STARTS])
        if made < int(settings_of(problem)[layout.STARTS]):
            return f"{problem.starts!r}, of which this code makes {made} for each seed"
    return repr(problem.starts)


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
  return SEARCH((array){target, 4, 4}, (array){first, DOF, 1}, (array){room, POSE_ROOM, 1},
                seed, (array){report, POSE_REPORT, 1}, KERNELS);
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
  return Boolean(SEARCH(matrix(Float64Array.from(T), 4, 4), Float64Array.from(start), room, seed, report, KERNELS));
}
""",
    },
}
"""How each language is used, writes a constant, and defines the entry points; DOF is the number of joints."""


def _number(value: float, language: str) -> str:
    infinity = {"c": "INFINITY", "javascript": "Infinity"}[language]
    return f"{'-' if value < 0.0 else ''}{infinity}" if np.isinf(value) else repr(float(value))
