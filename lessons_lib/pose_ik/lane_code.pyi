"""What the search over lanes finds in front of it: rows, sizes, and the kernels of lane_kernels.py."""

from lessons_lib.arrays import Array

LANES: int
DOF: int
LARGEST_ANGLE: float

# first rows
Q: int
TARGET: int
ERROR: int  # V, or the split error: what is compared with the tolerances
BOUNDS: int  # squared tolerances, most iterations, starts
COUNTS: int  # 1 for each component of the error that counts, else 0
ANGULAR: int
LINEAR: int
IDLE: int  # 1 in a lane without a pose
COUNT: int
NO_PROGRESS: int  # 1 where no further step is taken: the last one was too small to change anything
BREAKDOWN: int  # 1 where a pivot was lost, an angle is too large for the sines, or a number is not finite
EVENT: int
START: int
NEXT: int
ATTEMPT: int
WRAPPED: int  # 1 where q is a solution after its revolutions were taken off, evaluated once more
FRESH: int  # 1 where NEXT holds where the lane continues
BEGINS: int
BEST: int
ROW: int
GENERATOR: int
ROWS: int

# first places in `numbers`
BOUNDS_AT: int  # of BOUNDS, COUNTS and GIVEN
BEGINNING: int  # what the rows before NEXT begin with, when one pose has all lanes
STATE: int  # what is remembered, when one pose has all lanes

def pose_and_jacobian(w: Array) -> None: ...
def error_twist(w: Array) -> None: ...
def split_error(w: Array) -> None: ...
def acceptance(w: Array) -> None: ...
def damped_step(w: Array) -> None: ...
def advance(w: Array) -> None: ...
