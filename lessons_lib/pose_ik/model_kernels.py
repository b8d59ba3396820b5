"""From the error twist to the step, for every variant: the model A d ≈ e, the damping D, the step, its acceptance.

The pieces are those that the lessons derive: Ad(T) of `se3.adjoint`, the exact derivative of
`se3.left_jacobian_inverse`, `split_error`, `damped_step`, `trust_region`, and the formula of the damping rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.codegen.lanes import in_half_a_turn
from lessons_lib.pose_ik import rule_kernels, stated_kernels
from lessons_lib.pose_ik.layout import MOST_PROBLEMS, ROUNDING
from lessons_lib.pose_ik.variant import LINE, Variant
from lessons_lib.symbolic import damped_step, damping, objective, se3, so3, split_error, trust_region
from lessons_lib.symbolic.choices import Definitions, as_choices
from lessons_lib.symbolic.damped_step import DampedStep
from lessons_lib.symbolic.steps import Names

Products = dict[tuple[int, int], float]


def entries(name: str, rows: int, columns: int = 1) -> sp.Matrix:
    """Return a matrix of symbols, called by row and column as in T01, in a column by row as in V0."""
    one = columns == 1
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}{i}" if one else f"{name}{i}{j}", real=True))


T, TARGET, V, ROOTS = entries("T", 3, 4), entries("D", 3, 4), entries("V", 6), entries("root", 6)
SPLIT, RESIDUAL, AXES = entries("split", 6), entries("e", 6), entries("axis", 3, 3)
D, E = sp.Symbol("D0", real=True), sp.Symbol("E0", real=True)


@dataclass(frozen=True)
class Model:
    """The linear model of a variant: e − A d is what is left of the weighted error after a small step d.

    Attributes:
        inputs: What it is made of, by rows of `w`.
        definitions: Named steps, in order.
        error: The error before it is weighted, 6×1, in the method's frame.
        jacobian: What goes with it before it is weighted, and before the exact derivative, 6×n.
        slope: What goes with it before it is weighted, 6×n.
        e: Weighted, 6×1.
        A: Weighted, 6×n; a symbol or a number each.
        by: The formulas that made it.
    """

    inputs: dict[str, sp.Matrix]
    definitions: Definitions
    error: sp.Matrix
    jacobian: sp.Matrix
    slope: sp.Matrix
    e: sp.Matrix
    A: sp.Matrix
    by: tuple[object, ...]


def whole(pose: sp.Matrix) -> sp.Matrix:
    """Return a pose with its last row."""
    return pose.col_join(sp.Matrix([[0, 0, 0, 1]]))


def split_kernel(variant: Variant) -> Kernel:
    """Return the kernel of the split error, from V_b, T_sb and T_sd."""
    names = Names()
    T_bd = _between(names)
    error = split_error.split_error(V[:3, :], T_bd, _axes(variant))
    return Kernel(
        "split_error",
        {"V": V, "T": T, "TARGET": TARGET} | ({"GIVEN": given(variant)} if variant.model == "split axes" else {}),
        {"SPLIT": error},
        names.named,
        "The split error.",
        by=[se3.between],
    )


@cache
def _exact_slope() -> sp.Matrix:
    return se3.left_jacobian_inverse(V)


def _between(names: Names) -> sp.Matrix:
    return names.matrix("between", se3.between(whole(T), whole(TARGET)))


def _axes(variant: Variant) -> sp.Matrix | None:
    named = {"body": None, "space": TARGET[:, :3], "target": sp.eye(3), "axes": AXES}
    return named[variant.model.removeprefix("split ")]


def model(variant: Variant, J: sp.Matrix) -> Model:
    """Return the model of a variant.

    Args:
        variant: Which.
        J: Its Jacobian, J_s for "space" and otherwise J_b, 6×n, a symbol or a number each.
    """
    names, inputs = Names(), {"V": V, "T": T}
    error, jacobian = V, J
    by: list[object] = []
    if variant.model == "space":
        by = [se3.adjoint]
        error = names.matrix("space", se3.adjoint(whole(T)) * V)
    elif variant.splits:
        T_bd = _between(names)
        inputs |= {"TARGET": TARGET, "SPLIT": SPLIT}
        by = [se3.between, split_error.split_slope]
        error = SPLIT
        L = names.matrix("slope", split_error.split_slope(V[:3, :], T_bd, _axes(variant)))
        jacobian = names.matrix("turned", L * J)
    slope = jacobian
    if variant.model == "exact":
        by = [se3.left_jacobian_inverse]
        L = names.matrix("slope", _exact_slope())
        slope = names.matrix("turned", L * J)
    e, A = error, slope
    if variant.weighted:
        by.append(objective.weighted)
        e, A = names.matrix("e", objective.weighted(ROOTS, error)), names.matrix("a", objective.weighted(ROOTS, slope))
    definitions = in_half_a_turn(names.named, so3.squared_angle(V[:3, :]), "stumpff")
    return Model(inputs, definitions, error, jacobian, slope, e, A, tuple(by))


def given(variant: Variant) -> sp.Matrix:
    """Return the symbols of the numbers that the kernels are given."""
    parameters = sp.symbols(f"p0:{variant.parameters}", real=True) if variant.parameters else ()
    return sp.Matrix([*ROOTS, *parameters, *(AXES if variant.model == "split axes" else ())])


def _memoryless(variant: Variant, made: Model) -> tuple[Definitions, sp.Expr]:
    """Return named steps and the D of a rule, in E0 and in what the model is made of."""
    if variant.damping == LINE:
        a, b = given(variant)[6:8]
        return [], damping.line(a, b, E)
    weights = ROOTS.applyfunc(lambda root: root**2) if variant.weighted else sp.ones(6, 1)
    assert variant.rule is not None
    formula = rule_kernels.without_numbers(variant.rule)
    return rule_kernels.lowered(formula, E, made.error, weights, made.jacobian)


def step_kernel(variant: Variant, J: sp.Matrix, varying: int, axis_products: Products) -> Kernel:
    """Return D and the damped step, from the error twist and the Jacobian.

    Args:
        variant: Which.
        J: As in `model`, written in the symbols J0 … of `varying` entries.
        varying: How many there are.
        axis_products: The products of joint axes that no motion changes, which weights do.
    """
    made = model(variant, J)
    inputs = {**made.inputs, "J": entries("J", varying), "GIVEN": given(variant)}
    if variant.adapts:
        start, inputs["DIAGONAL"] = sp.Symbol("D_before", real=True), sp.Matrix([sp.Symbol("D_before", real=True)])
        damped = _first_damping(variant, made.A, start)
    else:
        steps, value = _memoryless(variant, made)
        damped = [(E, objective.half_square(made.e)), *steps, (D, value)]
    by = (*made.by, *_rule_by(variant), *(() if variant.adapts else [objective.half_square]))
    if variant.formula is not None:
        return _stated_step(variant, inputs, [*made.definitions, *damped], made, made.slope, by)
    known = axis_products if variant.model in ("body", "space") and not variant.weighted else None
    step = damped_step.derive(made.A, known, made.e, _by_rows(variant, J.cols))
    return _step(variant, inputs, [*made.definitions, *damped], step, by)


def _by_rows(variant: Variant, n: int) -> bool | None:
    """Return which system a step solves: rows that are left out make that of the rows the smaller one."""
    return n >= 6 if variant.masked else None


def _stated_step(
    variant: Variant,
    inputs: dict[str, sp.Matrix],
    definitions: Definitions,
    made: Model,
    slope: sp.Matrix,
    by: Sequence[object],
    by_rows: bool | None = None,
) -> Kernel:
    """Return the step of a method's own formula."""
    assert variant.formula is not None
    rows, roots = _by_rows(variant, slope.cols) if by_rows is None else by_rows, ROOTS if variant.weighted else None
    step = stated_kernels.solved_step(variant.formula, slope, made.error, roots, rows)
    outputs = {"STEP": step.d, "MARGINS": step.margins}
    if "DIAGONAL" not in inputs:
        outputs["NEXT_DIAGONAL"] = sp.Matrix([D])
    steps = [*definitions, *step.steps]
    return Kernel("damped_step", inputs, outputs, steps, "The step of a formula.", by=[*by, *step.by])


