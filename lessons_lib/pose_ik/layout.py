"""The arrays that compiled code reads and writes: places of their numbers, and their codes."""
# Settings of a search: METHOD … ROOT_WEIGHT, followed by REACH … JOINT_RANGES for the SIMD search. Reports: STATUS …
# JOINTS, q, first q. AT_…: offsets of the rows of the sequential search; see lane_rows.py. EVALUATE … STATED_STEP:
# codes of the kernels.

from __future__ import annotations

METHOD, ORIENTATION, POSITION, MAX_ITERATIONS, STARTS, SAMPLES, NEAREST = 0, 1, 2, 3, 4, 5, 6
BY_OBJECTIVE, STAYS_NEAR, EVALUATIONS, REPORTS_BEST, FIRST_START = 7, 8, 9, 10, 11
MASK, ROOT_WEIGHT, SETTINGS = 12, 18, 24
REACH, PREPARED_SEED, SEED_AFTER, DESCENDS, JOINT_RANGES = 24, 28, 29, 31, 32  # of the SIMD search only

BY_DISTANCE, BY_LONGEST_MOVE = 1.0, 2.0  # values of NEAREST

LEAST_SQUARES, DAMPED, STATED = 0.0, 1.0, 2.0

CONVERGED, MAX_ITERATIONS_USED, STALLED, OUTSIDE_LIMITS, UNREACHABLE, NOT_FINITE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6
LOCAL_MINIMUM = 7
NEEDS_FALLBACK, INVALID_DAMPING, UNCONSTRAINED_STARTS_FAILED = -1, -2, -3
# INVALID_DAMPING: the search in Python follows, which raises an error if a damping is not a number
# UNCONSTRAINED_STARTS_FAILED: the sequential search follows, for starts whose steps stop at the limits
STATUS, ITERATIONS, RESTARTS, ORIENTATION_ERROR, POSITION_ERROR, JOINTS = 0, 1, 2, 3, 4, 5

AT_Q, AT_TARGET, AT_ERROR, AT_MODEL, AT_RESIDUAL, AT_ACTIVE, AT_STEP, AT_MARGINS = 0, 1, 2, 3, 4, 5, 6, 7
AT_DIAGONAL, AT_PARAMETERS, AT_IS_FIRST, AT_ACCEPTED, AT_END, AT_DOF, AT_FUSED = 8, 9, 10, 11, 12, 13, 14
AT_SOLVED, AT_REMAINING, AT_HESSIAN, AT_ENTRIES = 15, 16, 17, 18
EVALUATE, FORM_MODEL, ACCEPT, DAMP, SOLVE_ROWS, SOLVE_COLUMNS, PREDICT, FUSED_STEP = range(8)
PROBLEM, SECOND_PROBLEM, THIRD_PROBLEM, STATED_STEP = range(8, 12)  # of the sequential search
MOST_PROBLEMS = 3  # linear problems of a stated formula that have kernels

LIMIT_TOLERANCE = 1e-6  # [rad or m, relative above 1] as robots.joint_limits.LIMIT_TOLERANCE
LOWER, UPPER, PERIOD, SAMPLE_LOWER, SAMPLE_UPPER = 0, 1, 2, 3, 4

WIDTH = 4  # lanes of the SIMD search: eight are never faster, and 2.4 times slower with vectors of 128 bits
RESUME = -1  # instead of a seed: resume the search whose state is in the scratch array
EVALUATIONS_TIMES_JOINTS = 60_000  # some milliseconds: the longest SIMD search that ignores Ctrl-C

ROUNDING = 2.220446049250313e-16  # the spacing of float64 at 1
FLAT = 1e-7  # a smaller cosine of the angle between the error and a column of A counts as zero: a step would lower
# half the squared error by less than 1e-14 of itself, which rounding hides
STALL = 4096 * ROUNDING  # [rad or m, relative above 1] the rounding error in a dozen joints hides a smaller step
PERTURBATION = 0.1  # [rad or m] longest motion of a joint away from a stationary point, to test whether it is a minimum
TIE_TOLERANCE = 1e-6  # errors closer than this, relative, count as equal
BOUNDED_FROM = 32  # starts after which a search stops its steps at the limits


def has_ended(status: int) -> bool:
    """Return whether a search with this status has ended."""
    return status >= CONVERGED and status != INTERRUPTED
