"""Why a pose was not reached: `result.explain()`.

`order` asks: can the pose be had at all (`reach`: distances, all solutions, limits, slices of a joint's range), what
does the place tell where the search ended (`local`), and would another reading of the target be solved (`mistaken`)?
`question` is what was asked of the solve, `explanation` what comes back, and its words.
"""

from lessons_lib.pose_ik.explanation.explanation import Cause, Explanation

__all__ = ["Cause", "Explanation"]
