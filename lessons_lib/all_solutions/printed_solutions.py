"""The source code of all solutions for a controller or a page: a closed form with the constants of an arm."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from lessons_lib import __version__
from lessons_lib.all_solutions.closed_arm import Closed6R
from lessons_lib.all_solutions.closed_form import NOT_A_POSE
from lessons_lib.all_solutions.decisions import MAX_SOLUTIONS
from lessons_lib.all_solutions.entry import strategy_for
from lessons_lib.all_solutions.module import printed_module
from lessons_lib.all_solutions.printed_entry import NO_CLOSED_FORM
from lessons_lib.all_solutions.seven_joint_arm import Arm7R
from lessons_lib.arrays import Array
from lessons_lib.codegen import c_plain, js_plain
from lessons_lib.errors import CodegenError
from lessons_lib.robots import Chain
from lessons_lib.robots.chain_source import comment_text

SIX, SEVEN = ("f2", "f2", "i", "b", "f2", "f1", "f2", "f", "f2", "i1"), ("f2", "f", "f2", "f2", "i", "f2", "f2", "i1")
"""Types of the arguments of `solve_six` and `solve_seven`."""
CODES = 13  # see decisions.py


def source(arm: Chain, language: str) -> str:
    """Return the text of `all_solutions` for an arm, which allocates nothing: C99 or JavaScript.

    Args:
        arm: An arm of six revolute joints with a closed form, or of seven, of which one is locked in each call.
        language: "c" or "javascript".

    Raises:
        ParameterError: `all_solutions` does not support the arm.
        CodegenError: Another language, or an arm without a closed form.
    """
    if language not in _ENTRIES:
        raise CodegenError(f"language must be {' or '.join(map(repr, _ENTRIES))} for all solutions, got {language!r}")
    strategy, limits = strategy_for(arm), np.ascontiguousarray(arm.limits)
    types: tuple[str, ...]
    if isinstance(strategy, Closed6R):
        inverse, kind, backwards, K, signs = strategy.arguments
        numbers = [inverse, kind, backwards, K, signs, limits, strategy.structure.length]
        name, types, value = "solve_six", SIX, ""
    elif isinstance(strategy, Arm7R) and strategy.general is None:
        numbers, name, types, value = (
            [strategy.rows, strategy.home, strategy.joint, limits],
            "solve_seven",
            SEVEN,
            "value",
        )
    else:
        raise CodegenError(
            f"all_solutions of {arm.name} cannot be printed: {strategy.sentence}; use solver=True, which prints a "
            "search. Arms with six or seven revolute joints and a closed form can be printed"
        )
    words, printer = _ENTRIES[language], {"c": c_plain, "javascript": js_plain}[language]
    text = printer.source([(name, getattr(printed_module(), name), types)])
    constants, arguments = [], []
    for k, number in enumerate(numbers):
        if isinstance(number, np.ndarray):
            constants.append(words["array"](f"CONSTANT_{k}", number))
        arguments.append(words["argument"](f"CONSTANT_{k}", number))
    entry = words["entry"](arm.dof, name, value, ", ".join(arguments))
    return "\n".join([_head(arm, strategy, language), text, *constants, entry])


def _head(arm: Chain, strategy: Closed6R | Arm7R, language: str) -> str:
    """Return the comment at the head of the file."""
    names = ", ".join(arm.joint_names)
    lines = [
        f"All solutions of {arm.name} for a pose, derived and printed by lessons-lib {__version__}; licence: MIT.",
        f"{strategy.sentence}. Joints: {names}.",
        "",
        "Use:",
        "",
        *_ENTRIES[language]["use"](arm.dof, isinstance(strategy, Arm7R)),
        "",
        f"T: the pose of the tip in the base, 4x4, row by row, position in {arm.unit_in_words}.",
    ]
    if isinstance(strategy, Arm7R):
        lines.append(f"value: of joint {strategy.joint + 1}, {arm.joint_names[strategy.joint]}, which is locked, rad.")
    failures = f"{NOT_A_POSE} if T is not a pose"
    if isinstance(strategy, Arm7R):
        failures += f", {NO_CLOSED_FORM} if the value is outside the limits or makes two axes nearly coincide"
    lines += [
        f"Returns the number of solutions within the limits, at most {MAX_SOLUTIONS}; {failures}.",
        "q: a row for each solution, rad, in (-pi, pi] if the limits allow it.",
        "flags: 1 if rounding decides whether there is a solution (the library then computes with more digits), plus 2",
        "if there are also families of solutions with a free joint, which are not listed.",
        "Bounded time: no search, no allocation; each loop has a constant number of iterations.",
        "Limits: " + ", ".join(f"[{lower:.6g}, {upper:.6g}]" for lower, upper in arm.limits.tolist()) + ".",
    ]
    wrapped = (textwrap.wrap(comment_text(line), 112, replace_whitespace=False) or [""] for line in lines)
    return "/*\n" + "\n".join(f" * {part}".rstrip() for parts in wrapped for part in parts) + "\n */"


def _text_of(number: float, infinity: str) -> str:
    return f"{'-' if number < 0.0 else ''}{infinity}" if np.isinf(number) else repr(float(number))


def _c_array(name: str, values: Array) -> str:
    return f"static double {name}[] = {{{', '.join(_text_of(x, 'INFINITY') for x in values.ravel().tolist())}}};"


def _c_argument(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"(array){{{name}, {value.shape[0]}, {value.shape[1] if value.ndim == 2 else 1}}}"
    return str(int(value)) if isinstance(value, bool | int) else repr(float(value))


def _c_entry(dof: int, name: str, value: str, arguments: str) -> str:
    parameter, passed = (f", double {value}", f", {value}") if value else ("", "")
    return f"""\
