"""How fast could code with that many operations be? As fast as any straight line with as many of the same kind.

The floor is measured: a program of as many multiplications, additions and pairs of sine and cosine as the kernel has,
which reads as many numbers and writes as many. Terms are drawn at random from the latest values, and one factor of each
product from the sines and cosines. Few values to draw from mean operations that wait for one another, many mean values
that no longer fit into registers: the quickest of several such programs is the floor.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import numpy as np

from lessons_lib.codegen.cache import run
from lessons_lib.robots import Chain

PAIRED = "sine_cosine"
"""Name of the generated function that takes sine and cosine together, where the kernels have one."""


@dataclass(frozen=True)
class Operations:
    """Operations of a kernel.

    Attributes:
        multiplications: Products; a square is one.
        additions: Sums and differences.
        pairs: Angles whose sine and cosine are computed.
    """

    multiplications: int
    additions: int
    pairs: int


def count(source: str, name: str = "chain_kernel") -> Operations:
    """Return the operations in one function of a generated module; a sign is none, it costs nothing or an exchange."""
    (function,) = (n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == name)
    nodes = list(ast.walk(function))
    binary = [type(node.op) for node in nodes if isinstance(node, ast.BinOp)]
    called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    pairs = sum(word == PAIRED for word in called) or max(called.count("math.sin"), called.count("math.cos"))
    return Operations(
        multiplications=sum(kind in (ast.Mult, ast.Pow) for kind in binary),
        additions=sum(kind in (ast.Add, ast.Sub) for kind in binary),
        pairs=pairs,
    )


LATEST = (24, 48, 96)
"""From how many of the latest values terms are drawn, one program each; with fewer it was slower."""


def random_program(operations: Operations, dof: int, latest: int) -> str:
    """Return the text of program(q, T, J): as many operations, drawn at random, and as many numbers written."""
    rng = np.random.default_rng(latest)
    lines = [f"    q{i} = q[{i}]" for i in range(dof)]
    lines += [f"    s{i}, c{i} = pair(q{i % dof})" for i in range(operations.pairs)]
    known = [f"q{i}" for i in range(dof)] + [f"{letter}{i}" for i in range(operations.pairs) for letter in "sc"]
    bounded = known[dof:] or known
    signs = ["*"] * operations.multiplications + ["+"] * operations.additions
    for i, sign in enumerate(rng.permutation(signs)):
        left, right = rng.choice(known[-latest:], 2, replace=False)
        right = rng.choice(bounded) if sign == "*" else right  # products alone would soon be infinite, or zero
        lines.append(f"    x{i} = {left} {sign} {right}")
        known.append(f"x{i}")
    used = {word for line in lines for word in line.split("=", 1)[1].split()}
    written = [f"T[{i // 4}, {i % 4}]" for i in range(16)] + [f"J[{i // dof}, {i % dof}]" for i in range(6 * dof)]
    unused = [name for name in known if name not in used]
    sums = [" + ".join(unused[i :: len(written)]) or known[-1 - i % len(known)] for i in range(len(written))]
    lines += [f"    {place} = {value}" for place, value in zip(written, sums, strict=True)]
    return "\n".join(["def program(q, T, J):", *lines])


def floors(chain: Chain) -> list[Callable[..., Any]]:
    """Return random programs with as many operations as the chain's kernel, compiled as that is."""
    pair = getattr(chain.kernels, PAIRED, None) or run(CALLED, "<two calls>")["pair"]
    compiled: list[Callable[..., Any]] = []
    for latest in LATEST:
        text = random_program(count(chain.source("scalar")), chain.dof, latest)  # of our own making
        compiled.append(run(f"{MARK}{text}", f"<a random program, {latest}>", {"pair": pair})["program"])
    return compiled


MARK = "from lessons_lib.codegen.native import native\n\n@native(contract=True)\n"
CALLED = f"import math\n{MARK}def pair(angle):\n    return math.sin(angle), math.cos(angle)\n"
LOOP = """
from lessons_lib.codegen.native import native

@native
def loop(configurations, calls, T, J):
    total = 0.0
    for i in range(calls):
        kernel(configurations[i % len(configurations)], T, J)
        total += T[0, 3] + J[5, 0]  # so that no call can be left out
    return total
"""


def nanoseconds(kernel: Callable[..., Any], chain: Chain, passes: int = 15) -> float:
    """Return the time of one call inside a compiled loop over random configurations, ns: the best of the passes."""
    rng, calls = np.random.default_rng(0), 20_000
    configurations = np.array([chain.random_configuration(rng) for _ in range(200)])
    loop = run(LOOP, f"<a loop over {id(kernel)}>", {"kernel": kernel})["loop"]
    T, J = np.empty((4, 4)), np.empty((6, chain.dof))
    loop(configurations, 1, T, J)
    spent = []
    for _ in range(passes):
        begin = perf_counter_ns()
        loop(configurations, calls, T, J)
        spent.append((perf_counter_ns() - begin) / calls)
    return float(min(spent))