def model_kernel(variant: Variant, J: sp.Matrix, varying: int) -> Kernel:
    """Return A, e and E of the search of one start after the other."""
    made = model(variant, J)
    inputs = {**made.inputs, "J": entries("J", varying), "GIVEN": given(variant)}
    E_here = objective.half_square(made.e)
    outputs = {"MODEL": sp.Matrix(list(made.A)), "RESIDUAL": made.e, "OBJECTIVE": sp.Matrix([E_here])}
    summary, by = "A and e of the linear model, and E = ½ eᵀe.", [*made.by, objective.half_square]
    return Kernel("model", inputs, outputs, made.definitions, summary, by=by)


def damping_kernel(variant: Variant, J: sp.Matrix, varying: int) -> Kernel:
    """Return D of the search of one start after the other; what is held takes part in no Jacobian."""
    inputs = {"GIVEN": given(variant), "OBJECTIVE": sp.Matrix([E]), "HELD": _held(J.cols)}
    if variant.adapts:
        start = sp.Symbol("D_before", real=True)
        inputs |= {"MODEL": sp.Matrix(list(general(J.cols))), "DIAGONAL_BEFORE": sp.Matrix([start])}
        steps = _first_damping(variant, _free(general(J.cols)), start)
        return Kernel("damping", inputs, {"DIAGONAL": sp.Matrix([D])}, steps, "D, the damping.", by=_rule_by(variant))
    made = model(variant, J)
    inputs |= {**made.inputs, "J": entries("J", varying)}
    steps, value = _memoryless(variant, replace(made, jacobian=_free(made.jacobian)))
    by = [*made.by, *_rule_by(variant)]
    return Kernel(
        "damping", inputs, {"DIAGONAL": sp.Matrix([value])}, [*made.definitions, *steps], "D, the damping.", by=by
    )


