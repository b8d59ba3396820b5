"""The compiled search: its text is joined to a chain's derived kernels, compiled once a chain, and called from here."""

from __future__ import annotations

import ast
import math
from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from lessons_lib.codegen import cache
from lessons_lib.lie import jacobian_kernels, kernels
from lessons_lib.pose_ik import layout, split_kernels
from lessons_lib.pose_ik.damping import Chan, Constant, Sugihara, TrustRegion, Wampler
from lessons_lib.pose_ik.initial import Initial, MultiStart, StayNear
from lessons_lib.pose_ik.interruption import Halt, patiently
from lessons_lib.pose_ik.joint_ranges import random_configuration
from lessons_lib.pose_ik.methods import GaussNewton, LevenbergMarquardt, Method, NewtonRaphson
from lessons_lib.pose_ik.problem import Outcome, Problem
from lessons_lib.pose_ik.random_numbers import plant
from lessons_lib.pose_ik.result import STATUSES, Trace
from lessons_lib.pose_ik.search_check import check_search
from lessons_lib.pose_ik.stop import Stop
from lessons_lib.pose_ik.weights import has_weights, judged_components, view_of, weights_of
from lessons_lib.robots import Chain

Array = NDArray[np.float64]

_JIT = '@numba.njit(cache=True, nogil=True, error_model="numpy")'
_FOR_ALL = ("layout", "random_numbers", "joint_ranges", "clamped_steps", "compiled_rules")
_FOR_A_SIZE = ("layout", "compiled_steps")
_FOR_A_CHAIN = ("layout", "compiled_loop")
_modules: WeakKeyDictionary[Chain, ModuleType] = WeakKeyDictionary()
_near_modules: WeakKeyDictionary[Chain, ModuleType] = WeakKeyDictionary()
_trusted: set[str] = set()
"""Modules that have been checked."""


def can_compile(method: Method) -> bool:
    """Return whether a method, with its damping, is one of the library's own, which the compiled loop knows."""
    if type(method) is LevenbergMarquardt:
        return type(method.damping) in (Constant, Wampler, Chan, Sugihara, TrustRegion)
    return type(method) in (NewtonRaphson, GaussNewton)


def module_for(chain: Chain) -> ModuleType:
    """Return the generated module with solve_rows and retrace for a chain; the first call to them compiles."""
    module = _modules.get(chain)
    if module is None:
        needed = (chain.kernels, kernels.module(), rules_module(), steps_module(chain.dof))
        module = cache.load("pose_ik", chain.recipe, lambda: source(chain), needed, owner=chain)
        _modules[chain] = module
    return module


def near_module_for(chain: Chain) -> ModuleType:
    """Return the generated module with stay_near for a chain, apart from the other, so that few need to compile it."""
    module = _near_modules.get(chain)
    if module is None:
        base = module_for(chain)
        text = _text(f"from {base.__name__} import *", parts=("compiled_near",))
        module = _near_modules[chain] = cache.load("pose_ik_near", chain.recipe, lambda: text, (base,), owner=chain)
    return module


def rules_module() -> ModuleType:
    """Return the generated module with what all arms share."""
    return cache.load("pose_ik_rules", "", lambda: _text(parts=_FOR_ALL))


def steps_module(dof: int) -> ModuleType:
    """Return the generated module with what depends on the number of joints alone."""
    needed = (kernels.module(), jacobian_kernels.module(), split_kernels.module())
    imports = [f"from {needed[0].__name__} import adjoint_kernel"]
    imports += [f"from {needed[1].__name__} import left_jacobian_inverse_se3_kernel"]
    imports += [f"from {needed[2].__name__} import split_along_axes_kernel, split_in_body_kernel"]
    return cache.load("pose_ik_steps", str(dof), lambda: _text(*imports, _size(dof), parts=_FOR_A_SIZE), needed)


def source(chain: Chain) -> str:
    """Return the text of a chain's module: its kernels and the functions it shares, imported, then the loop."""
    imports = [
        f"from {chain.kernels.__name__} import chain_kernel",
        f"from {kernels.module().__name__} import between_kernel, log_se3_kernel",
        f"from {rules_module().__name__} import *",
        f"from {steps_module(chain.dof).__name__} import *",
    ]
    return _text(*imports, _size(chain.dof), parts=_FOR_A_CHAIN)


def _size(dof: int) -> str:
    return f"DOF = {dof}\nSIZE = {min(dof, 6)}"


def _text(*heading: str, parts: tuple[str, ...]) -> str:
    """Return the text of a module: imports and constants, then the functions of some of this package's files."""
    imports = ["from __future__ import annotations", "import math", "import numba\nimport numpy as np"]
    functions = [part for name in parts for part in functions_and_constants(name)]
    return "\n\n".join([*imports, *heading, *functions]) + "\n"


