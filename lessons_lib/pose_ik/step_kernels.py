"""Kernels of a step for every variant: damping, damped step, step of a stated formula, acceptance, and q + d."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.codegen.lanes import expand_stumpff_up_to_pi
from lessons_lib.pose_ik import rule_kernels
from lessons_lib.pose_ik.lane_rows import backup_sizes
from lessons_lib.pose_ik.layout import MOST_PROBLEMS, ROUNDING, STALL
from lessons_lib.pose_ik.model_kernels import ROOTS, SPLIT, JointColumns, Model, entries, model, parameters
from lessons_lib.pose_ik.variant import LINE, Variant
from lessons_lib.symbolic import damped_step, damping, pose_error, so3
from lessons_lib.symbolic.damped_step import DampedStep
from lessons_lib.symbolic.formulas import name_of
from lessons_lib.symbolic.piecewise import Definitions, choice, replace_extremes, select_extreme
from lessons_lib.symbolic.sine_cosine import LARGEST_ANGLE
from lessons_lib.symbolic.step_formula import LinearProblem, derive_step
from lessons_lib.symbolic.steps import Names

Products = dict[tuple[int, int], float]
Inputs = dict[str, sp.Matrix]

RESIDUAL = entries("e", 6)
D, E = sp.Symbol("D0", real=True), sp.Symbol("E0", real=True)

LARGEST = 1e300
"""A number beyond it counts as infinite."""


def step_kernel(
    variant: Variant, J: sp.Matrix, varying: int, axis_products: Products, coupled: JointColumns | None = None
) -> Kernel:
    """Return the kernel of D and the damped step, from the error twist and the Jacobian."""
    # J is as in `model`, with `varying` symbols J0 …; `axis_products` do not hold with weights; `coupled` holds the
    # columns of coupled joints, for a stated formula
    linear = model(variant, J)
    inputs = {**linear.inputs, "J": entries("J", varying), "PARAMETERS": parameters(variant)}
    if variant.uses_trust_region:
        start, inputs["DIAGONAL"] = sp.Symbol("D_before", real=True), sp.Matrix([sp.Symbol("D_before", real=True)])
        damped = _first_damping(linear.A, start)
    else:
        steps, value = _memoryless_damping(variant, linear)
        damped = [(E, pose_error.half_square(linear.e)), *steps, (D, value)]
    by = (*linear.by, *_damping_formulas(variant), *(() if variant.uses_trust_region else [pose_error.half_square]))
    definitions, by_rows = [*linear.definitions, *damped], _masked_by_rows(variant, J.cols)
    if variant.formula is not None:
        return _formula_kernel(variant, inputs, definitions, linear, linear.slope, by, by_rows, coupled)
    known = axis_products if variant.model in ("body", "space") and not variant.weighted else None
    return _damped_kernel(variant, inputs, definitions, damped_step.derive(linear.A, known, linear.e, by_rows), by)


def model_kernel(variant: Variant, J: sp.Matrix, varying: int) -> Kernel:
    """Return the kernel of A, e and E for the sequential search."""
    linear = model(variant, J)
    inputs = {**linear.inputs, "J": entries("J", varying), "PARAMETERS": parameters(variant)}
    E_here = pose_error.half_square(linear.e)
    outputs = {"MODEL": sp.Matrix(list(linear.A)), "RESIDUAL": linear.e, "OBJECTIVE": sp.Matrix([E_here])}
    summary, by = "A and e of the linear model, and E = ½ eᵀe.", [*linear.by, pose_error.half_square]
    return Kernel("model", inputs, outputs, linear.definitions, summary, by=by)


def damping_kernel(variant: Variant, J: sp.Matrix, varying: int) -> Kernel:
    """Return the kernel of D for the sequential search; the columns of joints in the active set count as zero."""
    inputs = {"PARAMETERS": parameters(variant), "OBJECTIVE": sp.Matrix([E]), "ACTIVE": _active(J.cols)}
    by: list[object] = _damping_formulas(variant)
    if variant.uses_trust_region:
        start, value = sp.Symbol("D_before", real=True), D
        inputs |= {"MODEL": sp.Matrix(list(_any_A(J.cols))), "DIAGONAL_BEFORE": sp.Matrix([start])}
        steps = _first_damping(_free(_any_A(J.cols)), start)
    else:
        linear = model(variant, J)
        inputs |= {**linear.inputs, "J": entries("J", varying)}
        steps, value = _memoryless_damping(variant, replace(linear, jacobian=_free(linear.jacobian)))
        steps, by = [*linear.definitions, *steps], [*linear.by, *by]
    return Kernel("damping", inputs, {"DIAGONAL": sp.Matrix([value])}, steps, "D, the damping.", by=by)


def masked_step_kernel(n: int, by_rows: bool) -> Kernel:
    """Return the kernel of the step for any A and e, without the joints of the active set."""
    # the search runs the kernel of the smaller system without masked rows and fixed columns: the larger one is singular
    # if D = 0
    names = Names()
    A = names.matrix("free", _free(_any_A(n)))
    inputs = {
        "ACTIVE": _active(n),
        "DIAGONAL": sp.Matrix([D]),
        "MODEL": sp.Matrix(list(_any_A(n))),
        "RESIDUAL": RESIDUAL,
    }
    step = damped_step.derive(A, None, RESIDUAL, by_rows)
    return _named_by_system(_damped_kernel(Variant(sequential=True), inputs, names.named, step, ()), n, by_rows)


def stated_step_kernel(
    variant: Variant, J: sp.Matrix, varying: int, by_rows: bool, coupled: JointColumns | None = None
) -> Kernel:
    """Return the kernel of the step of a method's own formula, without the joints of the active set."""
    names, linear = Names(), model(variant, J)
    slope = names.matrix("free", _free(linear.slope))
    inputs = {"ACTIVE": _active(J.cols), "DIAGONAL": sp.Matrix([D]), **linear.inputs}
    inputs |= {"J": entries("J", varying), "PARAMETERS": parameters(variant)}
    definitions, free = [*linear.definitions, *names.named], coupled and coupled._replace(A=_free(coupled.A))
    kernel = _formula_kernel(variant, inputs, definitions, linear, slope, linear.by, by_rows, free)
    return _named_by_system(kernel, J.cols, by_rows)


