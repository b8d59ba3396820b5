"""Kernels for any chain, for one joint or one matrix of fixed size; front/src/any_chain.ts loops over the joints."""

import sympy as sp

from lessons_lib.all_solutions import module as branches
from lessons_lib.codegen import Kernel, linker
from lessons_lib.codegen.linker import Plain, Recipe
from lessons_lib.course.branches.live import CLOSED_FORM
from lessons_lib.course.live.search import Entry, se3_kernels
from lessons_lib.course.live.singular_values import singular_values
from lessons_lib.pose_ik.layout import ROUNDING
from lessons_lib.symbolic import damped_step, denavit_hartenberg, pose_error, se3
from lessons_lib.symbolic.open_chain import joint_exp


def joint_kernels() -> list[Kernel]:
    """Return (T, S, q) → T exp([S] q) and Ad_T S, for a revolute and a prismatic joint with unit axis."""
    T, S, q = _pose("T"), sp.Matrix(sp.symbols("s0:6", real=True)), sp.Symbol("q0", real=True)
    kernels = []
    for name, screw in (("turn_kernel", S), ("slide_kernel", sp.zeros(3, 1).col_join(S[3:, :]))):
        inputs = {"T": T, "S": S, "q": sp.Matrix([q])}
        outputs = {"T_after": T * joint_exp(screw, q), "column": se3.adjoint(T) * screw}
        by = [joint_exp, se3.adjoint]
        kernels.append(Kernel(name, inputs, outputs, summary="T exp([S] q), and Ad_T S.", by=by))
    return kernels


def closed_form_functions() -> list[Entry]:
    """Return the printed functions that recognize a closed form, reduce six joints to five, and find all solutions."""
    text = branches.module()
    recognize = "recognize", text.recognize, ("f2", "f", "f2", "f1")
    return [
        recognize,
        ("append_joint", text.append_joint, ("f2", "f1", "i", "f2")),
        ("solve_closed_form", text.solve_closed_form, CLOSED_FORM),
    ]


def explanation_functions() -> list[Entry]:
    """Return the printed functions that explain why a pose is unreachable."""
    parts = Plain("lessons_lib.robots.vec3"), Plain("lessons_lib.pose_ik.explanation.measures")
    text = linker.load(Recipe("live_causes", parts))
    return [
        ("bounding_shell", text.bounding_shell, ("f2", "f1", "f1", "f1", "f1")),
        ("out_of_plane", text.out_of_plane, ("f2", "f1", "f2", "f2")),
        ("limit_violations", text.limit_violations, ("f1", "f2", "f1", "f1")),
        ("relative_gradient", text.relative_gradient, ("f2", "f1")),
        singular_values(),
    ]


def pose_kernels() -> list[Kernel]:
    """Return the product of two poses, a transformed point, a twist in another frame, and URDF's <origin>."""
    A, B, p = _pose("A"), _pose("B"), sp.Matrix(sp.symbols("x0:3", real=True))
    V = sp.Matrix(sp.symbols("v0:6", real=True))
    (r, pitch, y), axes = (rpy := sp.symbols("r0:3", real=True)), sp.eye(3)
    turned = sp.eye(4)
    for k, angle in ((2, y), (1, pitch), (0, r)):  # fixed axes, so yaw is the leftmost
        turned *= joint_exp(axes[:, k].col_join(sp.zeros(3, 1)), angle)
    origin, pair = {"xyz": p, "rpy": sp.Matrix(rpy)}, {"A": A, "B": B}
    placed, twist = se3.pose(se3.rotation(turned), p), se3.adjoint(se3.inverse(A)) * V
    carried = (A * p.col_join(sp.Matrix([1])))[:3, :]
    return [
        Kernel("product_kernel", pair, {"T": A * B}, summary="A B."),
        Kernel("carried_kernel", {"T": A, "point": p}, {"carried": carried}, summary="T p."),
        Kernel("seen_kernel", {"T": A, "V": V}, {"seen": twist}, summary="Ad(T⁻¹) V.", by=[se3.adjoint, se3.inverse]),
        Kernel("placement_kernel", origin, {"T": placed}, summary="The pose of an <origin>.", by=[joint_exp]),
    ]


