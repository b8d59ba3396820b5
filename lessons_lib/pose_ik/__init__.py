"""Inverse kinematics of one pose: a method computes steps, a policy damps them, and a rule stops them.

`one_pose.solve` prepares a problem once (`prepared_problem`, stored on the arm by value) and solves it by one of two
searches. The SIMD search (`simd_search`, compiled by `lanes`) runs four starts of one pose, or four poses, side by
side. The sequential search (`search`, `near` and `iteration`, compiled by `sequential`) runs the rest: starts other
than random restarts, steps bounded by the limits, traces, paths, undamped methods with masked components, and steps
that need singular values. `in_python` runs it for a method with a Python step. To follow a solve down to the derived
kernels, read `one_pose`, `prepared_problem`, `lanes`, `simd_search`, `lane_kernels` (kernels of an arm), `step_kernels`
(the step), `robots/kinematics`, and `symbolic/tip_to_base` (pose and Jacobian).

Kernels are derived for an arm and for a variant of the method (`variant`: error and derivative, weights, formula of
the damping). All other options are inputs of the compiled code (`settings`), at the offsets in `layout` and
`lane_rows`. `length_scaling` makes the default damping independent of the unit of length. Before its first use a kernel
is compared with an independent implementation (`robots/kernel_check`), and a search is started at a solution
(`search_check`). Ctrl-C does not interrupt compiled code: `interruption` runs long searches in threads, and every
search reads before each evaluation how many it may make.

All configurations of a pose come from the package `all_solutions`, the ball around a solution from `certificates`.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
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
    from lessons_lib.pose_ik.explanation.explanation import Cause, Explanation
    from lessons_lib.pose_ik.goal import Goal, orientation_only, pointing, pose, position_only
    from lessons_lib.pose_ik.methods import GaussNewton, Halley, LevenbergMarquardt, Method, NewtonRaphson
    from lessons_lib.pose_ik.one_pose import explain, solve
    from lessons_lib.pose_ik.problem import Stop
    from lessons_lib.pose_ik.result import BatchResult, Preference, Result, Status, Trace
    from lessons_lib.pose_ik.rule import Damping
    from lessons_lib.pose_ik.starts import AllBranches, BestOf, Near, Nearest, Restarts

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

__getattr__, __dir__ = defer_imports(__name__, __file__)
