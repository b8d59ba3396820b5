"""Inverse kinematics of one pose: a method takes steps, a policy damps them, a rule stops them.

**One search.** `search` is its text, with `search_rules`, and `near` for the search of `Near`: start after start,
step after step. `compiled` makes machine code of it; `in_python` runs it as it stands, for a method with a step of its
own. What it asks of an arm and of a method are kernels, derived for an arm and for a variant of the method (`variants`:
error and derivative, weights or none, formula of the damping); all else is numbers (`settings`), so no slider compiles
anything. `model_kernels` makes the kernels of the lessons' own functions. Written by hand are the search around the
kernels, and the pseudoinverse.

**From `solve` to the derived kernel** a reader passes, in this order: `one_pose` (arguments, and who tries after whom),
`ready` (what is found once for an arm and a question), `lanes` (what is compiled, and the numbers that it is given),
`compiled_pose_lanes` (the search that `solve` calls: four starts of one pose), `compiled_lanes` (its steps;
`solve_batch` runs eight poses side by side), `lane_kernels` (the kernels in them), `robots/kinematics` and
`symbolic/tip_to_base` (pose and Jacobian), `error_kernel` (how far the tip is off), `model_kernels` and
`symbolic/damped_step` (the step), `taking_kernels` (taking it). `layout` and `lane_rows` say what the numbered places
hold. `search`, which knows every built-in method, answers what the lanes leave undecided. `own_length` lets the default
method measure an arm by its own length.

**A formula of one's own**, or Halley's, is run once on symbols (`symbolic/stated_step`); `stated_kernels` makes the
kernel of it, `stated_step` what Python runs. `printed_solver` prints the search of one pose
for a controller or a page.

**A preferred posture** is approached by `prefer`, on the compiled texts `compiled_posture` and `compiled_nearest`.

**All configurations** of a pose are found in `branches`, in closed form.

**How sure** an answer is, a ball around it, is told by `certificates`; **why** there is none, by `causes`.

**Before it is used** a kernel has agreed with numbers from elsewhere: a chain's text with `robots/exponentials`,
which knows no SymPy (`robots/kernel_check`), the text over lanes as well (`search_check`), and what was compiled or
loaded is tried out by starting where it should end.

**Ctrl-C.** Python hears it only between its own instructions, so nothing compiled may run for long where it is waited
for: `interruption` runs what may be long in threads, and every search reads before each evaluation how many it may
make.
"""

from lessons_lib.pose_ik.batch import solve_batch
from lessons_lib.pose_ik.branches import (
    BatchSolutions,
    Family,
    Solution,
    Solutions,
    all_solutions,
    all_solutions_batch,
)
from lessons_lib.pose_ik.causes import Cause, Explanation
from lessons_lib.pose_ik.certificates import Certificate, certificate
from lessons_lib.pose_ik.damping import Chan, Constant, Sugihara, TrustRegion, Wampler
from lessons_lib.pose_ik.evaluation import evaluate
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
