"""The kernels of the planar 2R's closed form and of the arm angle."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # SymPy loads only when needed
    from lessons_lib.codegen.kernel import Kernel

EDGE = 4 * sys.float_info.epsilon
"""Largest distance from an edge of the ring, over L₁ + L₂, of a tip that counts as on it: a straight arm's rounding."""


def planar_2r() -> list[Kernel]:
    """Return count_kernel, angles_kernel and corners_kernel."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import planar_2r

    r, elbow, stretched, folded, blur = sp.symbols("r elbow stretched folded blur", real=True)
    tip, q = sp.Matrix(sp.symbols("tip_x tip_y", real=True)), sp.Matrix(sp.symbols("q_1 q_2", real=True))
    gaps = sp.Matrix(sp.symbols("g_out g_in", nonnegative=True))
    L_1, L_2 = sp.symbols("L_1 L_2", positive=True)
    lengths = sp.Matrix([L_1, L_2])
    ring, pair = {"distance": sp.Matrix([r]), "lengths": lengths}, {"q": q, "lengths": lengths}
    edges = [(stretched, L_1 + L_2), (folded, L_1 - L_2), (blur, sp.Float(EDGE) * stretched)]
    counted = {"count_and_gaps": planar_2r.count_solutions(r, stretched, folded, blur)}
    parameters = {"tip": tip, "gaps": gaps, "lengths": lengths, "sign": sp.Matrix([elbow])}
    angles = {"q": planar_2r.angles(tip, gaps, lengths, elbow)}
    points = sp.Matrix.vstack(sp.zeros(1, 2), *(point.T for point in planar_2r.corners(*q, *lengths)))
    return [
        Kernel("count_kernel", ring, counted, edges, "Number of solutions, g_out and g_in."),
        Kernel("angles_kernel", parameters, angles, summary="q_1 and q_2."),
        Kernel("corners_kernel", pair, {"points": points}, summary="Base, elbow and tip."),
    ]


def arm_angle() -> list[Kernel]:
    """Return pair_kernel: sine and cosine of the arm angle from three points."""
    import sympy as sp

    from lessons_lib.codegen.kernel import Kernel
    from lessons_lib.symbolic import redundancy

    elbow, wrist, up = (sp.Matrix(sp.symbols(f"{name}_0:3", real=True)) for name in ("e", "w", "u"))
    inputs = {"elbow": elbow, "wrist": wrist, "up": up}
    pair = redundancy.sine_and_cosine(elbow, wrist, up)
    return [Kernel("pair_kernel", inputs, {"pair": pair}, summary="Sine and cosine of ψ, scaled.")]
