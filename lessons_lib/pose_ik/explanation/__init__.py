"""Explain why a pose was not reached: `result.explain()`.

`order` decides which causes are looked for; `reach` excludes poses, `mistaken` finds likely mistakes.
"""

from lessons_lib.pose_ik.explanation.explanation import Cause, Explanation

__all__ = ["Cause", "Explanation"]