def any_step_kernel(n: int, by_rows: bool) -> Kernel:
    """Return the step of the search of one start after the other, of any A and e, without what is held.

    Both systems are at hand, and the search takes the smaller one, rows that are left out and columns that are held not
    counted: the other one would be singular but for D.
    """
    names = Names()
    A = names.matrix("free", _free(general(n)))
    inputs = {"HELD": _held(n), "DIAGONAL": sp.Matrix([D]), "MODEL": sp.Matrix(list(general(n))), "RESIDUAL": RESIDUAL}
    step = damped_step.derive(A, None, RESIDUAL, by_rows)
    return _by_one_system(_step(Variant(one_by_one=True), inputs, names.named, step, ()), n, by_rows)


def stated_step_kernel(variant: Variant, J: sp.Matrix, varying: int, by_rows: bool) -> Kernel:
    """Return the same for a method's own formula."""
    names, made = Names(), model(variant, J)
    slope = names.matrix("free", _free(made.slope))
    inputs = {"HELD": _held(J.cols), "DIAGONAL": sp.Matrix([D]), **made.inputs}
    inputs |= {"J": entries("J", varying), "GIVEN": given(variant)}
    kernel = _stated_step(variant, inputs, [*made.definitions, *names.named], made, slope, made.by, by_rows)
    return _by_one_system(kernel, J.cols, by_rows)