def table_kernels() -> list[Kernel]:
    """Return both halves of a Denavit-Hartenberg row: (θ, d) along the joint's axis, (α, a) along the common normal."""
    (theta, d), (alpha, a) = (sp.symbols(f"{name}0:2", real=True) for name in ("joint", "link"))
    halves = {"about_z_kernel": (theta, d), "about_x_kernel": (alpha, a)}
    own_kernels = {"about_z_kernel": denavit_hartenberg.about_z, "about_x_kernel": denavit_hartenberg.about_x}
    return [
        Kernel(name, {"half": sp.Matrix(half)}, {"T": own_kernels[name](*half)}, summary="Half a row.", by=[joint_exp])
        for name, half in halves.items()
    ]


def model_kernel() -> Kernel:
    """Return (roots, slope, column, V) → a = √W slope column, and e = √W V: the linear model, column by column."""
    roots, column, V = (sp.Matrix(sp.symbols(f"{name}0:6", real=True)) for name in ("root", "c", "v"))
    slope = sp.Matrix(6, 6, lambda i, j: sp.Symbol(f"l{i}_{j}", real=True))
    outputs = {"a": pose_error.weighted(roots, slope * column), "e": pose_error.weighted(roots, V)}
    letters = {"roots": roots, "slope": slope, "column": column, "V": V}
    return Kernel("model_kernel", letters, outputs, summary="√W slope column and √W V.", by=[pose_error.weighted])


def rows_kernels() -> list[Kernel]:
    """Return the damped step by the rows of J, split where the number of joints matters."""
    # (M, column) → M + column columnᵀ adds JJᵀ to D I, column by column; (M, e) → y with M y = e, and the excess of
    # each pivot over its rounding error; (column, y) → the step of one joint
    column, y = sp.Matrix(sp.symbols("a0:6", real=True)), sp.Matrix(sp.symbols("y0:6", real=True))
    M = sp.Matrix(6, 6, lambda i, j: sp.Symbol(f"m{max(i, j)}_{min(i, j)}", real=True))
    letters = sp.Matrix(6, 6, lambda i, j: sp.Symbol(f"m{i}_{j}", real=True))
    step = damped_step.derive(column, by_rows=True)
    if step.normal != M:
        raise AssertionError("the entries of JJᵀ + D I must be named m0_0 … m5_5")
    steps = tuple((name, formula) for name, formula in step.steps if not M.has(name))
    margins = step.minors - len(step.minors) * ROUNDING * step.trace * step.before
    solved, by = {"y": y, "margins": margins}, [damped_step.derive]
    added = {"sum": letters + column * column.T}
    return [
        Kernel("gram_kernel", {"M": letters, "column": column}, added, summary="M + column columnᵀ.", by=by),
        Kernel("rows_kernel", {"M": letters, "e": step.V}, solved, steps, "y with M y = e.", by=by),
        Kernel("joint_step_kernel", {"column": column, "y": y}, {"d": column.T * y}, summary="columnᵀ y.", by=by),
    ]


def _pose(letter: str) -> sp.Matrix:
    R = sp.Matrix(3, 3, lambda i, j: sp.Symbol(f"{letter}{i}{j}", real=True))
    return se3.pose(R, sp.Matrix(sp.symbols(f"{letter.lower()}p0:3", real=True)))


def kernels() -> list[Kernel]:
    """Return all these kernels, and the others with which a page places and solves a given chain."""
    twists = [se3_kernels()[name] for name in ("exp_so3_kernel", "between_kernel", "left_jacobian_inverse_se3_kernel")]
    return [*joint_kernels(), *pose_kernels(), *table_kernels(), model_kernel(), *rows_kernels(), *twists]
