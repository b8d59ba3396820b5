"""The kernel of Newton's method for the least error: the exact linear model, and the Hessian of E = ½ eᵀe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.codegen.lanes import expand_stumpff_up_to_pi
from lessons_lib.pose_ik.model_kernels import (
    ROOTS,
    SPLIT,
    TARGET,
    V,
    axes_of,
    entries,
    joint_columns,
    model,
    parameters,
)
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.symbolic import coupled_chain, error_hessian, objective, so3, tip_to_base
from lessons_lib.symbolic.steps import Names

if TYPE_CHECKING:
    from lessons_lib.robots import Chain


def newton_kernel(variant: Variant, J: sp.Matrix, varying: int, chain: Chain) -> Kernel:
    """Return A and e of the exact model, and ∂²E/∂q²; the arguments are those of `step_kernel`, and the chain.

    A column of J is followed by those of later joints. If the joints are coupled, a column of J belongs to several of
    them, so that those of the joints are computed from q again.
    """
    made, names, n = model(variant, J), Names(), J.cols
    assert made.L is not None
    u = names.matrix("force", objective.weighted(ROOTS, made.e))
    if variant.splits:
        Z = error_hessian.split_curvature(V[:3, :], SPLIT[3:, :], u, made.L, axes_of(variant), names.matrix)
    else:
        Z = error_hessian.twist_curvature(V, u, made.L, names.matrix)
    by: list[object] = [error_hessian.split_curvature if variant.splits else error_hessian.twist_curvature]
    inputs = {**made.inputs, "TARGET": TARGET, "J": entries("J", varying), "GIVEN": parameters(variant)}
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
            H[i, j] = H[j, i] = names.name(f"H{i}_{j}", made.A[:, i].dot(made.A[:, j]) + bent[i, j])
    lines = expand_stumpff_up_to_pi([*made.definitions, *names.named], so3.squared_angle(V[:3, :]), "hessian")
    outputs = {"MODEL": sp.Matrix(list(made.A)), "RESIDUAL": made.e, "HESSIAN": sp.Matrix(list(H))}
    return Kernel("model", inputs, outputs, lines, "A, e, and the Hessian of ½ eᵀe.", by=[*made.by, *by])
