"""Taking a step: which lanes take theirs, what a trust region learns of it, and q + d."""

from __future__ import annotations

from functools import cache

import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.codegen.lanes import LARGEST_ANGLE
from lessons_lib.pose_ik.lane_rows import kept
from lessons_lib.pose_ik.layout import STALL
from lessons_lib.pose_ik.model_kernels import RESIDUAL, SPLIT, D, entries, general, given, model
from lessons_lib.pose_ik.variant import Variant
from lessons_lib.symbolic import objective, trust_region
from lessons_lib.symbolic.choices import Definitions, as_choices, choice, extreme

LARGEST = 1e300
"""A number beyond it counts as infinite."""


@cache
def advance_kernel(n: int) -> Kernel:
    """Return q + d, but for a lane that waits; which steps are too small to matter; and where there is a breakdown.

    One is a lost pivot, an angle beyond what the lanes' sines know, or a damping that is no number from zero up.
    """
    q, d, ahead, margins = entries("q", n), entries("d", n), entries("ahead", n), entries("margin", min(n, 6))
    event, count = sp.symbols("event count", real=True)
    waits = event > 0
    steps: Definitions = [
        (there, choice(waits, here, here + way)) for there, here, way in zip(ahead, q, d, strict=True)
    ]
    longest = extreme(list(map(sp.Abs, d)), sp.Gt, steps, "longest")
    farthest = extreme([sp.Integer(1), *map(sp.Abs, ahead)], sp.Gt, steps, "farthest")
    least = extreme(list(margins), sp.Lt, steps, "least")
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


def promise_kernel(n: int) -> Kernel:
    """Return what the step promises in the search of one start after the other, where a limit may have shortened it."""
    d, inputs = entries("d", n), {"MODEL": sp.Matrix(list(general(n))), "RESIDUAL": RESIDUAL}
    promised = sp.Matrix([trust_region.promise(general(n), RESIDUAL, d, D)])
    inputs |= {"STEP": d, "DIAGONAL": sp.Matrix([D])}
    return Kernel("promise", inputs, {"PROMISED": promised}, [], "What the step promises.", by=[trust_region.promise])


def acceptance_kernel(variant: Variant, J: sp.Matrix, varying: int) -> Kernel:
    """Return which lanes take their step, what each goes on from, and what its trust region learns.

    A lane's first evaluation has nothing to be compared with. An objective that is no finite number is a breakdown.
    """
    before, growth, promised, first, broken = sp.symbols("before growth promised first broken", real=True)
    start, after, rho, taken = sp.symbols("D_before after rho taken", real=True)
    accept = sp.Symbol("p1", real=True)
    sizes = kept(J.cols, variant) | ({} if variant.one_by_one else {"J": varying})
    inputs = {"GIVEN": given(variant), "KEPT_OBJECTIVE": sp.Matrix([before]), "GROWTH": sp.Matrix([growth])}
    inputs |= {"PROMISED": sp.Matrix([promised]), "BEGINS": sp.Matrix([first]), "BREAKDOWN": sp.Matrix([broken])}
    inputs |= {"DIAGONAL": sp.Matrix([start])}
    definitions: Definitions = []
    if variant.one_by_one:
        inputs["OBJECTIVE"] = sp.Matrix([after])
        new = {name: entries(name.lower(), size) for name, size in sizes.items()}
    else:
        made = model(variant, J)
        definitions += [*made.definitions, (after, objective.half_square(made.e))]
        known = {**made.inputs, "J": entries("J", varying), "ERROR": SPLIT, "Q": entries("q", J.cols)}
        inputs |= made.inputs
        new = {name: sp.Matrix(list(known[name])) for name in sizes}
    old = {name: entries(f"kept_{name.lower()}", size) for name, size in sizes.items()}
    inputs |= {name: new[name] for name in sizes if not (name == "ERROR" and "SPLIT" in inputs)}
    inputs |= {f"KEPT_{name}": old[name] for name in sizes}
    definitions += [
        (rho, trust_region.gain(before, after, promised)),
        (taken, sp.Piecewise((1, rho > accept), (first, True))),
    ]
    outputs: dict[str, sp.Matrix] = {}
    for name in sizes:
        chosen = [sp.Piecewise((a, taken > 0), (b, True)) for a, b in zip(new[name], old[name], strict=True)]
        outputs |= {f"NEW_{name}": sp.Matrix(chosen), f"NEW_KEPT_{name}": sp.Matrix(chosen)}
    learned = as_choices(trust_region.next_damping(start, growth, rho, accept), definitions)
    outputs |= {
        "NEW_KEPT_OBJECTIVE": sp.Matrix([sp.Piecewise((after, taken > 0), (before, True))]),
        "NEW_DIAGONAL": sp.Matrix([sp.Piecewise((-1, first > 0), (learned, True))]),
        "NEW_GROWTH": sp.Matrix([sp.Piecewise((2, first > 0), (trust_region.next_growth(growth, rho, accept), True))]),
        "ACCEPTED": sp.Matrix([taken]),
        "NEW_BREAKDOWN": sp.Matrix([sp.Piecewise((broken, after < LARGEST), (1, True))]),
        "NEW_BEGINS": sp.Matrix([0]),
    }
    by: list[object] = [trust_region.gain, trust_region.next_damping, trust_region.next_growth]
    by += [] if variant.one_by_one else [*made.by, objective.half_square]
    return Kernel("acceptance", inputs, outputs, definitions, "Which steps are taken.", by=by)
