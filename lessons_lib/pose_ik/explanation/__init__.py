"""Explain why a pose was not reached: `result.explain()`.

`causes` decides which causes are looked for; `reach` excludes poses, `likely_mistakes` names mistakes of the caller.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
    from lessons_lib.pose_ik.explanation.explanation import Cause, Explanation

__all__ = ["Cause", "Explanation"]

__getattr__, __dir__ = defer_imports(__name__, __file__)