def stated_problem_kernels(
    variant: Variant, J: sp.Matrix, varying: int, coupled: JointColumns | None = None
) -> list[Kernel]:
    """Return a kernel for each linear problem of a stated formula, and one for the step from their solutions."""
    # The search solves these problems by singular values if `stated_step_kernel` loses a pivot. REMAINING counts the
    # problems that follow; it is negative if the formula has none, or more than MOST_PROBLEMS.
    assert variant.formula is not None
    names, linear = Names(), model(variant, J)
    slope = names.matrix("free", _free(linear.slope))
    inputs = {"ACTIVE": _active(J.cols), **linear.inputs, "J": entries("J", varying), "PARAMETERS": parameters(variant)}
    definitions = [*linear.definitions, *names.named]
    free = coupled and coupled._replace(A=_free(coupled.A))
    step = derive_step(variant.formula, slope, linear.error, _joints(free, linear, inputs, definitions))
    only = LinearProblem([], slope, linear.error, sp.zeros(0, 1))
    problems, angle = step.problems[:MOST_PROBLEMS] or (only,), so3.squared_angle(linear.error[:3, :])
    kernels, solved = list[Kernel](), sp.zeros(0, 1)
    is_solvable = 0 < len(step.problems) <= MOST_PROBLEMS
    for k, problem in enumerate(problems):
        definitions = [*definitions, *problem.definitions]
        A, e = pose_error.weighted(ROOTS, problem.A), pose_error.weighted(ROOTS, problem.e)
        remaining = sp.Matrix([len(problems) - 1 - k if is_solvable else -1])
        outputs = {"MODEL": sp.Matrix(list(A)), "RESIDUAL": e, "REMAINING": remaining}
        before = {"SOLVED": solved} if solved.rows else {}
        lines = expand_stumpff_up_to_pi(definitions, angle, "stated")
        kernels.append(Kernel(f"stated_problem_{k}", {**inputs, **before}, outputs, lines, "A problem.", by=linear.by))
        solved = solved.col_join(problem.d)
    for k in range(len(problems), MOST_PROBLEMS):
        kernels.append(replace(kernels[-1], name=f"stated_problem_{k}"))
    last = step.definitions if is_solvable else []  # otherwise Python computes the step
    lines = expand_stumpff_up_to_pi([*definitions, *last], angle, "stated")
    outputs = {"STEP": step.d if is_solvable else sp.zeros(J.cols, 1)}
    return [*kernels, Kernel("stated_last", {**inputs, "SOLVED": solved}, outputs, lines, "The step.", by=linear.by)]


