"""The search of pose_ik in a page: its loop as JavaScript, with kernels for each arm and method (solver.ts)."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import sympy as sp

from lessons_lib import codegen
from lessons_lib.codegen import Kernel, js_plain, linker
from lessons_lib.codegen.linker import Imported, Plain, Recipe
from lessons_lib.course.live.arm_kernel import arm_kernel
from lessons_lib.course.live.method_data import kind_of
from lessons_lib.errors import ParameterError
from lessons_lib.lie import derivations
from lessons_lib.lie import kernels as lie_kernels
from lessons_lib.pose_ik import TrustRegion, sequential
from lessons_lib.pose_ik.lane_rows import places
from lessons_lib.pose_ik.methods import StepMethod
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.pose_ik.variant import variant_of
from lessons_lib.robots import Chain
from lessons_lib.robots.kinematics import tip_kernels
from lessons_lib.studies import METHODS

DAMPED = {name: choice.build().damping for name, choice in METHODS.items() if choice.damped and choice.in_figures}
"""The figures' damping policies, keyed by their names in `studies.METHODS`."""

RUN_ONCE = ("f2", "f1", "f2", "b", "f1", "f2", "k", "i1")
"""The input types of `run_once`."""

Entry = tuple[str, Any, tuple[str, ...]]


def source(
    chains: Mapping[str, Chain],
    methods: Iterable[StepMethod] = (),
    more: Iterable[Kernel] = (),
    plain: Iterable[Entry] = (),
) -> str:
    """Return the script of a search.

    Args:
        chains: Arms by the suffix of their kernel names.
        methods: Methods with the weights of their goals; methods of one kind share their kernels.
        more: Further kernels that the figure calls.
        plain: Functions in plain Python that the figure calls; see js_plain.py.
    """
    kernels, entries, rows = [*damping_kernels(), *more], [*plain, loop()], []
    kinds = {kind_of(method): variant_of(method, sequential=True) for method in methods}
    for tag, chain in chains.items():
        kernels += [chain_kernel(chain, f"chain_{tag}"), arm_kernel(chain, f"arm_{tag}")]
        for kind, variant in kinds.items():
            entries.append((f"run_{tag}_{kind}", sequential.kernel_module(chain, variant).run, ("f1", "i")))
            rows.append(f"function at_{tag}_{kind}() {{\n  return {places(chain.dof, variant).tolist()};\n}}\n")
    return "\n".join([codegen.source(kernels, "javascript"), js_plain.source(entries), *rows])


def loop() -> Entry:
    """Return the printed search from one start."""
    parts = (Imported(sequential.search_module(), "*"), Plain("lessons_lib.course.live.one_start"))
    return "run_once", linker.load(Recipe("live_search", parts)).run_once, RUN_ONCE


def logarithm() -> Entry:
    """Return the printed logarithm of a pose."""
    return "log_se3_kernel", lie_kernels.module().log_se3_kernel, ("f2", "f1")


@cache
def se3_kernels() -> dict[str, Kernel]:
    """Return the kernels of SE(3) by name, derived once for all figures."""
    return {kernel.name: kernel for kernel in (*derivations.se3_kernels(), *derivations.jacobians())}


def chain_kernel(chain: Chain, name: str) -> Kernel:
    """Return q → T, J_b."""
    kernel = tip_kernels(chain.screws, chain.home, matrix=chain.matrix)[-1]
    return Kernel(name, kernel.inputs, kernel.outputs, kernel.definitions, "T_sb(q) and J_b(q).", kernel.matrices)


def damping_kernels() -> list[Kernel]:
    """Return kernels from a parameter to the two damping inputs, for each policy of the menu."""
    p = sp.Symbol("p", real=True)
    return [
        Kernel(
            f"{name}_numbers".replace("-", "_"),
            {"parameter": sp.Matrix([p])},
            {"numbers": sp.Matrix(_numbers(name, policy, p))},
            summary=f"The two inputs of D = {policy.expression}."
            if isinstance(policy, Rule)
            else "The initial D and the minimum gain.",
        )
        for name, policy in DAMPED.items()
    ]


def _numbers(name: str, policy: Any, p: sp.Symbol) -> list[sp.Expr]:
    if isinstance(policy, TrustRegion):
        return [p, sp.Float(policy.accept, 17)]
    if policy.affine is None or len(policy.parameters) != 1:
        raise ParameterError(
            f"the live figures need damping of the form a + b E with one parameter, got {policy!r}, "
            f"D = {policy.expression}; pass in_figures=False to the Choice for {name!r} in studies/method_registry.py"
        )
    own = {symbol: p for symbol in policy.expression.free_symbols if symbol.name != "E"}
    D = policy.expression.xreplace(own)
    E = next((symbol for symbol in D.free_symbols if symbol.name == "E"), sp.Symbol("E", real=True))
    return [D.xreplace({E: sp.Integer(0)}), sp.diff(D, E)]
