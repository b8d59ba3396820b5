"""Kernels of the error and its linear model A d ≈ e: error twist, split error, weighted model, and Hessian."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.codegen.lanes import expand_stumpff_up_to_pi
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.robots import kinematics
from lessons_lib.symbolic import (
    coupled_chain,
    error_hessian,
    polynomials,
    pose_error,
    se3,
    so3,
    tip_to_base,
)
from lessons_lib.symbolic.piecewise import Definitions, choice
from lessons_lib.symbolic.steps import Names

if TYPE_CHECKING:
    from lessons_lib.robots import Chain


def entries(name: str, rows: int, columns: int = 1) -> sp.Matrix:
    """Return a matrix of symbols named by row and column (T01), or by row if it has one column (V0)."""
    one = columns == 1
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}{i}" if one else f"{name}{i}{j}", real=True))


T, TARGET, V, ROOTS = entries("T", 3, 4), entries("D", 3, 4), entries("V", 6), entries("root", 6)
SPLIT, AXES = entries("split", 6), entries("axis", 3, 3)
LOW, HIGH = entries("low", 6), entries("high", 6)
LOGARITHM = (
    *(se3.between, so3.sine_vector, so3.cosine, so3.axis_products, so3.left_jacobian_inverse),
    *(polynomials.angle_over_sine, polynomials.log_ratio),
)
"""The formulas that the error twist is derived by."""


def parameters(variant: Variant) -> sp.Matrix:
    """Return the symbols of the kernels' parameters: roots of weights, damping parameters, axes, intervals."""
    damping = sp.symbols(f"p0:{variant.parameters}", real=True) if variant.parameters else ()
    more = {"split axes": AXES, "split intervals": LOW.col_join(HIGH)}.get(variant.model, ())
    return sp.Matrix([*ROOTS, *damping, *more])


@cache
def error_kernel() -> Kernel:
    """Return the kernel of V_b = log(T_sb⁻¹ T_sd), by the two formulas of lie/logarithm.py."""
    # ω = k u. Up to θ = π/2 u = sin θ · a, and k = θ/sin θ is a polynomial in cos θ; beyond, u is a column of (1 − cos
    # θ) a aᵀ, and θ is π less the angle that the polynomial gives.
    names = Names()
    between = se3.between(_homogeneous(T), _homogeneous(TARGET))
    R, p = names.matrix("R", between[:3, :3]), names.matrix("p", between[:3, 3])
    w, cosine = names.matrix("w", so3.sine_vector(R)), names.name("cosine", so3.cosine(R))
    products = so3.axis_products(R) + (so3.cosine(R) - cosine) * sp.eye(3)
    u, k, factor = _scaled_axis(names, w, cosine, products)
    once = names.matrix("once", so3.hat(u) * p)
    twice = names.matrix("twice", so3.hat(u) * once)
    v = p + so3.inverse_factors(k**2)[0] * k * once + factor * twice
    inputs, outputs = {"T": T, "TARGET": TARGET}, {"V": (k * u).col_join(v)}
    summary = "V_b, the logarithm of T_sb⁻¹ T_sd."
    return Kernel("error_twist", inputs, outputs, names.named, summary, by=LOGARITHM, is_reduced=True)


def _scaled_axis(
    names: Names, w: sp.Matrix, cosine: sp.Symbol, products: sp.Matrix
) -> tuple[sp.Matrix, sp.Symbol, sp.Symbol]:
    """Return u, k and (c₃/2 − c₄)/c₂ · k² from w = sin θ · a, cos θ and `products` = (1 − cos θ) a aᵀ."""
    cosines = names.name("cosines", sp.Abs(cosine))
    z, side = names.name("z", 1 - cosines), names.name("side", 1 + cosines)
    over_sine = names.name("over_sine", polynomials.angle_over_sine().at(z))
    ratio = names.name("ratio", polynomials.log_ratio().at(z))
    sine = names.name("sine", sp.sqrt(so3.squared_angle(w)))
    theta = names.name("theta", sp.pi.evalf(17) - sine * over_sine)
    column, scale = _column(names, w, side, products)
    far = cosine < 0
    k = names.name("k", choice(far, theta * scale, over_sine))
    beyond = (1 - theta * sine / (2 * side)) * scale**2
    factor = names.name("factor", choice(far, beyond, ratio))
    return names.matrix("u", sp.Matrix([choice(far, a, b) for a, b in zip(column, w, strict=True)])), k, factor


