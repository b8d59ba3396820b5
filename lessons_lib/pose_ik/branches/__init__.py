"""Every configuration of a pose: what an arm's axes allow, recognised, solved in closed form, and proven complete.

From `all_solutions` (entry) a reader passes `structure`, which recognises the closed form, `every` and `closed_forms`,
the tree of its answers, and `crossings`, of which that tree is made. These three are compiled as they stand, and run on
enclosed numbers (`enclosed`) where it is asked whether an answer is complete (`proof`). `families` are the curves of
answers where a joint is free; `seven_hinges` holds one joint after the other's value; `calibrated` goes on from the
nearest arm that has a closed form.
"""

from lessons_lib.pose_ik.branches.batch import BatchSolutions
from lessons_lib.pose_ik.branches.entry import all_solutions, all_solutions_batch
from lessons_lib.pose_ik.branches.families import Family
from lessons_lib.pose_ik.branches.solutions import Solution, Solutions

__all__ = ["BatchSolutions", "Family", "Solution", "Solutions", "all_solutions", "all_solutions_batch"]
