"""Block library for bdsim, Peter Corke's block-diagram simulator; `BDSim(packages="lessons_lib")` finds it.

No other part of the library imports bdsim. bdsim's editor reads names, types and defaults of parameters from the
`:param` and `:type` fields of a block's docstrings, and its icon from `Icons/`; so the blocks keep that form.
"""

from lessons_lib.extras import need

need("blocks", "lessons_lib.blocks")

from lessons_lib.blocks.inverse_kinematics import DampedLeastSquaresIK  # noqa: E402
from lessons_lib.blocks.kinematics import DifferentialIK, ForwardKinematics, PoseError  # noqa: E402
from lessons_lib.blocks.pose_source import PoseSource  # noqa: E402

__all__ = ["DampedLeastSquaresIK", "DifferentialIK", "ForwardKinematics", "PoseError", "PoseSource"]
