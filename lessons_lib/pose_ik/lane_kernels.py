"""The kernels of the search over lanes, derived for one chain, and the rows that they read and write.

By hand: the choices around what is derived, and the sums of steps.
Held by: tests/pose_ik/test_lane_kernels.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from lessons_lib.pose_ik import layout
from lessons_lib.pose_ik.lane_rows import DEFAULT, rows
from lessons_lib.pose_ik.text_check import check_text
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.robots import kinematics

if TYPE_CHECKING:
    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.robots import Chain


def source(chain: Chain, width: int, variant: Variant = DEFAULT) -> str:
    """Return the text of the kernels, each a function of w.

    Args:
        chain: Whose kernels.
        width: Lanes side by side.
        variant: What they are derived for.

    Raises:
        KinematicsError: The kernel of pose and Jacobian is not the product of exponentials.
    """
    from lessons_lib.codegen import lanes

    at = rows(chain.dof, variant, width)
    kernel, J = chain_kernel(chain, variant)
    sines, pose_and_jacobian = lanes.sine_and_cosine(), lanes.function(kernel, {"q": at["Q"]} | at, width)
    check_text(f"{sines}\n\n\n{pose_and_jacobian}", chain, at, width, J, variant.model == "space")
    parts = [sines, pose_and_jacobian, _error_twist(at, width)]
    parts += [*_from_error_to_step(chain, variant, at, width)]
    if variant.one_by_one:
        parts += [lanes.anywhere_text(), lanes.anywhere(pose_and_jacobian)]
        parts += [_run(chain.dof, at)]
    else:
        parts += [_advance(chain.dof, at, width)]
    return "\n\n\n".join(parts)


def largest_angle() -> str:
    """Return the text of the largest angle that the kernels take, rad."""
    from lessons_lib.codegen import lanes

    return f"LARGEST_ANGLE = {lanes.LARGEST_ANGLE!r}"


def _from_error_to_step(chain: Chain, variant: Variant, at: dict[str, int], width: int) -> Iterator[str]:
    """Yield the texts of the kernels that turn the error twist and the Jacobian into a step."""
    from lessons_lib.codegen import lanes

    places = at | {f"NEW_{name}": row for name, row in at.items()}
    places |= {"NEXT_DIAGONAL": at["DIAGONAL"], "DIAGONAL_BEFORE": at["DIAGONAL"]}
    key = _step_kernels, variant
    kernels: list[Kernel] = chain.prepared.get(key) or _step_kernels(chain, variant)
    chain.prepare(key, kernels)
    yield from (lanes.function(kernel, places, width) for kernel in kernels)
    wanted = {"split_error", "acceptance"} | ({"promise"} if variant.one_by_one else set())
    missing = wanted - {kernel.name for kernel in kernels}
    yield from (_nothing(name, width) for name in sorted(missing))


def _step_kernels(chain: Chain, variant: Variant) -> list[Kernel]:
    """Return the kernels that turn the error twist and the Jacobian into a step."""
    from lessons_lib.pose_ik import model_kernels
    from lessons_lib.symbolic import constant_angles

    kernel, J = chain_kernel(chain, variant)
    varying = len(kernel.outputs["J"])
    kernels = [model_kernels.split_kernel(variant)] if variant.splits else []
    if variant.one_by_one:
        kernels += [make(variant, J, varying) for make in (model_kernels.model_kernel, model_kernels.damping_kernel)]
        kernels += [_general_step(chain, variant, J, varying, by_rows) for by_rows in (True, False)]
        kernels += [model_kernels.promise_kernel(chain.dof)] if variant.adapts else []
    else:
        kernels += [model_kernels.step_kernel(variant, J, varying, constant_angles.axis_products(chain.screws))]
    return kernels + ([model_kernels.acceptance_kernel(variant, J, varying)] if variant.adapts else [])


def _general_step(chain: Chain, variant: Variant, J: Any, varying: int, by_rows: bool) -> Kernel:
    """Return the step of any A and e, derived once for all methods of a chain that state no formula of their own."""
    from lessons_lib.pose_ik.model_kernels import general_step_kernel

    if variant.formula is not None:
        return general_step_kernel(variant, J, varying, by_rows)
    key = general_step_kernel, by_rows
    found: Kernel = chain.prepared.get(key) or general_step_kernel(variant, J, varying, by_rows)
    chain.prepare(key, found)
    return found


def _run(dof: int, at: dict[str, int]) -> str:
    """Return the text of run(w, which), by which the search of one start after the other has its kernels called."""
    from lessons_lib.codegen import lanes

    farthest = ", ".join(f"abs(w[{at['Q'] + i}])" for i in range(dof))
    asked = {layout.FORM_MODEL: "model", layout.ACCEPT: "acceptance", layout.DAMP: "damping"}
    asked |= {layout.SOLVE_ROWS: "damped_step_by_rows", layout.SOLVE_COLUMNS: "damped_step_by_columns"}
    asked |= {layout.PROMISE: "promise"}
    lines = [
        "@native\ndef run(w, which):",
        '    """Run the kernels that are asked for."""',
        f"    if which == {layout.EVALUATE}:",
        f"        if max(0.0, {farthest}) < {lanes.LARGEST_ANGLE!r}:",
        "            pose_and_jacobian(w)",
        "        else:",
        "            pose_and_jacobian_anywhere(w)",
        "        error_twist(w)",
        "        split_error(w)",
    ]
    for code, name in asked.items():
        lines += [f"    elif which == {code}:", f"        {name}(w)"]
    return "\n".join(lines)


def _nothing(name: str, width: int) -> str:
    """Return the text of a kernel that a variant has no need of: it does nothing, and costs nothing."""
    from lessons_lib.codegen import lanes

    return f'{lanes.VECTORIZED}\ndef {name}(w):\n    """Nothing."""\n    for lane in range({width}):\n        pass'


def chain_kernel(chain: Chain, variant: Variant = DEFAULT) -> tuple[Kernel, Any]:
    """Return T_sb, without its last row, with the entries of the Jacobian that vary, and it itself, 6×n, in these.

    J_b comes out of the recursion from the tip to the base, J_s out of the product of exponentials. They are derived
    once for all methods in a frame.
    """
    key = chain_kernel, variant.model == "space"
    found: tuple[Kernel, Any] = chain.prepared.get(key) or _chain_kernel(chain, variant)
    chain.prepare(key, found)
    return found


def _chain_kernel(chain: Chain, variant: Variant) -> tuple[Kernel, Any]:
    import sympy as sp

    from lessons_lib.symbolic import open_chain, tip_to_base

    if variant.model == "space":
        (kernel,) = kinematics.space_kernels(chain.screws, chain.home)
    else:
        kernel = kinematics.tip_kernels(chain.screws, chain.home, chain.prepared)[-1]
    matrix = kernel.outputs["J_s" if variant.model == "space" else "J_b"]
    entries = dict.fromkeys(entry for entry in matrix if not entry.is_number)
    symbols = {entry: sp.Symbol(f"J{i}", real=True) for i, entry in enumerate(entries)}
    J = matrix.applyfunc(lambda entry: symbols.get(entry, entry))
    outputs = {"T": kernel.outputs["T"][:3, :], "J": sp.Matrix(list(entries))}
    by = [open_chain.derive if variant.model == "space" else tip_to_base.derive]
    return replace(kernel, name="pose_and_jacobian", outputs=outputs, matrices=(), by=by), J


@cache
def _between_kernel() -> Kernel:
    """Return what the logarithm needs of T_sb⁻¹ T_sd: sin θ · a, cos θ, (1 − cos θ) a aᵀ, and its position p."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import se3, so3

    T, target, R = (sp.Matrix(3, k, _symbols(name)) for name, k in (("T", 4), ("D", 4), ("R", 3)))
    between = se3.between(_with_last_row(T), _with_last_row(target))
    named = [(symbol, between[i // 3, i % 3]) for i, symbol in enumerate(R)]
    products = so3.axis_products(R)
    parts = [*so3.sine_vector(R), so3.cosine(R), *(products[i, j] for i in range(3) for j in range(i, 3))]
    outputs = {"parts": sp.Matrix([*parts, *between[:3, 3]])}
    by: list[Any] = [se3.between, so3.sine_vector, so3.cosine, so3.axis_products]
    return Kernel("between", {"T": T, "TARGET": target}, outputs, named, by=by)


@cache
def _twist_kernel() -> Kernel:
    """Return ξ = (ω, V⁻¹p) of ω = k u, with k and with k² `so3.log_ratio` given. The rest is ready when these come."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import so3

    u, p = sp.Matrix(sp.symbols("u0:3", real=True)), sp.Matrix(sp.symbols("p0:3", real=True))
    once, twice = sp.Matrix(sp.symbols("once0:3", real=True)), sp.Matrix(sp.symbols("twice0:3", real=True))
    k, factor = sp.symbols("k factor", real=True)
    named = [*zip(once, so3.hat(u) * p, strict=True), *zip(twice, so3.hat(u) * once, strict=True)]
    v = p + so3.inverse_factors(k**2)[0] * k * once + factor * twice
    inputs = {"u": u, "p": p, "scales": sp.Matrix([k, factor])}
    return Kernel("twist", inputs, {"V": (k * u).col_join(v)}, named, by=[so3.left_jacobian_inverse])


def _symbols(name: str) -> Any:
    import sympy as sp

    return lambda i, j: sp.Symbol(f"{name}{i}{j}", real=True)


def _with_last_row(T: Any) -> Any:
    import sympy as sp

    return T.col_join(sp.Matrix([[0, 0, 0, 1]]))


def _error_twist(at: dict[str, int], width: int) -> str:
    """Return the text of V_b = log(T_sb⁻¹ T_sd) over lanes: the two formulas of lie/logarithm.py, selects for branches.

    ω = k u. Up to a quarter turn u = sin θ · a, and k = θ/sin θ is a polynomial in cos θ; beyond, u is a column of
    (1 − cos θ) a aᵀ, and θ is what that polynomial lacks to half a turn. What k multiplies is ready before it.
    """
    import math

    import sympy as sp

    from lessons_lib.codegen import lanes, scalar_target
    from lessons_lib.codegen.account import Account
    from lessons_lib.symbolic import polynomials
    from lessons_lib.symbolic.formulas import name_of

    place, z = partial(lanes.place, width=width), sp.Symbol("z")
    between, twist = _between_kernel(), _twist_kernel()
    by = (*between.by, *twist.by, polynomials.angle_over_sine, polynomials.log_ratio)
    account = Account("V_b, the logarithm of T_sb⁻¹ T_sd.", tuple(map(name_of, by)))
    lines = [f"{lanes.VECTORIZED}\ndef error_twist(w):", f'    """{account}"""']
    lines += [f"    for lane in range({width}):"]
    inside = [f"{s} = {place(at[name] + i)}" for name, m in between.inputs.items() for i, s in enumerate(m)]
    assignments, results = scalar_target.body(between, "")
    names = "w0 w1 w2 c xx xy xz yy yz zz p0 p1 p2".split()
    inside += assignments + [f"{name} = {next(results)}" for name in names]
    inside += f"""\
far = c < 0.0
side = 1.0 + abs(c)
z = 1.0 - abs(c)
near = {lanes.text_of(polynomials.angle_over_sine().at(z))}
ratio = {lanes.text_of(polynomials.log_ratio().at(z))}
s = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
theta = {math.pi!r} - s * near
x_first = xx >= yy
z_first = zz > (xx if x_first else yy)
a0 = xz if z_first else (xx if x_first else xy)
a1 = yz if z_first else (xy if x_first else yy)
a2 = zz if z_first else (xz if x_first else yz)
length = math.sqrt(side * (zz if z_first else (xx if x_first else yy)))
towards = a0 * w0 + a1 * w1 + a2 * w2
sign = a0 if abs(a0) > 1e-15 * length else (a1 if abs(a1) > 1e-15 * length else a2)
towards = sign if towards == 0.0 else towards
scale = 1.0 / (-length if towards < 0.0 else length)
k = theta * scale if far else near
factor = (1.0 - 0.5 * theta * (s / side)) * (scale * scale) if far else ratio
u0 = a0 if far else w0
u1 = a1 if far else w1
u2 = a2 if far else w2""".splitlines()
    assignments, results = scalar_target.body(twist, "")
    inside += assignments + [f"{place(at['V'] + i)} = {next(results)}" for i in range(6)]
    return "\n".join(lines + [f"        {line}" for line in inside])


def _advance(dof: int, at: dict[str, int], width: int) -> str:
    """Return the text that adds the steps, joint by joint.

    A loop over joints would hide from the compiler that no two rows overlap.
    """
    from lessons_lib.codegen import lanes

    place = partial(lanes.place, width=width)
    lines = [f"{lanes.VECTORIZED}\ndef advance(w):"]
    lines += [
        '    """q + d; which steps are too small to matter, and where there is a breakdown (pivot, angle, damping)."""'
    ]
    lines += [
        f"    for lane in range({width}):",
        f"        waits = {place(at['EVENT'])} > 0.0",
        "        longest, farthest, least = 0.0, 1.0, math.inf",
    ]
    for i in range(dof):
        lines += [f"        q, d = {place(at['Q'] + i)}, {place(at['STEP'] + i)}"]
        lines += ["        ahead = q if waits else q + d"]
        lines += [f"        {place(at['Q'] + i)} = ahead", "        longest = abs(d) if abs(d) > longest else longest"]
        lines += ["        farthest = abs(ahead) if abs(ahead) > farthest else farthest"]
    for i in range(min(dof, 6)):
        lines += [f"        pivot = {place(at['MARGINS'] + i)}", "        least = pivot if pivot < least else least"]
    lines += [
        f"        {place(at['NO_PROGRESS'])} = 1.0 if longest <= {layout.STALL!r} * farthest else 0.0",
        f"        {place(at['COUNT'])} += 0.0 if waits else 1.0",
        f"        breakdown = 1.0 if farthest >= {lanes.LARGEST_ANGLE!r} else 0.0",
        "        breakdown = breakdown if least > 0.0 else 1.0",
        f"        damping = {place(at['DIAGONAL'])}",
        "        breakdown = breakdown if damping >= 0.0 else 1.0",
        f"        {place(at['BREAKDOWN'])} = breakdown if damping < 1e300 else 1.0",
    ]
    return "\n".join(lines)
