"""The kernels of a self-motion: arm angle, the step that changes it with the tip fixed, two secondary objectives."""

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.robots import Chain
from lessons_lib.robots.elbow import CARRIERS, UP, home_points
from lessons_lib.robots.kinematics import exact
from lessons_lib.symbolic import damped_step, manipulability, open_chain, redundancy, se3, so3

ROWS, DOF = 6, 7


def kernels(chain: Chain) -> list[Kernel]:
    """Return elbow_kernel, swing_kernel, descent_kernel, middle_kernel and measure_kernel of a 7R arm."""
    return [elbow_kernel(chain), *_step_kernels(), middle_kernel(chain), measure_kernel()]


def elbow_kernel(chain: Chain) -> Kernel:
    """Return q → points, shoulder, elbow and wrist in {s}, 3×3, m; pair, of which ψ is atan2; row, ∂ψ/∂q, 1×7."""
    derived = open_chain.derive(exact(chain.screws), exact(chain.home))
    points, moved = [], []
    for carrier, home in zip(CARRIERS, home_points(chain), strict=True):
        point = (derived.prefixes[carrier] * sp.Matrix([*exact(home[:, None]), 1]))[:3, :]
        points.append(sp.Matrix(point))
        moved.append([_velocity(derived.J_s[:, i], point) if i < carrier else sp.zeros(3, 1) for i in range(DOF)])
    arms = [points[k] - points[0] for k in (1, 2)]  # from the shoulder to the elbow, to the wrist
    elbow, wrist = (sp.Matrix(sp.symbols(f"{name}_0:3", real=True)) for name in ("elbow", "wrist"))
    pair = redundancy.sine_and_cosine(elbow, wrist, sp.Matrix(UP.astype(int)))
    sine, cosine = pair
    ends = sp.Matrix([*elbow, *wrist])
    slope = (cosine * sp.Matrix([sine]).jacobian(ends) - sine * sp.Matrix([cosine]).jacobian(ends)) / (
        sine**2 + cosine**2
    )
    columns = [sp.Matrix([*(moved[1][i] - moved[0][i]), *(moved[2][i] - moved[0][i])]) for i in range(DOF)]
    named = [*zip(elbow, arms[0], strict=True), *zip(wrist, arms[1], strict=True)]
    outputs = {
        "points": sp.Matrix.hstack(*points).T,
        "pair": pair,
        "row": slope * sp.Matrix.hstack(*columns),
    }
    inputs = {"q": sp.Matrix(derived.q)}
    return Kernel("elbow_kernel", inputs, outputs, [*derived.steps, *named], "The arm angle.", by=[open_chain.derive])


def _velocity(screw: sp.Matrix, point: sp.Matrix) -> sp.Matrix:
    """Return the velocity of a point in {s} per unit rate of a joint, 3×1."""
    omega, v = se3.split(sp.Matrix(screw))
    return so3.hat(omega) * point + v


def _step_kernels() -> list[Kernel]:
    """Return the step with the tip first and the arm angle second, and the rates of a secondary objective."""
    J, P = _matrix("J", ROWS, DOF), _matrix("P", DOF, ROWS)
    row, V = _matrix("row", 1, DOF), _column("V", ROWS)
    z, wanted = _column("z", DOF), sp.Matrix([sp.Symbol("wanted0", real=True)])
    N = redundancy.next_projector(sp.eye(DOF), J, P)
    free = sp.Matrix(1, DOF, lambda _, i: sp.Symbol(f"free{i}", real=True))
    first = _column("first", DOF)
    d = redundancy.add_task(first, row, redundancy.pseudoinverse(free), wanted)
    named = [*zip(free, row * N, strict=True), *zip(first, P * V, strict=True)]
    rates = redundancy.add_task(z, J, P, sp.zeros(ROWS, 1))
    given = {"J": J, "P": P, "row": row}
    return [
        Kernel("swing_kernel", {**given, "V": V, "wanted": wanted}, {"d": d}, named, "The pose first, ψ second."),
        Kernel("descent_kernel", {**given, "z": z}, {"rates": rates, "turn": row * rates}, summary="N z and its ψ̇."),
    ]


def middle_kernel(chain: Chain) -> Kernel:
    """Return q → H, the squared distance of the joints from mid-range, and its gradient, 7×1."""
    q = sp.Matrix(open_chain.joint_symbols(DOF))
    middle, half = exact(chain.limits.mean(axis=1)[:, None]), exact((chain.limits @ [-0.5, 0.5])[:, None])
    outputs = {
        "value": sp.Matrix([redundancy.middle_cost(q, middle, half)]),
        "gradient": redundancy.middle_gradient(q, middle, half),
    }
    return Kernel("middle_kernel", {"q": q}, outputs, summary="H and its gradient.")


def measure_kernel() -> Kernel:
    """Return (J, P) → w, the manipulability, and its gradient w tr(J⁺ ∂J/∂q_j), 7×1; P is J⁺, J a body Jacobian."""
    step = damped_step.derive(damped_step.jacobian(DOF), V=sp.zeros(ROWS, 1), by_rows=True)
    J, P, w = step.J, _matrix("P", DOF, ROWS), sp.Symbol("w", real=True)
    squared = sp.prod([step.minors[k] for k in range(1, ROWS, damped_step.BLOCK)])
    gradient = []
    for j in range(DOF):
        earlier = [manipulability.body_column_derivative(J[:, i], J[:, j]) for i in range(j)]
        gradient.append(w * sum(((P[i, :] * column)[0] for i, column in enumerate(earlier)), sp.Integer(0)))
    undamped = [(symbol, expression.subs(step.D, 0)) for symbol, expression in step.steps]
    definitions = [*undamped, (w, sp.sqrt(squared))]
    outputs = {"value": sp.Matrix([w]), "gradient": sp.Matrix(gradient)}
    return Kernel("measure_kernel", {"J": J, "P": P}, outputs, definitions, "w and its gradient.")


def _matrix(name: str, rows: int, columns: int) -> sp.Matrix:
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}{i}_{j}", real=True))


def _column(name: str, size: int) -> sp.Matrix:
    return sp.Matrix(sp.symbols(f"{name}_0:{size}", real=True))
