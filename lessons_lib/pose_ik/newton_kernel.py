"""The kernel of Newton's method for the least error: the exact linear model, and the Hessian of E = ½ eᵀe."""

from __future__ import annotations

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.codegen.lanes import in_half_a_turn
from lessons_lib.pose_ik.model_kernels import ROOTS, SPLIT, TARGET, V, axes_of, entries, model, parameters
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.symbolic import error_hessian, objective, so3
from lessons_lib.symbolic.steps import Names


def newton_kernel(variant: Variant, J: sp.Matrix, varying: int, coupled: bool = False) -> Kernel:
    """Return A and e of the exact model, and ∂²E/∂q²; the arguments are those of `step_kernel`.

    The second term of ∂²E/∂q² needs a column of J for each joint. If the joints are coupled, it is left out.
    """
    made, names, n = model(variant, J), Names(), J.cols
    assert made.L is not None
    u = names.matrix("force", objective.weighted(ROOTS, made.e))
    if variant.splits:
        Z = error_hessian.of_split_error(V[:3, :], SPLIT[3:, :], u, made.L, axes_of(variant), names.matrix)
    else:
        Z = error_hessian.of_twist(V, u, made.L, names.matrix)
    by = error_hessian.of_split_error if variant.splits else error_hessian.of_twist
    moved = names.matrix("moved", names.matrix("bend", Z) * J)
    H = sp.zeros(n, n)
    for i in range(n):
        for j in range(i + 1):
            entry = made.A[:, i].dot(made.A[:, j]) + (0 if coupled else J[:, i].dot(moved[:, j]))
            H[i, j] = H[j, i] = names.name(f"H{i}_{j}", entry)
    lines = in_half_a_turn([*made.definitions, *names.named], so3.squared_angle(V[:3, :]), "hessian")
    inputs = {**made.inputs, "TARGET": TARGET, "J": entries("J", varying), "GIVEN": parameters(variant)}
    outputs = {"MODEL": sp.Matrix(list(made.A)), "RESIDUAL": made.e, "HESSIAN": sp.Matrix(list(H))}
    return Kernel("model", inputs, outputs, lines, "A, e, and the Hessian of ½ eᵀe.", by=[*made.by, by])
