"""The kernel of the error twist V_b = log(T_sb⁻¹ T_sd): the two formulas of lie/logarithm.py, choices for branches."""

from __future__ import annotations

from functools import cache

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.pose_ik.model_kernels import TARGET, T, whole
from lessons_lib.symbolic import polynomials, se3, so3
from lessons_lib.symbolic.choices import choice
from lessons_lib.symbolic.steps import Names

BY = (
    *(se3.between, so3.sine_vector, so3.cosine, so3.axis_products, so3.left_jacobian_inverse),
    *(polynomials.angle_over_sine, polynomials.log_ratio),
)
"""The formulas that it was derived by."""


@cache
def error_kernel() -> Kernel:
    """Return the kernel of V_b, from T_sb and T_sd.

    ω = k u. Up to a quarter turn u = sin θ · a, and k = θ/sin θ is a polynomial in cos θ; beyond, u is a column of
    (1 − cos θ) a aᵀ, and θ is what that polynomial lacks to half a turn. What k multiplies is ready before it.
    """
    names = Names()
    between = se3.between(whole(T), whole(TARGET))
    R, p = names.matrix("R", between[:3, :3]), names.matrix("p", between[:3, 3])
    w, cosine = names.matrix("w", so3.sine_vector(R)), names.name("cosine", so3.cosine(R))
    products = so3.axis_products(R) + (so3.cosine(R) - cosine) * sp.eye(3)
    u, k, factor = _scaled_axis(names, w, cosine, products)
    once = names.matrix("once", so3.hat(u) * p)
    twice = names.matrix("twice", so3.hat(u) * once)
    v = p + so3.inverse_factors(k**2)[0] * k * once + factor * twice
    given, outputs = {"T": T, "TARGET": TARGET}, {"V": (k * u).col_join(v)}
    return Kernel(
        "error_twist", given, outputs, names.named, "V_b, the logarithm of T_sb⁻¹ T_sd.", by=BY, is_reduced=True
    )


def _scaled_axis(
    names: Names, w: sp.Matrix, cosine: sp.Symbol, products: sp.Matrix
) -> tuple[sp.Matrix, sp.Symbol, sp.Symbol]:
    """Return u, k and (c₃/2 − c₄)/c₂ · k².

    Args:
        names: Steps as they are made.
        w: sin θ · a, named.
        cosine: cos θ, named.
        products: (1 − cos θ) a aᵀ.
    """
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
    """Return the largest column of (1 − cos θ) a aᵀ, and what makes a of it.

    Its sign is that of w; at exactly half a turn, where w vanishes, its first entry that is more than rounding is made
    positive.
    """
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
