"""Kernels of one joint, one frame and one body, which serve every tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel


def derive() -> list[Kernel]:
    """Return these kernels; tree_code.pyi has the names of their arguments and results."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import open_tree
    from lessons_lib.symbolic.steps import Steps

    T, P = _pose("T"), _pose("P")
    q, base = sp.Matrix([sp.Symbol("angle", real=True)]), _column("c", 7)
    ratio, twist, xi = _column("r", 2), _column("s", 6), _column("u", 6)
    body, below, whole = _column("m", 4), _column("h", 4), _column("w", 4)
    short = Steps()
    placed, steps = short.name("t", open_tree.place(T, P)), short.named
    coordinate = ratio[0] * q[0] + ratio[1]

    def joint(name: str, screw: sp.Matrix) -> Kernel:
        T_joint, column = open_tree.joint_step(placed, screw, coordinate, ratio[0])
        inputs, outputs = {"T": T, "P": P, "q": q, "ratio": ratio}, {"T_joint": T_joint, "twist": column}
        summary = "T P exp([S] q) and its twist."
        return Kernel(name, inputs, outputs, steps, summary, stacked=(*inputs, *outputs))

    T_free, columns = open_tree.free_step(placed, base)
    free = {"T_joint": T_free, "twists": columns.T}
    centre = open_tree.centre_column(twist, below[0], sp.Matrix(below[1:]), whole[0])
    return [
        joint("revolute_kernel", open_tree.REVOLUTE),
        joint("prismatic_kernel", open_tree.PRISMATIC),
        Kernel("free_kernel", {"T": T, "P": P, "q": base}, free, steps, "T P T(q).", by=[open_tree.free_step]),
        Kernel("free_pose_kernel", {"q": base}, {"T": open_tree.free_pose(base)}, summary="T(q)."),
        Kernel(
            "free_integral_kernel",
            {"q": base, "xi": xi},
            {"ahead": open_tree.free_integral(base, xi)},
            summary="q of T(q) exp [ξ].",
        ),
        Kernel("place_kernel", {"T": T, "P": P}, {"T_frame": open_tree.place(T, P)}, summary="T P."),
        Kernel(
            "into_frame_kernel",
            {"T": T, "twist": twist},
            {"column": open_tree.into_frame(T, twist)},
            summary="Ad(T⁻¹) ξ.",
        ),
        Kernel("point_kernel", {"T": T, "body": body}, {"moment": open_tree.moment(T, body)}, summary="(m, m p)."),
        Kernel(
            "centre_column_kernel",
            {"twist": twist, "below": below, "whole": whole},
            {"column": centre},
            summary="Velocity of the centre of mass for a unit rate.",
        ),
    ]


def _column(letter: str, n: int) -> sp.Matrix:
    import sympy as sp

    return sp.Matrix(sp.symbols(f"{letter}0:{n}", real=True))


def _pose(letter: str) -> sp.Matrix:
    import sympy as sp

    from lessons_lib.symbolic import se3

    R = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"{letter}{i}{j}", real=True))
    return se3.pose(R, _column(f"{letter}p", 3))
