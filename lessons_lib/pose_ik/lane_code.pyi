"""What the search over lanes finds in front of it: rows, sizes, and the kernels of lane_kernels.py."""

from lessons_lib.arrays import Array

LANES: int
DOF: int
LARGEST_ANGLE: float
MASKED: int

# first rows
Q: int
TARGET: int
ERROR: int  # V, or the split error
GIVEN: int
ANGULAR: int
LINEAR: int
QUIET: int
COUNT: int
RESTING: int
DOUBT: int
EVENT: int
START: int
NEXT: int
ATTEMPT: int
SETTLING: int
FRESH: int
BEGINS: int
BEST: int
ROW: int
GENERATOR: int
ROWS: int

# first places in `numbers`
JOINT_RANGES: int
GIVEN_AT: int
GIVEN_SIZE: int
BEGINNING: int  # what the rows before NEXT begin with, when one pose has all lanes

# first places behind the rows, when one pose has all lanes
NUMBERS: int
STATE: int

def pose_and_jacobian(w: Array) -> None: ...
def error_twist(w: Array) -> None: ...
def judged_error(w: Array) -> None: ...
def acceptance(w: Array) -> None: ...
def damped_step(w: Array) -> None: ...
def advance(w: Array) -> None: ...
def spread(w: Array, target: Array) -> None: ...
