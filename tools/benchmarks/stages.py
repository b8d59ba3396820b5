"""Gain of each step from a formula to compiled code: pose and body Jacobian of the UR10 at one configuration."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any, cast

import numpy as np
import sympy as sp

from lessons_lib import codegen, robots
from lessons_lib.codegen.cache import run
from lessons_lib.robots import Chain
from lessons_lib.robots.kinematics import exact
from lessons_lib.symbolic import open_chain
from tools.benchmarks import operations
from tools.benchmarks.report import Cell, Report, main, say
from tools.benchmarks.timing import no_garbage_collection, per_call

PASSES = 45
SHORT = 0.001
"""Seconds of calls between two looks at the clock: so short that the system often leaves the processor alone."""
CALLS = 2000
"""Angles in a compiled loop: some tens of microseconds, far above what looking at the clock takes."""
Q = np.array([0.3, -1.1, 1.4, -0.2, 0.9, 0.5])
"""The configuration, rad."""

LOOPS = """
import math
from lessons_lib.codegen.native import native

@native
def two_calls(angle, total):
    for i in range(CALLS):
        total[0] += math.sin(angle + i) + math.cos(angle + i)

@native
def together(angle, total):
    for i in range(CALLS):
        sine, cosine = pair(angle + i)
        total[0] += sine + cosine
"""

COLUMNS = {"stage": "stage", "time": "ns"}
NOTES = (
    "each from the product of exponentials, before the recursion from the tip; each time: the best of the passes",
    "SymPy: subs and evalf on the 52 formulas written out; lambdify: the same as text that Python compiles",
    "compiled: by LLVM, after CSE; from Python one call, in a loop one of many inside compiled code",
    "sine and cosine, in the file: of one angle inside compiled code, the library's two calls, and the generated pair",
)


def measure(passes: int) -> Report:
    """Return the report of the UR10."""
    say(f"stages: {passes} passes")
    ur10 = robots.ur10()
    chain = open_chain.derive(exact(ur10.screws), exact(ur10.home))
    with no_garbage_collection():
        spent = by_sympy(chain, passes) | time_compiled(chain, ur10, passes)
        series = {"sine and cosine": sine_and_cosine(ur10, passes)}
    rows: list[dict[str, Cell]] = [{"stage": stage, "time": time} for stage, time in spent.items()]
    claim = "pose and body Jacobian of the UR10 at one configuration, step by step from SymPy to compiled code"
    return Report("stages", claim, COLUMNS, rows, {"passes": passes}, notes=NOTES, series=series)


def by_sympy(chain: open_chain.OpenChain, passes: int) -> dict[str, float]:
    """Return the time of the formulas in SymPy, and of lambdify before and after CSE, ns."""
    entries = written_out(chain)
    values, right = dict(zip(chain.q, Q, strict=True)), sp.Matrix(entries)
    direct = sp.lambdify([chain.q], entries, modules="math")
    named = sp.lambdify([chain.q], entries, modules="math", cse=True)
    return {
        "SymPy": min(clock(lambda: right.subs(values).evalf()) for _ in range(min(passes, 9))),
        "lambdify": best(lambda: direct(Q), passes),
        "lambdify after CSE": best(lambda: named(Q), passes),
    }


def written_out(chain: open_chain.OpenChain) -> list[sp.Expr]:
    """Return the entries of T and J_b in q alone, every named step put back in, nothing simplified."""
    known: dict[sp.Symbol, sp.Expr] = {}
    for symbol, expression in chain.steps:
        known[symbol] = expression.xreplace(known)
    return [entry.xreplace(known) for entry in (*chain.T, *chain.J_b)]


def time_compiled(chain: open_chain.OpenChain, arm: Chain, passes: int) -> dict[str, float]:
    """Return the time of one call of the same program compiled, from Python and inside compiled code, ns."""
    outputs = {"T": chain.T, "J_b": chain.J_b}
    kernel = codegen.Kernel("plain_kernel", {"q": sp.Matrix(chain.q)}, outputs, chain.steps, matrices=["J_b"])
    plain = codegen.compiled([kernel]).plain_kernel
    T, J_b = np.empty((4, 4)), np.empty((6, arm.dof))
    return {
        "compiled, from Python": best(lambda: plain(Q, T, J_b), passes),
        "compiled, in a loop": operations.nanoseconds(plain, arm, passes=passes),
    }


def sine_and_cosine(chain: Chain, passes: int) -> dict[str, float]:
    """Return the time of a sine with its cosine in compiled code, ns: two calls of the library, and the pair."""
    names = {"CALLS": CALLS, "pair": chain.kernels.sine_cosine}
    namespace = run(LOOPS, "<loops over angles>", names)
    loops = {"two calls": namespace["two_calls"], "the pair": namespace["together"]}
    return {name: float(f"{of_each_turn(loop, passes):.4g}") for name, loop in loops.items()}


def of_each_turn(compiled_loop: Any, passes: int) -> float:
    """Return the time of one iteration of a compiled loop, ns."""
    loop, total = cast(Callable[[float, Any], None], compiled_loop), np.zeros(1)
    loop(0.5, total)
    return min(clock(lambda: loop(0.5, total)) for _ in range(passes)) / CALLS


def best(call: Callable[[], Any], passes: int) -> float:
    """Return the time of one call from Python, ns."""
    return min(1e3 * per_call(call, seconds=SHORT) for _ in range(passes))


def clock(run: Callable[[], Any]) -> float:
    """Return the time of a call, ns."""
    begin = perf_counter_ns()
    run()
    return float(perf_counter_ns() - begin)


if __name__ == "__main__":
    main(measure, PASSES, "passes of which the best counts")