def _column(names: Names, w: sp.Matrix, side: sp.Symbol, products: sp.Matrix) -> tuple[sp.Matrix, sp.Symbol]:
    """Return the largest column of (1 − cos θ) a aᵀ, with the sign of w, and the factor that normalizes it."""
    # at a rotation by π w vanishes; then the first entry above rounding is made positive
    A = names.matrix("axis", products)
    x_leads = sp.Ge(A[0, 0], A[1, 1], evaluate=False)
    wide = names.name("wide", choice(x_leads, A[0, 0], A[1, 1]))
    z_leads = sp.Gt(A[2, 2], wide, evaluate=False)
    leading = [choice(z_leads, A[i, 2], choice(x_leads, A[i, 0], A[i, 1])) for i in range(3)]
    column, square = names.matrix("column", sp.Matrix(leading)), names.name("square", choice(z_leads, A[2, 2], wide))
    length = names.name("length", sp.sqrt(side * square))
    along, rounding = names.name("along", column.dot(w)), names.name("rounding", 1e-15 * length)
    size = names.matrix("size", column[:2, :].applyfunc(sp.Abs))
    first = choice(size[0] > rounding, column[0], choice(size[1] > rounding, column[1], column[2]))
    towards = names.name("towards", choice(sp.Eq(along, 0), first, along))
    along_w = names.name("along_w", choice(towards < 0, -length, length))
    return column, names.name("scale", 1 / along_w)


def split_kernel(variant: Variant) -> Kernel:
    """Return the kernel of the split error, from V_b, T_sb and T_sd."""
    names, by = Names(), list[object]([se3.between])
    error = pose_error.split_error(V[:3, :], _between(names), axes_of(variant))
    inputs = {"V": V, "T": T, "TARGET": TARGET}
    inputs |= {"PARAMETERS": parameters(variant)} if variant.numbers > 6 + variant.parameters else {}
    if variant.model == "split intervals":
        by.append(pose_error.split_error)
        error = pose_error.interval_error(names.matrix("target_error", error), LOW, HIGH)
    return Kernel("split_error", inputs, {"SPLIT": error}, names.named, "The split error.", by=by)


class JointColumns(NamedTuple):
    """The definitions and the columns of J_b of coupled joints, 6×m, and A of the coupling, m×n."""

    steps: Definitions
    columns: sp.Matrix
    A: sp.Matrix


def joint_columns(chain: Chain) -> JointColumns | None:
    """Return the columns of coupled joints, which J does not contain; None if no joints are coupled."""
    if chain.matrix is None:
        return None
    A, screws, home = (kinematics.exact(array) for array in (chain.matrix, chain.screws, chain.home))
    derived, names = tip_to_base.derive(screws, home, tuple(A * entries("q", chain.dof))), Names()
    columns = names.matrix("column", derived.J_b)
    return JointColumns([*derived.steps, *names.named], columns, A)


@dataclass(frozen=True)
class Model:
    """The linear model of a variant: after a small step d the weighted error is e − A d."""

    inputs: dict[str, sp.Matrix]  # the quantities it is computed from, by rows of `w`
    definitions: Definitions  # named intermediate results, in order
    error: sp.Matrix  # unweighted, in the method's frame, 6×1
    jacobian: sp.Matrix  # unweighted Jacobian of that error, before the exact derivative, 6×n
    slope: sp.Matrix  # unweighted derivative that the step uses, 6×n
    L: sp.Matrix | None  # derivative by a body twist, 6×6: the error becomes e − L ξ; None if it is taken as constant
    e: sp.Matrix  # weighted error, 6×1
    A: sp.Matrix  # weighted slope, 6×n; each entry is a symbol or a number
    by: tuple[object, ...]  # the formulas that it was derived by


