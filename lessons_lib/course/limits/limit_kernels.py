"""The quadratic program for one step of the planar 2R: its rows, and its minimum on zero, one or two active rows."""

import sympy as sp

from lessons_lib.arrays import Array
from lessons_lib.codegen import Kernel
from lessons_lib.course.limits import quadratic_program, stopping
from lessons_lib.robots.kinematics import exact
from lessons_lib.symbolic import planar_2r

LENGTHS = (sp.Integer(1), sp.Integer(1))
"""The length of each link, in m."""


def kernels(limits: Array, speeds: Array, part: float) -> list[Kernel]:
    """Return step_kernel, and walls_0_kernel to walls_2_kernel; limits in rad and rad/s."""
    # `part` is β, the fraction of the distance to a limit that a step may use
    return [step_kernel(limits, speeds, part), *(minimize_on_rows(count) for count in range(3))]


def step_kernel(limits: Array, speeds: Array, part: float) -> Kernel:
    """Return (q, u, last, given) → the program in joint rates, rad/s."""
    # u is the desired tip velocity, m/s; last are the rates of the last step, rad/s; given are the wall's height y [m],
    # its γ [1/s], the duration of the step [s] and the maximum acceleration [rad/s²]. Outputs: corners, elbow and tip,
    # 2×2, m; J, ∂(x, y)/∂q, and its inverse K; H and c of the objective; G and h of the rows: ranges, speeds,
    # accelerations, wall.
    q, u, last = (sp.Matrix(sp.symbols(f"{name}_0:2", real=True)) for name in ("q", "u", "last"))
    wall, gain, dt, a = given = sp.Matrix(sp.symbols("wall gain dt a", positive=True))
    elbow, tip = planar_2r.corners(q[0], q[1], *LENGTHS)
    entries = sp.Matrix(2, 2, sp.symbols("j_0:4", real=True))
    named = [*zip(entries, tip.jacobian(q), strict=True)]
    ends, speed = exact(limits), exact(speeds[:, None])
    left = [*(ends[:, 1] - q), *(q - ends[:, 0])]  # rows of the upper limits, then of the lower ones
    d = sp.Dummy("d", positive=True)
    braking = [stopping.braking_bound(d, a).subs(d, sp.Max(way, 0)) for way in left]
    change = [a * dt + sign * rate for sign in (1, -1) for rate in last]
    box = sp.Matrix.vstack(sp.eye(2), -sp.eye(2))
    ranges = [sp.Rational(part) * way / dt for way in left]
    changes = [sp.Min(bound, most) for bound, most in zip(change, braking, strict=True)]
    outputs = {
        "corners": sp.Matrix.hstack(elbow, tip).T,
        "J": entries,
        "K": entries.inv("ADJ"),
        "H": entries.T * entries,
        "c": -entries.T * u,
        "G": sp.Matrix.vstack(box, box, box, entries[1, :]),
        "h": sp.Matrix([*ranges, *speed, *speed, *changes, stopping.barrier_bound(wall - tip[1], gain)]),
    }
    return Kernel(
        "step_kernel", {"q": q, "u": u, "last": last, "given": given}, outputs, named, "Quadratic program for one step."
    )


def minimize_on_rows(count: int) -> Kernel:
    """Return (H, c, G, h) → x and μ, the minimum of the objective with 0, 1 or 2 active rows."""
    H, G = (
        sp.Matrix(rows, 2, sp.symbols(f"{name}_0:{2 * rows}", real=True)) for name, rows in (("H", 2), ("G", count))
    )
    c, h = (sp.Matrix(sp.symbols(f"{name}_0:{rows}", real=True)) for name, rows in (("c", 2), ("h", count)))
    inputs = {"H": H, "c": c} | ({"G": G, "h": h} if count else {})
    if count < 2:
        x, mu = quadratic_program.solve_equalities(H, c, G, h)
        outputs = {"x": x} | ({"mu": mu} if count else {})
        return Kernel(f"walls_{count}_kernel", inputs, outputs, summary="Point of minimum cost on these rows.")
    x, mu = (sp.Matrix(sp.symbols(f"{name}_0:2", real=True)) for name in ("x", "mu"))
    slope = sp.Matrix([quadratic_program.lagrangian(H, c, G, h, x, mu)]).jacobian(x).T
    pushes = slope.jacobian(mu)  # two active rows determine x, and the stationarity of the Lagrangian determines μ
    multipliers = -pushes.inv("ADJ") * slope.subs(dict.fromkeys(mu, 0))
    named = [*zip(x, G.inv("ADJ") * h, strict=True)]
    return Kernel("walls_2_kernel", inputs, {"x": x, "mu": multipliers}, named, "Intersection of these two rows.")
