"""Where each number lies in the flat arrays that cross into compiled code, and what its codes mean."""

from __future__ import annotations

METHOD, MODEL, DAMPING, DAMPING_VALUE, ACCEPT = 0, 1, 2, 3, 4
ORIENTATION, POSITION, MAX_ITERATIONS, STARTS, SAMPLES, NEAREST = 5, 6, 7, 8, 9, 10
WEIGHTED, ROOT_WEIGHT, JUDGED, BY_OBJECTIVE, STAYS_NEAR, LOOKS, SETTINGS = 11, 12, 18, 24, 25, 26, 27
FIXED_DAMPING, SLOPE_OF_DAMPING, REACH, SEED_AT_HAND, SEED_AFTER = 27, 28, 29, 33, 34  # for the lanes: behind the rest

LEAST_SQUARES, DAMPED = 0.0, 1.0
BODY, SPACE, EXACT, SPLIT_IN_BODY, SPLIT_IN_SPACE, SPLIT_IN_TARGET = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0
FIXED, TIMES_ERROR, PLUS_ERROR, ADAPTIVE = 0.0, 1.0, 2.0, 3.0

CONVERGED, MAX_ITERATIONS_USED, STALLED, OUTSIDE_LIMITS, UNREACHABLE, NOT_FINITE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6
LOCAL_MINIMUM = 7
UNDECIDED = -1
STATUS, ITERATIONS, RESTARTS, ORIENTATION_ERROR, POSITION_ERROR, JOINTS = 0, 1, 2, 3, 4, 5

FAR = 628.3185307179587  # [rad] as robots.sampling.FAR_TURN: a limit beyond it is none, and turns are taken off
LOWER, UPPER, TURN, SAMPLE_LOWER, SAMPLE_UPPER = 0, 1, 2, 3, 4

GO_ON = -1  # in the place of a seed: take up the search that is in the room
LOOKS_TIMES_JOINTS = 60_000  # some milliseconds: what a search over lanes may take where Ctrl-C is not heard

ROUNDING = 2.220446049250313e-16  # the spacing of float64 at 1
RANK = 1e-15  # singular values up to this times the largest count as zero, as in numpy.linalg.pinv
FLAT = 1e-6  # cosine of the angle between the error and what a joint can do about it, below which it can do nothing
STALL = 4096 * ROUNDING  # [rad or m, relative above 1] a step below what rounding in a dozen joints hides
NUDGE = 0.1  # [rad or m] the longest way of a joint aside, to see whether the place where a descent ends is a minimum
TIE = 1e-6  # errors closer than this, relative, count as equal
CLAMPED_FROM = 32  # starts after which a search stops its steps at the limits
ROUNDED = 1e-12  # a rotation farther than this from orthogonal was rounded on its way here