def functions_and_constants(name: str, mark: str = _JIT, marks: Mapping[str, str] | None = None) -> list[str]:
    """Return the constants of one of this package's files, and its functions, each marked for the compiler.

    Args:
        name: Of the file.
        mark: Decorator of the functions.
        marks: Another decorator for some of them, by name.
    """
    text = Path(__file__).with_name(f"{name}.py").read_text("utf-8")
    lines, parts = text.splitlines(), []
    for node in ast.parse(text).body:
        segment = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef):
            parts.append(f"{(marks or {}).get(node.name, mark)}\n{segment}")
        elif isinstance(node, ast.Assign) and segment.split("=")[0].isupper():
            parts.append(segment)
    return parts


def settings_of(problem: Problem) -> Array:
    """Return method, stopping rule and strategy as one flat array; see layout.py for its places."""
    return _settings(cast(Hashable, problem.method), problem.stop, problem.initial)


@lru_cache(maxsize=256)
def _settings(method: Hashable, stop: Stop, initial: Initial | None) -> Array:
    settings = np.zeros(layout.SETTINGS)
    settings[layout.MODEL] = _model_code(method)
    if isinstance(method, LevenbergMarquardt):
        settings[layout.METHOD] = layout.DAMPED
        settings[[layout.DAMPING, layout.DAMPING_VALUE, layout.ACCEPT]] = _damping_codes(method)
    settings[layout.ORIENTATION], settings[layout.POSITION] = stop.orientation, stop.position
    settings[layout.MAX_ITERATIONS], settings[layout.STARTS] = stop.max_iterations, 1 + stop.restarts
    if isinstance(initial, MultiStart):
        settings[layout.STARTS], settings[layout.NEAREST] = initial.starts, 1.0
    elif isinstance(initial, StayNear):
        settings[layout.MAX_ITERATIONS], settings[layout.STARTS] = initial.steps, 1
        settings[layout.STAYS_NEAR] = 1.0
    elif initial is not None:
        settings[layout.SAMPLES] = initial.samples
    settings[layout.WEIGHTED] = 0.0 if (weights_of(method) == 1.0).all() else 1.0
    settings[layout.ROOT_WEIGHT : layout.ROOT_WEIGHT + 6] = np.sqrt(weights_of(method))
    settings[layout.JUDGED : layout.JUDGED + 6] = judged_components(method)
    settings[layout.BY_OBJECTIVE] = 1.0 if has_weights(method) else 0.0
    settings[layout.LOOKS] = math.inf
    settings.setflags(write=False)
    return settings


def _model_code(method: object) -> float:
    frame, split = view_of(method)
    if split:
        codes = {"body": layout.SPLIT_IN_BODY, "space": layout.SPLIT_IN_SPACE, "target": layout.SPLIT_IN_TARGET}
        return codes[frame]
    if getattr(method, "is_exact", False):
        return layout.EXACT
    return layout.SPACE if frame == "space" else layout.BODY


def _damping_codes(method: LevenbergMarquardt) -> tuple[float, float, float]:
    """Return the kind of damping, its number, and the gain from which a step is accepted."""
    match method.damping:
        case Constant(damping):
            return layout.FIXED, damping * damping, 0.0
        case Wampler(damping):
            return layout.FIXED, damping, 0.0
        case Chan(damping):
            return layout.TIMES_ERROR, damping, 0.0
        case Sugihara(bias):
            return layout.PLUS_ERROR, bias, 0.0
        case TrustRegion(initial, accept):
            return layout.ADAPTIVE, initial, accept
    raise AssertionError(f"{method.damping!r} passed can_compile but has no code")


def search_rows(
    problem: Problem,
    targets: Array,
    starts: Array,
    seeds: NDArray[np.int64],
    reports: Array | None = None,
    settings: Array | None = None,
) -> Array:
    """Return the reports of many searches, shape (k, 5 + 2 n); see layout.py for the places in a row.

    Args:
        problem: How to solve.
        targets: Poses, shape (k, 4, 4).
        starts: First starts, shape (k, n).
        seeds: Shape (k,).
        reports: Where to write them; a new array if left out.
        settings: Those of the problem, if something shall be able to end the search early; see interruption.py.

    Raises:
        KinematicsError: What was compiled does not stand on the product of exponentials.
    """
    near = isinstance(problem.initial, StayNear)
    module = module_of(problem)
    if module.__name__ not in _trusted:
        check_search(partial(_report, problem.initial if near else None), problem.chain, "the compiled loop")
        _trusted.add(module.__name__)
    return _reports(problem, targets, starts, seeds, reports, settings)


def module_of(problem: Problem) -> ModuleType:
    """Return the generated module that searches for a problem."""
    return (near_module_for if isinstance(problem.initial, StayNear) else module_for)(problem.chain)