int all_solutions(const double *T{parameter}, double *q, int *flags);

/* Write all solutions of the pose T into the rows of q. */
int all_solutions(const double *T{parameter}, double *q, int *flags) {{
  double target[16];
  int64_t codes[{CODES}];
  for (int k = 0; k < 16; k++) target[k] = T[k];
  int count = (int){name}((array){{target, 4, 4}}{passed}, {arguments},
                          (array){{q, {MAX_SOLUTIONS}, {dof}}}, (integers){{codes, {CODES}}});
  *flags = (int)codes[0];
  return count;
}}
"""


def _js_array(name: str, values: Array) -> str:
    numbers = ", ".join(_text_of(x, "Infinity") for x in values.ravel().tolist())
    flat = f"Float64Array.from([{numbers}])"
    return f"const {name} = {f'matrix({flat}, {values.shape[0]}, {values.shape[1]})' if values.ndim == 2 else flat};"


def _js_argument(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        return name
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _js_entry(dof: int, name: str, value: str, arguments: str) -> str:
    parameter = f", {value}" if value else ""
    return f"""\
/** Write all solutions of the pose T into the rows of q; return their number. */
function all_solutions(T{parameter}, q, flags) {{
  const codes = Array({CODES}).fill(0);
  const [target, rows] = [matrix(Float64Array.from(T), 4, 4), matrix(q, {MAX_SOLUTIONS}, {dof})];
  const count = {name}(target{parameter}, {arguments}, rows, codes);
  flags[0] = codes[0];
  return count;
}}
"""


def _c_use(dof: int, locked: bool) -> list[str]:
    return [
        f"   double q[{MAX_SOLUTIONS} * {dof}]; int flags;",
        f"   int count = all_solutions(T, {'value, ' if locked else ''}q, &flags);  // row i: q[{dof} * i + joint]",
    ]


def _js_use(dof: int, locked: bool) -> list[str]:
    return [
        f"   const q = new Float64Array({MAX_SOLUTIONS * dof}), flags = [0];",
        f"   const count = all_solutions(T, {'value, ' if locked else ''}q, flags);  // row i: q[{dof} * i + joint]",
    ]


_ENTRIES: dict[str, dict[str, Any]] = {
    "c": {"array": _c_array, "argument": _c_argument, "entry": _c_entry, "use": _c_use},
    "javascript": {"array": _js_array, "argument": _js_argument, "entry": _js_entry, "use": _js_use},
}
