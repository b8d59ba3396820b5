"""Constants and kernels that the linker inserts into simd_search.py and sequential_kernels.py, for the type checker."""

from lessons_lib.arrays import Array

LANES: int
DOF: int
LARGEST_ANGLE: float

# first rows
Q: int
TARGET: int
ERROR: int  # V or the split error, compared with the tolerances
BOUNDS: int  # squared tolerances, most iterations, starts
LANE_MASK: int  # 1 for each component of the error that counts, else 0
ANGULAR: int
LINEAR: int
IDLE: int  # 1 in a lane without a pose
COUNT: int
NO_PROGRESS: int  # 1 if the last step was too small to change anything
BREAKDOWN: int  # 1 after a lost pivot, an angle too large for the sines, or a number that is not finite
EVENT: int
START: int
NEXT: int
ATTEMPT: int
WRAPPED: int  # 1 if q is a wrapped solution, which is evaluated once more
RESET: int  # 1 if the lane continues from NEXT
IS_FIRST: int
BEST: int
ROW: int
GENERATOR: int
ROWS: int

# first places in the settings
BOUNDS_AT: int  # of BOUNDS, LANE_MASK and PARAMETERS
INITIAL_ROWS: int  # initial values of the rows before NEXT, for solve_pose
STATE: int  # state of an interrupted solve_pose

def pose_and_jacobian(w: Array) -> None: ...
def error_twist(w: Array) -> None: ...
def split_error(w: Array) -> None: ...
def acceptance(w: Array) -> None: ...
def damped_step(w: Array) -> None: ...
def advance(w: Array) -> None: ...

# of the sequential search alone
def pose_and_jacobian_full_range(w: Array) -> None: ...
def model(w: Array) -> None: ...
def damping(w: Array) -> None: ...
def damped_step_by_rows(w: Array) -> None: ...
def damped_step_by_columns(w: Array) -> None: ...
def predict(w: Array) -> None: ...
def stated_problem_0(w: Array) -> None: ...
def stated_problem_1(w: Array) -> None: ...
def stated_problem_2(w: Array) -> None: ...
def stated_last(w: Array) -> None: ...