def model(variant: Variant, J: sp.Matrix) -> Model:
    """Return the model of a variant; J, 6×n, is J_s for "space" and otherwise J_b, each entry a symbol or a number."""
    names, inputs = Names(), {"V": V, "T": T}
    error, jacobian, L = V, J, None
    by: list[object] = []
    if variant.model == "space":
        by = [se3.adjoint]
        error = names.matrix("space", se3.adjoint(_homogeneous(T)) * V)
    elif variant.uses_split_error:
        T_bd = _between(names)
        inputs |= {"TARGET": TARGET, "SPLIT": SPLIT}
        by = [se3.between, pose_error.split_slope]
        error = SPLIT
        L = names.matrix("slope", pose_error.split_slope(V[:3, :], T_bd, axes_of(variant)))
        if variant.model == "split intervals":
            by += [pose_error.split_error, pose_error.interval_slope]
            whole = names.matrix("target_error", pose_error.split_error(V[:3, :], T_bd, axes_of(variant)))
            inside = names.matrix("outside", pose_error.interval_slope(whole, LOW, HIGH))
            L = names.matrix("outer", sp.diag(*inside) * L)
        jacobian = names.matrix("turned", L * J)
    slope = jacobian
    if variant.model == "exact":
        by = [se3.left_jacobian_inverse]
        L = names.matrix("slope", _exact_slope())
        slope = names.matrix("turned", L * J)
    e, A = error, slope
    if variant.weighted:
        by.append(pose_error.weighted)
        e, A = (
            names.matrix("e", pose_error.weighted(ROOTS, error)),
            names.matrix("a", pose_error.weighted(ROOTS, slope)),
        )
    definitions = expand_stumpff_up_to_pi(names.named, so3.squared_angle(V[:3, :]), "stumpff")
    return Model(inputs, definitions, error, jacobian, slope, L, e, A, tuple(by))


def _homogeneous(pose: sp.Matrix) -> sp.Matrix:
    """Append the last row of a pose."""
    return pose.col_join(sp.Matrix([[0, 0, 0, 1]]))


@cache
def _exact_slope() -> sp.Matrix:
    return se3.left_jacobian_inverse(V)


def _between(names: Names) -> sp.Matrix:
    return names.matrix("between", se3.between(_homogeneous(T), _homogeneous(TARGET)))


def axes_of(variant: Variant) -> sp.Matrix | None:
    """Return the axes of a split error, as in `split_error`."""
    named = {"body": None, "space": TARGET[:, :3], "target": sp.eye(3), "axes": AXES, "intervals": sp.eye(3)}
    return named[variant.model.removeprefix("split ")]


def newton_kernel(variant: Variant, J: sp.Matrix, varying: int, chain: Chain) -> Kernel:
    """Return the kernel of A and e of the exact model and of ∂²E/∂q², E = ½ eᵀe."""
    # if the joints are coupled, a column of J belongs to several of them; their own columns are computed from q
    linear, names, n = model(variant, J), Names(), J.cols
    assert linear.L is not None
    u = names.matrix("force", pose_error.weighted(ROOTS, linear.e))
    if variant.uses_split_error:
        Z = error_hessian.split_curvature(V[:3, :], SPLIT[3:, :], u, linear.L, axes_of(variant), names.matrix)
    else:
        Z = error_hessian.twist_curvature(V, u, linear.L, names.matrix)
    by: list[object] = [error_hessian.split_curvature if variant.uses_split_error else error_hessian.twist_curvature]
    inputs = {**linear.inputs, "TARGET": TARGET, "J": entries("J", varying), "PARAMETERS": parameters(variant)}
    coupled, columns = joint_columns(chain), J
    if coupled is not None:
        inputs["Q"], columns = entries("q", n), coupled.columns
        names.named += coupled.steps
        by += [tip_to_base.derive, coupled_chain.coupled_hessian]
    moved = names.matrix("moved", names.matrix("bend", Z) * columns)
    m = columns.cols
    bent = sp.Matrix(m, m, lambda i, j: columns[:, max(i, j)].dot(moved[:, min(i, j)]))
    if coupled is not None:
        bent = coupled_chain.coupled_hessian(names.matrix("bent", bent), coupled.A)
    H = sp.zeros(n, n)
    for i in range(n):
        for j in range(i + 1):
            H[i, j] = H[j, i] = names.name(f"H{i}_{j}", linear.A[:, i].dot(linear.A[:, j]) + bent[i, j])
    lines = expand_stumpff_up_to_pi([*linear.definitions, *names.named], so3.squared_angle(V[:3, :]), "hessian")
    outputs = {"MODEL": sp.Matrix(list(linear.A)), "RESIDUAL": linear.e, "HESSIAN": sp.Matrix(list(H))}
    return Kernel("model", inputs, outputs, lines, "A, e, and the Hessian of ½ eᵀe.", by=[*linear.by, *by])