@cache
def advance_kernel(n: int) -> Kernel:
    """Return the kernel of q + d for running lanes, which also flags negligible steps and breakdowns."""
    # a breakdown is a lost pivot, an angle beyond the range of the SIMD sines, or a D that is not a number ≥ 0
    q, d, ahead, margins = entries("q", n), entries("d", n), entries("ahead", n), entries("margin", min(n, 6))
    event, count = sp.symbols("event count", real=True)
    waits = event > 0
    steps: Definitions = [
        (there, choice(waits, here, here + way)) for there, here, way in zip(ahead, q, d, strict=True)
    ]
    longest = select_extreme(list(map(sp.Abs, d)), sp.Gt, steps, "longest")
    farthest = select_extreme([sp.Integer(1), *map(sp.Abs, ahead)], sp.Gt, steps, "farthest")
    least = select_extreme(list(margins), sp.Lt, steps, "least")
    sound = sp.And(farthest < LARGEST_ANGLE, least > 0, D >= 0, D < LARGEST)
    inputs = {"Q": q, "STEP": d, "MARGINS": margins, "DIAGONAL": sp.Matrix([D])}
    inputs |= {"EVENT": sp.Matrix([event]), "COUNT": sp.Matrix([count])}
    outputs = {
        "NEW_Q": ahead,
        "NO_PROGRESS": sp.Matrix([choice(sp.Le(longest, STALL * farthest, evaluate=False), 1, 0)]),
        "NEW_COUNT": sp.Matrix([choice(waits, count, count + 1)]),
        "BREAKDOWN": sp.Matrix([choice(sound, 0, 1)]),
    }
    return Kernel("advance", inputs, outputs, steps, "q + d.", is_reduced=True)


def prediction_kernel(n: int) -> Kernel:
    """Return the kernel of the predicted reduction, for a step that a limit may have shortened."""
    d, inputs = entries("d", n), {"MODEL": sp.Matrix(list(_any_A(n))), "RESIDUAL": RESIDUAL}
    predicted = sp.Matrix([damping.predicted_reduction(_any_A(n), RESIDUAL, d, D)])
    inputs |= {"STEP": d, "DIAGONAL": sp.Matrix([D])}
    return Kernel(
        "predict",
        inputs,
        {"PREDICTED": predicted},
        [],
        "The predicted reduction.",
        by=[damping.predicted_reduction],
    )


def acceptance_kernel(variant: Variant, J: sp.Matrix, varying: int) -> Kernel:
    """Return the kernel that accepts or rejects steps, restores rejected iterates, and updates the trust region."""
    # the first evaluation of a start is always accepted; an objective that is not finite is a breakdown
    before, growth, predicted, first, broken = sp.symbols("before growth predicted first broken", real=True)
    start, after, rho, accepted = sp.symbols("D_before after rho accepted", real=True)
    accept = sp.Symbol("p1", real=True)
    sizes = backup_sizes(J.cols, variant) | ({} if variant.sequential else {"J": varying})
    inputs = {"PARAMETERS": parameters(variant), "BACKUP_OBJECTIVE": sp.Matrix([before]), "GROWTH": sp.Matrix([growth])}
    inputs |= {"PREDICTED": sp.Matrix([predicted]), "IS_FIRST": sp.Matrix([first]), "BREAKDOWN": sp.Matrix([broken])}
    inputs |= {"DIAGONAL": sp.Matrix([start])}
    definitions: Definitions = []
    if variant.sequential:
        inputs["OBJECTIVE"] = sp.Matrix([after])
        new = {name: entries(name.lower(), size) for name, size in sizes.items()}
    else:
        linear = model(variant, J)
        definitions += [*linear.definitions, (after, pose_error.half_square(linear.e))]
        known = {**linear.inputs, "J": entries("J", varying), "ERROR": SPLIT, "Q": entries("q", J.cols)}
        inputs |= linear.inputs
        new = {name: sp.Matrix(list(known[name])) for name in sizes}
    old = {name: entries(f"backup_{name.lower()}", size) for name, size in sizes.items()}
    inputs |= {name: new[name] for name in sizes if not (name == "ERROR" and "SPLIT" in inputs)}
    inputs |= {f"BACKUP_{name}": old[name] for name in sizes}
    definitions += [
        (rho, damping.gain_ratio(before, after, predicted)),
        (accepted, sp.Piecewise((1, rho > accept), (first, True))),
    ]
    outputs: Inputs = {}
    for name in sizes:
        chosen = [sp.Piecewise((a, accepted > 0), (b, True)) for a, b in zip(new[name], old[name], strict=True)]
        outputs |= {f"NEW_{name}": sp.Matrix(chosen), f"NEW_BACKUP_{name}": sp.Matrix(chosen)}
    learned = replace_extremes(damping.next_damping(start, growth, rho, accept), definitions)
    outputs |= {
        "NEW_BACKUP_OBJECTIVE": sp.Matrix([sp.Piecewise((after, accepted > 0), (before, True))]),
        "NEW_DIAGONAL": sp.Matrix([sp.Piecewise((-1, first > 0), (learned, True))]),
        "NEW_GROWTH": sp.Matrix([sp.Piecewise((2, first > 0), (damping.next_growth(growth, rho, accept), True))]),
        "ACCEPTED": sp.Matrix([accepted]),
        "NEW_BREAKDOWN": sp.Matrix([sp.Piecewise((broken, after < LARGEST), (1, True))]),
        "NEW_IS_FIRST": sp.Matrix([0]),
    }
    by: list[object] = [damping.gain_ratio, damping.next_damping, damping.next_growth]
    by += [] if variant.sequential else [*linear.by, pose_error.half_square]
    return Kernel("acceptance", inputs, outputs, definitions, "Which steps are accepted.", by=by)


