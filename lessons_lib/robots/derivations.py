"""The kernels of the planar 2R's closed form and of the arm angle."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel


def planar_2r() -> list[Kernel]:
    """Return gaps_kernel, angles_kernel and corners_kernel."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import planar_2r

    r, stretched, folded, elbow = sp.symbols("r stretched folded elbow", real=True)
    tip, q = sp.Matrix(sp.symbols("tip_x tip_y", real=True)), sp.Matrix(sp.symbols("q_1 q_2", real=True))
    gaps = sp.Matrix(sp.symbols("g_out g_in", nonnegative=True))
    lengths = sp.Matrix(sp.symbols("L_1 L_2", positive=True))
    ring, pair = {"ring": sp.Matrix([r, stretched, folded])}, {"q": q, "lengths": lengths}
    given = {"tip": tip, "gaps": gaps, "lengths": lengths, "sign": sp.Matrix([elbow])}
    found, answer = planar_2r.gaps(r, stretched, folded), planar_2r.angles(tip, gaps, lengths, elbow)
    points = sp.Matrix.vstack(sp.zeros(1, 2), *(point.T for point in planar_2r.corners(*q, *lengths)))
    return [
        Kernel("gaps_kernel", ring, {"gaps": found}, summary="g_out and g_in."),
        Kernel("angles_kernel", given, {"q": answer}, summary="q_1 and q_2."),
        Kernel("corners_kernel", pair, {"points": points}, summary="Base, elbow and tip."),
    ]


def arm_angle() -> list[Kernel]:
    """Return pair_kernel: sine and cosine of the arm angle, out of three points."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import arm_angle

    elbow, wrist, up = (sp.Matrix(sp.symbols(f"{name}_0:3", real=True)) for name in ("e", "w", "u"))
    inputs = {"elbow": elbow, "wrist": wrist, "up": up}
    pair = arm_angle.sine_and_cosine(elbow, wrist, up)
    return [Kernel("pair_kernel", inputs, {"pair": pair}, summary="ψ's two.")]
