"""Definitions of the kernels of `lie`: expressions of `symbolic` with names and shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel


def se3_kernels() -> list[Kernel]:
    """Return the kernels of SE(3) except the Jacobians of exp."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import se3, so3

    omega = sp.Matrix(sp.symbols("omega0:3", real=True))
    v = sp.Matrix(sp.symbols("v0:3", real=True))
    xi = omega.col_join(v)
    R = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"R{i}{j}", real=True))
    p = sp.Matrix(sp.symbols("p0:3", real=True))
    T = se3.pose(R, p)
    R_d = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"D{i}{j}", real=True))
    T_d = se3.pose(R_d, sp.Matrix(sp.symbols("d0:3", real=True)))
    theta = sp.Symbol("theta", real=True)
    sine = so3.sine_vector(R)
    Omega = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"Omega{i}{j}", real=True))
    X = Omega.row_join(p).col_join(sp.zeros(1, 4))
    return [
        Kernel("hat_so3_kernel", {"omega": omega}, {"Omega": so3.hat(omega)}, summary="[ω], 3×3."),
        Kernel("vee_so3_kernel", {"Omega": Omega}, {"omega": so3.vee(Omega)}, summary="ω of [ω]."),
        Kernel("hat_se3_kernel", {"xi": xi}, {"X": se3.hat(xi)}, summary="[ξ], 4×4."),
        Kernel("vee_se3_kernel", {"X": X}, {"xi": se3.vee(X)}, summary="ξ of [ξ]."),
        Kernel("exp_so3_kernel", {"omega": omega}, {"R": so3.exp(omega)}, summary="R = exp [ω]."),
        Kernel("exp_se3_kernel", {"xi": xi}, {"T": se3.exp(xi)}, summary="T = exp [ξ]."),
        Kernel("adjoint_kernel", {"T": T}, {"Ad": se3.adjoint(T)}, summary="Ad_T, 6×6."),
        Kernel("inverse_kernel", {"T": T}, {"T_inverse": se3.inverse(T)}, summary="T⁻¹ = (Rᵀ, −Rᵀp)."),
        Kernel("between_kernel", {"T": T, "T_d": T_d}, {"T_between": se3.between(T, T_d)}, summary="T⁻¹ T_d."),
        Kernel(
            "rotation_parts_kernel",
            {"T": T},
            {"w": sine, "c": sp.Matrix([so3.cosine(R)])},
            summary="w = sin θ · a and c = cos θ of the rotation in T.",
            by=[so3.cosine],
        ),
        Kernel("axis_products_kernel", {"T": T}, {"A": so3.axis_products(R)}, summary="A = (1 − cos θ) a aᵀ."),
        Kernel(
            "small_log_kernel",
            {"T": T, "angle": sp.Matrix([theta])},
            {"omega": so3.log(R, theta)},
            summary="ω for θ ≤ π/2.",
        ),
        Kernel("log_position_kernel", {"omega": omega, "T": T}, {"xi": se3.log(omega, p)}, summary="ξ = (ω, V⁻¹p)."),
    ]


def jacobians() -> list[Kernel]:
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import se3, so3

    omega = sp.Matrix(sp.symbols("omega0:3", real=True))
    xi = omega.col_join(sp.Matrix(sp.symbols("v0:3", real=True)))
    of_so3, of_se3, inverse = so3.left_jacobian(omega), se3.left_jacobian(xi), se3.left_jacobian_inverse(xi)
    return [
        Kernel("left_jacobian_so3_kernel", {"omega": omega}, {"J": of_so3}, summary="J_l(ω), 3×3."),
        Kernel("left_jacobian_se3_kernel", {"xi": xi}, {"J": of_se3}, summary="J_l(ξ), 6×6."),
        Kernel("left_jacobian_inverse_se3_kernel", {"xi": xi}, {"J": inverse}, summary="J_l(ξ)⁻¹, 6×6."),
    ]


def quaternions() -> list[Kernel]:
    """Return the kernels between rotations, rotation vectors and unit quaternions (x, y, z, w)."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import quaternion

    omega, u = (sp.Matrix(sp.symbols(f"{name}0:{size}", real=True)) for name, size in (("omega", 3), ("u", 4)))
    return [
        Kernel("rotation_of_quaternion_kernel", {"u": u}, {"R": quaternion.rotation(u)}, summary="R of u."),
        Kernel("quaternion_of_vector_kernel", {"omega": omega}, {"u": quaternion.exp(omega)}, summary="u of exp [ω]."),
    ]


def euler() -> list[Kernel]:
    """Return the kernel of Euler angles about three unit axes, the rows of `axes`."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import so3

    axes = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"a{i}{j}", real=True))
    angles = sp.Matrix(sp.symbols("theta0:3", real=True))
    results = {"R": so3.euler_rotation(axes, angles), "B": so3.euler_rates(axes, angles)}
    return [Kernel("euler_kernel", {"axes": axes, "angles": angles}, results, summary="R and B_s of three angles.")]


def intervals() -> list[Kernel]:
    """Return the kernel of the error outside intervals, along the axes of the target, and of its derivative."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import se3
    from lessons_lib.symbolic.pose_error import interval_error, interval_slope, split_error, split_slope

    omega, r = (sp.Matrix(sp.symbols(f"{name}0:3", real=True)) for name in ("omega", "r"))
    e, low, high = (sp.Matrix(sp.symbols(f"{name}0:6", real=True)) for name in ("e", "low", "high"))
    T_bd = se3.pose(sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"E{i}{j}", real=True)), r)
    whole = split_error(omega, T_bd, sp.eye(3))
    slope = sp.diag(*interval_slope(e, low, high)) * split_slope(omega, T_bd, sp.eye(3))
    return [
        Kernel(
            "interval_error_kernel",
            {"omega": omega, "T_bd": T_bd, "low": low, "high": high},
            {"error": interval_error(e, low, high), "L": slope},
            list(zip(e, whole, strict=True)),
            "e and L of the error outside intervals.",
            by=[split_error, split_slope, interval_slope],
        )
    ]