def _any_A(n: int) -> sp.Matrix:  # noqa: N802
    return sp.Matrix(6, n, lambda i, j: sp.Symbol(f"A{i}_{j}", real=True))


def _active(n: int) -> sp.Matrix:
    return entries("active", n)


def _free(A: sp.Matrix) -> sp.Matrix:
    """Set the columns of held joints to zero."""
    return A * sp.diag(*((1 - active) for active in _active(A.cols)))


def _masked_by_rows(variant: Variant, n: int) -> bool | None:
    """Return whether a masked system is solved by rows, which is smaller for n ≥ 6; None if nothing is masked."""
    return n >= 6 if variant.masked else None


def _memoryless_damping(variant: Variant, linear: Model) -> tuple[Definitions, sp.Expr]:
    """Return the steps and the D of a rule, in E0 and the quantities of the model."""
    if variant.damping == LINE:
        a, b = parameters(variant)[6:8]
        return [], damping.line(a, b, E)
    weights = ROOTS.applyfunc(lambda root: root**2) if variant.weighted else sp.ones(6, 1)
    assert variant.rule is not None
    return rule_kernels.expand(rule_kernels.parametrize(variant.rule), E, linear.error, weights, linear.jacobian)


def _first_damping(A: sp.Matrix, before: sp.Symbol) -> Definitions:
    """Return the steps to the D of a trust region: `before`, or the initial D if `before` is negative."""
    lengths = [(sp.Symbol(f"length{i}", real=True), A[:, i].dot(A[:, i])) for i in range(A.cols)]
    first = damping.first_damping(sp.Symbol("p0", real=True), [length for length, _ in lengths])
    value = replace_extremes(first, lengths)
    return [*lengths, (D, sp.Piecewise((value, before < 0), (before, True)))]


def _damping_formulas(variant: Variant) -> list[object]:
    """Return the formulas of `symbolic` that give D; a rule has its own."""
    if variant.uses_trust_region:
        return [damping.first_damping]
    return [damping.line] if variant.damping == LINE else []


def _damped_kernel(
    variant: Variant, inputs: Inputs, definitions: Definitions, step: DampedStep, by: Sequence[object]
) -> Kernel:
    rounding = sp.Symbol("rounding", real=True)
    steps = [*definitions, *step.steps, (rounding, len(step.minors) * ROUNDING * step.trace)]
    outputs = {"STEP": step.d, "MARGINS": step.minors - rounding * step.before}
    adaptive = variant.uses_trust_region and not variant.sequential
    if "DIAGONAL" not in inputs or adaptive:
        outputs["NEXT_DIAGONAL"] = sp.Matrix([D])
    if adaptive:
        names = Names()
        d = names.matrix("step", step.d)
        outputs = outputs | {
            "STEP": d,
            "PREDICTED": sp.Matrix([damping.predicted_reduction(step.J, step.V, d, D)]),
        }
        steps += names.named
        by = [*by, damping.predicted_reduction]
    by = [damped_step.derive, damped_step.eliminate, *by]
    return Kernel("damped_step", inputs, outputs, steps, "d = (AᵀA + D I)⁻¹ Aᵀe.", by=by)


