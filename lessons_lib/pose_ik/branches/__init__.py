"""Every configuration of a pose: what an arm's axes allow, recognised, solved in closed form, and proven complete.

From `all_solutions` (entry) a reader passes `structure`, which recognises the closed form, `every` and `closed_forms`,
the tree of its answers, and `crossings`, of which that tree is made. These three are compiled as they stand, and run on
enclosed numbers (`enclosed`) where it is asked whether an answer is complete (`proof`). `families` are the curves of
answers where a joint is free.
"""

from lessons_lib.pose_ik.branches.entry import all_solutions
from lessons_lib.pose_ik.branches.families import Family
from lessons_lib.pose_ik.branches.solutions import Solution, Solutions

__all__ = ["Family", "Solution", "Solutions", "all_solutions"]
