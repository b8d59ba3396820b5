"""The kernels of the sequential search as one function, over a single lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons_lib.arrays import Array
from lessons_lib.pose_ik.layout import (
    ACCEPT,
    DAMP,
    EVALUATE,
    FORM_MODEL,
    FUSED_STEP,
    PREDICT,
    PROBLEM,
    SECOND_PROBLEM,
    SOLVE_COLUMNS,
    SOLVE_ROWS,
    STATED_STEP,
    THIRD_PROBLEM,
)

if TYPE_CHECKING:
    from lessons_lib.pose_ik.kernel_names import (
        DOF,
        LARGEST_ANGLE,
        Q,
        acceptance,
        damped_step,
        damped_step_by_columns,
        damped_step_by_rows,
        damping,
        error_twist,
        model,
        pose_and_jacobian,
        pose_and_jacobian_full_range,
        predict,
        split_error,
        stated_last,
        stated_problem_0,
        stated_problem_1,
        stated_problem_2,
    )


def run(numbers: Array, which: int) -> None:
    """Run the kernel with a code of layout.py."""
    w = numbers.reshape((-1, 1))
    if which == EVALUATE:
        evaluate(w)
    elif which == FUSED_STEP:
        damped_step(w)
    elif which == FORM_MODEL:
        model(w)
    elif which == ACCEPT:
        acceptance(w)
    elif which == DAMP:
        damping(w)
    elif which == SOLVE_ROWS:
        damped_step_by_rows(w)
    elif which == SOLVE_COLUMNS:
        damped_step_by_columns(w)
    elif which == PREDICT:
        predict(w)
    elif which == PROBLEM:
        stated_problem_0(w)
    elif which == SECOND_PROBLEM:
        stated_problem_1(w)
    elif which == THIRD_PROBLEM:
        stated_problem_2(w)
    elif which == STATED_STEP:
        stated_last(w)


def evaluate(w: Array) -> None:
    """Compute pose, Jacobian and error; beyond the range of the SIMD sines by those of the C library."""
    farthest = 0.0
    for i in range(DOF):
        farthest = max(farthest, abs(w[Q + i, 0]))
    if farthest < LARGEST_ANGLE:
        pose_and_jacobian(w)
    else:
        pose_and_jacobian_full_range(w)
    error_twist(w)
    split_error(w)