def _named_by_system(kernel: Kernel, n: int, by_rows: bool) -> Kernel:
    """Name a kernel by the system that it solves, with as many margins as the larger of both systems."""
    unused = sp.ones(max(n, 6) - kernel.outputs["MARGINS"].rows, 1)
    outputs = {**kernel.outputs, "MARGINS": kernel.outputs["MARGINS"].col_join(unused)}
    return replace(kernel, name=f"damped_step_by_{'rows' if by_rows else 'columns'}", outputs=outputs)


def _formula_kernel(
    variant: Variant,
    inputs: Inputs,
    definitions: Definitions,
    linear: Model,
    slope: sp.Matrix,
    by: Sequence[object],
    by_rows: bool | None,
    coupled: JointColumns | None,
) -> Kernel:
    """Return the kernel of a stated formula, whose linear problems are solved by block elimination."""
    # each of MARGINS is the least excess of a pivot over rounding, over all linear problems
    formula, roots = variant.formula, ROOTS if variant.weighted else None
    assert formula is not None
    joints = _joints(coupled, linear, inputs, definitions)
    derived, steps, margins = derive_step(formula, slope, linear.error, joints), Definitions(), sp.zeros(0, 1)
    for k, problem in enumerate(derived.problems):
        own, margin = _solution_steps(problem, f"problem{k}", roots, by_rows)
        steps += [*problem.definitions, *own]
        if k == 0:
            margins = margin
        else:
            margins = sp.Matrix([sp.Piecewise((a, a < b), (b, True)) for a, b in zip(margins, margin, strict=True)])
    steps = expand_stumpff_up_to_pi([*steps, *derived.definitions], so3.squared_angle(linear.error[:3, :]), "stated")
    outputs = {"STEP": derived.d, "MARGINS": margins}
    if "DIAGONAL" not in inputs:
        outputs["NEXT_DIAGONAL"] = sp.Matrix([D])
    by = [*by, damped_step.derive, damped_step.eliminate, *([formula] if name_of(formula) else [])]
    return Kernel("damped_step", inputs, outputs, [*definitions, *steps], "The step of a formula.", by=by)


def _joints(
    coupled: JointColumns | None, linear: Model, inputs: Inputs, definitions: Definitions
) -> tuple[sp.Matrix, sp.Matrix] | None:
    """Return the columns of coupled joints in the model's slope, and A; add their definitions."""
    if coupled is None:
        return None
    inputs["Q"] = entries("q", coupled.A.cols)
    definitions += coupled.steps
    return (coupled.columns if linear.L is None else linear.L * coupled.columns), coupled.A


def _solution_steps(
    problem: LinearProblem, prefix: str, roots: sp.Matrix | None, by_rows: bool | None
) -> tuple[Definitions, sp.Matrix]:
    """Return the steps to the solution of a linear problem, and the margins of its pivots."""
    steps = Definitions()

    def name_entries(word: str, matrix: sp.Matrix) -> sp.Matrix:
        symbols = sp.Matrix(
            *matrix.shape,
            lambda i, j: matrix[i, j] if matrix[i, j].is_number else sp.Symbol(f"{prefix}_{word}{i}_{j}", real=True),
        )
        steps.extend((one, entry) for one, entry in zip(symbols, matrix, strict=True) if one.is_Symbol)
        return symbols

    A, e = problem.A, problem.e
    if roots is not None:
        A, e = pose_error.weighted(roots, A), pose_error.weighted(roots, e)
    step = damped_step.derive(name_entries("A", A), None, name_entries("e", e), by_rows)
    own = {symbol: sp.Symbol(f"{prefix}_{symbol}", real=True) for symbol, _ in step.steps}
    steps += [(own[symbol], expression.xreplace(own)) for symbol, expression in step.steps]
    steps += [(symbol, entry.xreplace(own)) for symbol, entry in zip(problem.d, step.d, strict=True)]
    rounding = sp.Symbol(f"{prefix}_rounding", real=True)
    steps.append((rounding, len(step.minors) * ROUNDING * step.trace.xreplace(own)))
    return steps, name_entries("margin", (step.minors - rounding * step.before).xreplace(own))
