"""The search of pose_ik in a page: its own loop, printed as JavaScript, with kernels for each arm and kind of method.

What a figure adds in TypeScript, `front/src/solver.ts`, hands in numbers and reads the iterates off.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import sympy as sp

from lessons_lib import codegen
from lessons_lib.codegen import Kernel, js_plain, modules
from lessons_lib.codegen.linker import Plain, Recipe, Taken
from lessons_lib.course.live.arm_kernel import arm_kernel
from lessons_lib.course.live.method_data import kind_of
from lessons_lib.lie import derivations
from lessons_lib.lie import kernels as lie_kernels
from lessons_lib.pose_ik import TrustRegion, sequential
from lessons_lib.pose_ik.lane_rows import places
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.variant import variant_of
from lessons_lib.robots import Chain
from lessons_lib.robots.kinematics import tip_kernels
from lessons_lib.studies import MENU

DAMPED = {name: choice.build(choice.default).damping for name, choice in MENU.items() if choice.damped}
"""Damping policies by the names of `studies.MENU`."""

RUN_ONCE = ("f2", "f1", "f2", "b", "f1", "f2", "k", "i1")
"""The types of what `run_once` is given."""

Entry = tuple[str, Any, tuple[str, ...]]


def source(
    chains: Mapping[str, Chain],
    methods: Iterable[StepMethod] = (),
    more: Iterable[Kernel] = (),
    plain: Iterable[Entry] = (),
) -> str:
    """Return the script of a search.

    Args:
        chains: The arms, by the ending of their kernels' names.
        methods: Those that it steps by, with the weights of their goals: of one kind they have kernels in common.
        more: Other kernels that the figure calls.
        plain: Functions of plain Python that it calls; see js_plain.py.
    """
    kernels, entries, rows = [*number_kernels(), *more], [*plain, loop()], []
    kinds = {kind_of(method): variant_of(method, sequential=True) for method in methods}
    for tag, chain in chains.items():
        kernels += [chain_kernel(chain, f"chain_{tag}"), arm_kernel(chain, f"arm_{tag}")]
        for kind, variant in kinds.items():
            entries.append((f"run_{tag}_{kind}", sequential.kernel_module(chain, variant).run, ("f1", "i")))
            rows.append(f"function at_{tag}_{kind}() {{\n  return {places(chain.dof, variant).tolist()};\n}}\n")
    return "\n".join([codegen.source(kernels, "javascript"), js_plain.source(entries), *rows])


def loop() -> Entry:
    """Return the search from one start, as it is printed."""
    parts = (Taken(sequential.search_module(), "*"), Plain("lessons_lib.course.live.one_start"))
    return "run_once", modules.load(Recipe("live_search", parts)).run_once, RUN_ONCE


def logarithm() -> Entry:
    """Return the logarithm of a pose, as it is printed."""
    return "log_se3_kernel", lie_kernels.module().log_se3_kernel, ("f2", "f1")


@cache
def kit() -> dict[str, Kernel]:
    """Return the kernels of SE(3) by their names, derived once for all figures."""
    return {kernel.name: kernel for kernel in (*derivations.kit(), *derivations.jacobians())}


def chain_kernel(chain: Chain, name: str) -> Kernel:
    """Return q → T, J_b."""
    kernel = tip_kernels(chain.screws, chain.home, matrix=chain.matrix)[-1]
    return Kernel(name, kernel.inputs, kernel.outputs, kernel.definitions, "T_sb(q) and J_b(q).", kernel.matrices)


def number_kernels() -> list[Kernel]:
    """Return a kernel parameter → the two numbers of the damping, for each policy of the menu."""
    p = sp.Symbol("p", real=True)
    return [
        Kernel(
            f"{name}_numbers".replace("-", "_"),
            {"parameter": sp.Matrix([p])},
            {"numbers": sp.Matrix(_numbers(policy, p))},
            summary=f"Of D = {policy.expression}." if isinstance(policy, Rule) else "The first D, and the least gain.",
        )
        for name, policy in DAMPED.items()
    ]


def _numbers(policy: Any, p: sp.Symbol) -> list[sp.Expr]:
    if isinstance(policy, TrustRegion):
        return [p, sp.Float(policy.accept, 17)]
    own = {symbol: p for symbol in policy.expression.free_symbols if symbol.name != "E"}
    D = policy.expression.xreplace(own)
    E = next((symbol for symbol in D.free_symbols if symbol.name == "E"), sp.Symbol("E", real=True))
    return [D.xreplace({E: sp.Integer(0)}), sp.diff(D, E)]
