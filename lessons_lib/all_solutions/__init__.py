"""Every configuration of a pose: what an arm's axes allow, recognised, solved in closed form, and proven complete.

From `all_solutions` (entry) a reader passes `structure`, which recognises the closed form, `every` and `closed_forms`
(with `decisions` and `wrist_places`), the tree of its answers, and `crossings`, of which that tree is made. These are
compiled as they stand, and run on enclosed numbers (`enclosed`) where it is asked whether an answer is complete
(`proof`). `families` are the curves of answers where a joint is free.

Other arms: `planar` ones; `five_hinges`, to which a sixth is added; `seven_hinges`, of which one is held, or cut into
slices (`excluded`, with `slices`, `traced` and `along`) to prove that none is an answer; `calibrated` ones, whose axes
miss a closed form by little; `any_hinges`, six without one: `reading` prepares its equations, `sixteen` (with
`determinant`, `circle` and `newton`) finds the answers, `counted` (with `radii`) proves how many there are.
"""

from lessons_lib.all_solutions.entry import BatchSolutions, all_solutions, all_solutions_batch
from lessons_lib.all_solutions.families import Family
from lessons_lib.all_solutions.solutions import Solution, Solutions

__all__ = ["BatchSolutions", "Family", "Solution", "Solutions", "all_solutions", "all_solutions_batch"]
