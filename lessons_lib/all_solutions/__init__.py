"""All configurations that reach a pose, and whether it is proven that none is missing.

`entry` chooses a strategy. Closed forms: `recognition`, then `closed_arm` with the compiled `closed_form`, `decisions`
and `subproblems`, `extended_form` with more digits, `to_rounding`, and `proof` on `interval`s. General 6R arms:
`general_arm` with `elimination`, `trig_polynomial`, `newton` and `general_6r`; `solution_count` proves their number.
`planar_arm`, `five_joint_arm`, `seven_joint_arm` (with `slices`) and `coupled_arm` reduce to these. `point_arm` solves
three joints that place a point (`placed_point`), and the wrist about it. `straight_line` programs on
`affine_arithmetic` bound errors. `families` of solutions end where the `branch_margins` do, see
`interval_search`. `printed_solutions` are closed forms as source code.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
    from lessons_lib.all_solutions.entry import BatchSolutions, all_solutions, all_solutions_batch
    from lessons_lib.all_solutions.families import Family
    from lessons_lib.all_solutions.solutions import Solution, Solutions

__all__ = ["BatchSolutions", "Family", "Solution", "Solutions", "all_solutions", "all_solutions_batch"]

__getattr__, __dir__ = defer_imports(__name__, __file__)
