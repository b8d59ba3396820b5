"""The iteration of pose_ik as JavaScript: kernels of one arm and of every method, and the plain files around them.

The same formulas make the solver's kernels. What a live figure adds in TypeScript is `front/src/iteration.ts`, the
counterpart of the readable loop: evaluate, test, step, accept.
"""

from collections.abc import Iterable, Mapping
from functools import cache

import sympy as sp

from lessons_lib import codegen
from lessons_lib.codegen import Kernel
from lessons_lib.codegen.javascript_plain import text_of
from lessons_lib.lie import derivations
from lessons_lib.live.arm_kernel import arm_kernel
from lessons_lib.live.link_shapes import skeleton_of
from lessons_lib.pose_ik.layout import ROUNDING
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.robots import Chain
from lessons_lib.robots.kinematics import tip_kernels
from lessons_lib.studies import MENU
from lessons_lib.symbolic import damped_step, objective, trust_region

DAMPED = {name: choice.build(choice.default).damping for name, choice in MENU.items() if choice.damped}
POLICIES = {name: policy for name, policy in DAMPED.items() if isinstance(policy, Rule)}
"""Those that are a formula and no more, by the names of `studies.MENU`."""

PLAIN = ("lessons_lib.lie.logarithm", "lessons_lib.pose_ik.compiled_pseudoinverse")
"""What is written by hand: the logarithm's choice of branch, and the pseudoinverse."""

LOGARITHM = (
    "between_kernel",
    "rotation_parts_kernel",
    "axis_products_kernel",
    "small_log_kernel",
    "log_position_kernel",
    "left_jacobian_inverse_se3_kernel",
)
"""Kernels of the kit of SE(3) behind an error twist and its derivative."""


def source(chains: Mapping[str, Chain], more: Iterable[Kernel] = (), plain: Iterable[str] = ()) -> str:
    """Return the script of an iteration.

    Args:
        chains: The arms, by the ending of their kernels' names.
        more: Other kernels that the figure calls.
        plain: Dotted names of other plain files whose functions it calls.
    """
    kernels = [*(kit()[name] for name in ("adjoint_kernel", *LOGARITHM)), *policy_kernels(), *more]
    sizes = sorted({chain.dof for chain in chains.values()})
    kernels += [kernel for n in sizes for kernel in step_kernels(n)]
    for name, chain in chains.items():
        kernels += [chain_kernel(chain, f"chain_{name}"), arm_kernel(chain, skeleton_of(chain), f"arm_{name}")]
    return f"{codegen.source(kernels, 'javascript')}\n{text_of([*PLAIN, *plain], kernels)}"


@cache
def kit() -> dict[str, Kernel]:
    """Return the kernels of SE(3) by their names, derived once for all figures."""
    return {kernel.name: kernel for kernel in (*derivations.kit(), *derivations.jacobians())}


def chain_kernel(chain: Chain, name: str) -> Kernel:
    """Return q → T, J_b."""
    kernel = tip_kernels(chain.screws, chain.home)[-1]
    return Kernel(name, kernel.inputs, kernel.outputs, kernel.definitions, "T_sb(q) and J_b(q).", kernel.matrices)


def policy_kernels() -> list[Kernel]:
    """Return a kernel (objective, parameter) → D for each policy, and those of the trust region's memory."""
    E, p, D, growth, rho, accept = sp.symbols("E p D growth rho accept", real=True)
    before, after, promised = sp.symbols("before after promised", real=True)
    kernels = []
    for name, policy in POLICIES.items():
        own = {symbol: E if symbol.name == "E" else p for symbol in policy.expression.free_symbols}
        formula = sp.Matrix([policy.expression.xreplace(own)])
        inputs = {"objective": sp.Matrix([E]), "parameter": sp.Matrix([p])}
        kernels.append(Kernel(f"{name}_damping", inputs, {"damping": formula}, summary=f"D = {policy.expression}."))
    region = {"damping": sp.Matrix([D, growth]), "gain": sp.Matrix([rho]), "least": sp.Matrix([accept])}
    learned = [trust_region.next_damping(D, growth, rho, accept), trust_region.next_growth(growth, rho, accept)]
    by = [trust_region.next_damping, trust_region.next_growth]
    rho_of = {"gain": sp.Matrix([trust_region.gain(before, after, promised)])}
    given = {"objectives": sp.Matrix([before, after]), "promise": sp.Matrix([promised])}
    return [
        *kernels,
        Kernel("gain_kernel", given, rho_of, summary="ρ, what came over what was promised.", by=[trust_region.gain]),
        Kernel("learn_kernel", region, {"next": sp.Matrix(learned)}, summary="The next D and growth.", by=by),
    ]


@cache
def step_kernels(n: int) -> tuple[Kernel, ...]:
    """Return the kernels of the damped step for n joints, of any Jacobian: its names end in n."""
    J, A = (sp.Matrix(6, n, lambda i, j, x=x: sp.Symbol(f"{x}{i}_{j}", real=True)) for x in "ja")
    V, e, roots = (sp.Matrix(sp.symbols(f"{x}0:6", real=True)) for x in ("v", "e", "root"))
    d, D, p = sp.Matrix(sp.symbols(f"d0:{n}", real=True)), sp.Symbol("D0", real=True), sp.Symbol("p", real=True)
    a, b = objective.weighted(roots, J), objective.weighted(roots, V)
    model = {"A": a, "e": b, "E": sp.Matrix([objective.half_square(b)])}
    linear = {"A": A, "e": e}
    first = trust_region.first_damping(p, [A[:, i].dot(A[:, i]) for i in range(n)])
    promise = {"promise": sp.Matrix([trust_region.promise(A, e, d, D)])}
    weighted, single = [objective.weighted, objective.half_square], {"damping": sp.Matrix([D])}
    return (
        Kernel(
            f"model_{n}", {"roots": roots, "J": J, "V": V}, model, (), "√W J, √W V and E.", ("J", "A"), (), weighted
        ),
        *(_damped_step(A, e, by_rows) for by_rows in (False, True)),
        Kernel(
            f"first_damping_{n}",
            {"A": A, "initial": sp.Matrix([p])},
            {"damping": sp.Matrix([first])},
            summary="The first D.",
            matrices=["A"],
            by=[trust_region.first_damping],
        ),
        Kernel(
            f"promise_{n}",
            {**linear, "d": d, **single},
            promise,
            summary="What the step d promises.",
            matrices=["A"],
            by=[trust_region.promise],
        ),
    )


def _damped_step(A: sp.Matrix, e: sp.Matrix, by_rows: bool) -> Kernel:
    """Return (A, e, damping) → d, and by how much each pivot exceeds what rounding hides."""
    step = damped_step.derive(A, None, e, by_rows)
    margins = step.minors - len(step.minors) * ROUNDING * step.trace * step.before
    name = f"damped_step_{A.cols}_by_{'rows' if by_rows else 'columns'}"
    inputs = {"A": A, "e": e, "damping": sp.Matrix([step.D])}
    by = [damped_step.derive, damped_step.eliminate]
    outputs = {"d": step.d, "margins": margins}
    return Kernel(name, inputs, outputs, step.steps, "d = (AᵀA + D I)⁻¹ Aᵀe.", ["A"], by=by)