def _reports(
    problem: Problem,
    targets: Array,
    starts: Array,
    seeds: NDArray[np.int64],
    reports: Array | None = None,
    settings: Array | None = None,
) -> Array:
    settings = settings_of(problem).copy() if settings is None else settings
    reports = no_reports(len(targets), problem.chain.dof) if reports is None else reports
    arm = problem.arm
    if settings[layout.STAYS_NEAR] > 0.0:
        near_module_for(problem.chain).stay_near(targets, starts, arm.joints, settings, seeds, reports)
        return reports
    module_for(problem.chain).solve_rows(targets, starts, arm.joints, arm.reach, settings, seeds, reports)
    return reports


def _report(initial: Initial | None, problem: Problem, target: Array, start: Array) -> Array:
    problem = replace(problem, initial=initial)
    return np.asarray(_reports(problem, target[None], start[None], np.array([0]))[0])


def no_reports(rows: int, dof: int) -> Array:
    """Return room for the reports of some rows, of which none has ended, shape (k, 5 + 2 n)."""
    reports = np.empty((rows, layout.JOINTS + 2 * dof))
    reports[:, layout.STATUS] = layout.INTERRUPTED
    return reports


def report_of(found: Outcome) -> Array:
    """Return an outcome as a report, shape (5 + 2 n,); see layout.py for its places."""
    code = STATUSES.index(found.status)
    numbers = [code, found.iterations, found.restarts, found.orientation_error, found.position_error]
    return np.concatenate([numbers, found.q, found.start])


def search(
    problem: Problem, target: Array, q0: Array, seed: int, trace: bool = False, halt: Halt | None = None
) -> Outcome:
    """Do what search.search does, in compiled code.

    Raises:
        KeyboardInterrupt: Ctrl-C came, or the halt that was given was asked for.
    """
    halt, n, reports = halt or Halt(), problem.chain.dof, no_reports(1, problem.chain.dof)
    settings, seeds = halt.reaching(settings_of, problem), np.array([seed])
    report = reports[0]

    def solved() -> bool:
        search_rows(problem, target[None], q0[None], seeds, reports, settings)
        return bool(report[layout.STATUS] != layout.INTERRUPTED)

    module_of(problem)  # compiled where Ctrl-C is heard
    patiently(solved, halt, most_looks(settings), soon(settings, n))
    iterations = int(report[layout.ITERATIONS])
    start = report[layout.JOINTS + n :]
    return Outcome(
        STATUSES[int(report[layout.STATUS])],
        iterations,
        int(report[layout.RESTARTS]),
        float(report[layout.ORIENTATION_ERROR]),
        float(report[layout.POSITION_ERROR]),
        report[layout.JOINTS : layout.JOINTS + n].copy(),
        start,
        _retrace(problem, target, start, iterations, halt, settings, seed) if trace else None,
    )


def most_looks(settings: Array) -> float:
    """Return how many looks at the arm a search can take."""
    return float(settings[layout.STARTS] * (1.0 + settings[layout.MAX_ITERATIONS]) + settings[layout.SAMPLES])


def soon(settings: Array, joints: int) -> float:
    """Return how many looks take some hundredths of a second; singular values take as long as six damped steps."""
    return 240_000 / joints / (1.0 if settings[layout.METHOD] == layout.DAMPED else 6.0)


def _retrace(
    problem: Problem, target: Array, start: Array, iterations: int, halt: Halt, settings: Array, seed: int
) -> Trace:
    """Return the iterates of one start, by following it once more."""
    n, joints = problem.chain.dof, problem.arm.joints
    rows = np.empty((iterations + 1, n + 8))
    module, clamped = module_for(problem.chain), _is_clamped(problem, start, seed)
    patiently(
        lambda: bool(module.retrace(start, target, joints, settings, clamped, rows)),
        halt,
        iterations + 1,
        soon(settings, n),
    )
    q, error_twists = rows[:, :n].copy(), rows[:, n : n + 6].copy()
    return Trace.of(q, error_twists, rows[1:, n + 6].copy(), rows[1:, n + 7] == 1.0)


def _is_clamped(problem: Problem, start: Array, seed: int) -> bool:
    """Return whether the walk from a start stops at the limits, by drawing the starts of the search once more."""
    settings, joints, state = settings_of(problem), problem.arm.joints, np.empty(2, dtype=np.int64)
    if settings[layout.STAYS_NEAR] > 0.0:
        return True
    plant(seed, state)
    drawn, samples = np.empty(problem.chain.dof), int(settings[layout.SAMPLES])
    for _ in range(1 + samples if samples else 0):
        random_configuration(state, joints, drawn)
    for attempt in range(1, int(settings[layout.STARTS])):
        random_configuration(state, joints, drawn)
        if np.array_equal(drawn, start):
            return attempt >= layout.CLAMPED_FROM
    return False