def stated_problem_kernels(variant: Variant, J: sp.Matrix, varying: int) -> list[Kernel]:
    """Return a kernel for each linear problem of a stated formula, and one for the step that its solutions make.

    The search solves these problems by singular values if a pivot of `stated_step_kernel` is lost. LEFT tells it
    whether another problem follows; it is negative if the formula has none, or more than MOST_PROBLEMS.
    """
    from lessons_lib.symbolic.stated_step import LinearProblem, stated

    assert variant.formula is not None
    names, made = Names(), model(variant, J)
    slope = names.matrix("free", _free(made.slope))
    inputs = {"HELD": _held(J.cols), **made.inputs, "J": entries("J", varying), "GIVEN": given(variant)}
    step = stated(variant.formula, slope, made.error)
    whole = LinearProblem([], slope, made.error, sp.zeros(0, 1))
    problems, angle = step.problems[:MOST_PROBLEMS] or (whole,), so3.squared_angle(made.error[:3, :])
    kernels, definitions, solved = list[Kernel](), [*made.definitions, *names.named], sp.zeros(0, 1)
    is_solvable = 0 < len(step.problems) <= MOST_PROBLEMS
    for k, problem in enumerate(problems):
        definitions = [*definitions, *problem.definitions]
        A, e = objective.weighted(ROOTS, problem.A), objective.weighted(ROOTS, problem.e)
        left = sp.Matrix([len(problems) - 1 - k if is_solvable else -1])
        outputs = {"MODEL": sp.Matrix(list(A)), "RESIDUAL": e, "LEFT": left}
        before = {"SOLVED": solved} if solved.rows else {}
        lines = in_half_a_turn(definitions, angle, "stated")
        kernels.append(Kernel(f"stated_problem_{k}", {**inputs, **before}, outputs, lines, "A problem.", by=made.by))
        solved = solved.col_join(problem.d)
    for k in range(len(problems), MOST_PROBLEMS):
        kernels.append(replace(kernels[-1], name=f"stated_problem_{k}"))
    last = step.definitions if is_solvable else []  # else Python takes the step
    lines = in_half_a_turn([*definitions, *last], angle, "stated")
    outputs = {"STEP": step.d if is_solvable else sp.zeros(J.cols, 1)}
    return [*kernels, Kernel("stated_last", {**inputs, "SOLVED": solved}, outputs, lines, "The step.", by=made.by)]


def _by_one_system(kernel: Kernel, n: int, by_rows: bool) -> Kernel:
    unused = sp.ones(max(n, 6) - kernel.outputs["MARGINS"].rows, 1)
    outputs = {**kernel.outputs, "MARGINS": kernel.outputs["MARGINS"].col_join(unused)}
    return replace(kernel, name=f"damped_step_by_{'rows' if by_rows else 'columns'}", outputs=outputs)


def general(n: int) -> sp.Matrix:
    """Return A of any model."""
    return sp.Matrix(6, n, lambda i, j: sp.Symbol(f"A{i}_{j}", real=True))


def _held(n: int) -> sp.Matrix:
    return entries("held", n)


def _free(A: sp.Matrix) -> sp.Matrix:
    return A * sp.diag(*((1 - held) for held in _held(A.cols)))


def _first_damping(variant: Variant, A: sp.Matrix, before: sp.Symbol) -> Definitions:
    """Return named steps to D: the one before, or where that is negative the first one of a trust region."""
    named = [(sp.Symbol(f"length{i}", real=True), A[:, i].dot(A[:, i])) for i in range(A.cols)]
    first = trust_region.first_damping(sp.Symbol("p0", real=True), [length for length, _ in named])
    value = as_choices(first, named)
    return [*named, (D, sp.Piecewise((value, before < 0), (before, True)))]


def _rule_by(variant: Variant) -> list[object]:
    """Return the formula that gives D, as far as it is one of `symbolic`: a rule states its own."""
    if variant.adapts:
        return [trust_region.first_damping]
    return [damping.line] if variant.damping == LINE else []


def _step(
    variant: Variant,
    inputs: dict[str, sp.Matrix],
    definitions: Definitions,
    step: DampedStep,
    by: Sequence[object],
) -> Kernel:
    hidden = sp.Symbol("hidden", real=True)
    steps = [*definitions, *step.steps, (hidden, len(step.minors) * ROUNDING * step.trace)]
    outputs = {"STEP": step.d, "MARGINS": step.minors - hidden * step.before}
    if "DIAGONAL" not in inputs or variant.adapts and not variant.one_by_one:
        outputs["NEXT_DIAGONAL"] = sp.Matrix([D])
    if variant.adapts and not variant.one_by_one:
        d = Names()
        d_named = d.matrix("step", step.d)
        outputs = outputs | {"STEP": d_named, "PROMISED": sp.Matrix([trust_region.promise(step.J, step.V, d_named, D)])}
        steps += d.named
        by = [*by, trust_region.promise]
    by = [damped_step.derive, damped_step.eliminate, *by]
    return Kernel("damped_step", inputs, outputs, steps, "d = (AᵀA + D I)⁻¹ Aᵀe.", by=by)
