"""Inverse kinematics of one pose: a method takes steps, a policy damps them, a rule stops them.

**One path.** `one_pose.solve` prepares a problem once, in `prepared_problem`, which keeps it on the arm by value, and
solves it by one of two searches. The SIMD search (`simd_search`, compiled by `lanes`) runs four starts of one pose, or
four poses, side by side. The sequential search (`search`, `near` and `iteration`, compiled by `sequential`) serves all
else: undamped and stated methods, samples, several solutions, steps bounded by the limits, traces, paths. `in_python`
runs its text as plain Python, for a method with a Python step.

**From `solve` to the derived kernel** a reader opens eight files: `one_pose`, `prepared_problem`, `lanes`,
`simd_search`, `lane_kernels` (the kernels of an arm), `step_kernels` (the step), `robots/kinematics` with
`symbolic/tip_to_base` (pose and Jacobian). Kernels are derived for an arm and for a variant of the method (`variants`:
error and derivative, weights or none, formula of the damping); all else is numbers (`settings`), so no slider compiles
anything. `layout` and `lane_rows` name the places of these numbers. `length_scaling` scales lengths by the arm's
characteristic length, so that the default damping does not depend on units.

**A formula of one's own**, or Halley's, is run once on symbols (`symbolic/stated_step`); `step_kernels` makes the
kernel of it, `stated_step` what Python runs. `printed_solver` prints the search of one pose
for a controller or a page.

**A preferred posture** is approached by `prefer`, on the compiled text `null_space_descent`.

**All configurations** of a pose come from the package `all_solutions`, the ball around a solution from `certificates`;
both are below this one. `solve_by_branches` chooses among all solutions, `certified_solve` adds a certificate, `within`
bounds the move from q0, and `explanation` says why a solve failed.

**Before its first use** a kernel is compared with an independent implementation, `robots/exponentials`, which uses no
SymPy (`robots/kernel_check`), and a compiled or loaded search is started at a solution (`search_check`).

**Ctrl-C** interrupts no compiled code. `interruption` runs long searches in threads, and every search reads before each
evaluation how many it may make.
"""

from lessons_lib.all_solutions import (
    BatchSolutions,
    Family,
    Solution,
    Solutions,
    all_solutions,
    all_solutions_batch,
)
from lessons_lib.certificates import Certificate, certificate
from lessons_lib.pose_ik.batch import solve_batch
from lessons_lib.pose_ik.damping import Chan, Constant, Sugihara, TrustRegion, Wampler
from lessons_lib.pose_ik.evaluation import evaluate
from lessons_lib.pose_ik.explanation import Cause, Explanation
from lessons_lib.pose_ik.goal import Goal, orientation_only, pointing, pose, position_only
from lessons_lib.pose_ik.methods import GaussNewton, Halley, LevenbergMarquardt, Method, NewtonRaphson
from lessons_lib.pose_ik.one_pose import explain, solve
from lessons_lib.pose_ik.preference import Preference
from lessons_lib.pose_ik.result import BatchResult, Result, Status, Trace
from lessons_lib.pose_ik.rule import Damping
from lessons_lib.pose_ik.starts import AllBranches, BestOf, Near, Nearest, Restarts
from lessons_lib.pose_ik.stop import Stop

__all__ = [
    "AllBranches",
    "BatchResult",
    "BatchSolutions",
    "BestOf",
    "Cause",
    "Certificate",
    "Chan",
    "Constant",
    "Damping",
    "Explanation",
    "Family",
    "GaussNewton",
    "Goal",
    "Halley",
    "LevenbergMarquardt",
    "Method",
    "Near",
    "Nearest",
    "NewtonRaphson",
    "Preference",
    "Restarts",
    "Result",
    "Solution",
    "Solutions",
    "Status",
    "Stop",
    "Sugihara",
    "Trace",
    "TrustRegion",
    "Wampler",
    "all_solutions",
    "all_solutions_batch",
    "certificate",
    "evaluate",
    "explain",
    "orientation_only",
    "pointing",
    "pose",
    "position_only",
    "solve",
    "solve_batch",
]
