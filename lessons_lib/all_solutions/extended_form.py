"""Closed form with more digits: on double-doubles in machine code, or on mpmath numbers in Python."""

import math

from lessons_lib.all_solutions.closed_form import EXACT_EDGE_BAND, FREE_BAND, invert_motion
from lessons_lib.all_solutions.decisions import (
    FLAGS,
    G1,
    K6,
    NEEDS_EXTENDED_PRECISION,
    Rotation,
    row,
    solve_branches,
)
from lessons_lib.arrays import Array, Integers
from lessons_lib.robots.vec3 import combine, dot, minus

STEPS, ROUNDED = 6, 1e-30
"""Largest number of steps of Newton's iteration for a rotation, which squares an error; error before the last step."""
OVERFLOW = 1e60  # square of a distance at which double-doubles may overflow


def nearest_rotation(T: Array) -> Rotation:
    """Return the columns of the rotation nearest to that of a pose, by Newton's iteration for the polar factor."""
    x, y, z = (T[0, 0], T[1, 0], T[2, 0]), (T[0, 1], T[1, 1], T[2, 1]), (T[0, 2], T[1, 2], T[2, 2])
    for _ in range(STEPS):
        a, b, c = -0.5 * dot(x, y), -0.5 * dot(x, z), -0.5 * dot(y, z)
        off = abs(a) + abs(b) + abs(c) + abs(1.0 - dot(x, x)) + abs(1.0 - dot(y, y)) + abs(1.0 - dot(z, z))
        p, q, r = 1.5 - 0.5 * dot(x, x), 1.5 - 0.5 * dot(y, y), 1.5 - 0.5 * dot(z, z)
        x, y, z = combine((x, y, z), (p, a, b)), combine((x, y, z), (a, q, c)), combine((x, y, z), (b, c, r))
        if off < ROUNDED:
            break
    return x, y, z


def solve_extended(
    T: Array,
    home: Array,
    kind: int,
    backwards: bool,
    K: Array,
    numbers: Array,
    rotations: Array,
    W: Array,
    codes: Integers,
) -> int:
    """Write cosine and sine of each joint of every solution of the exact pose; return the number of solutions."""
    # K is that of a `Structure`, whose directions are made unit vectors here; `numbers` has the length of the arm, the
    # noise of the arithmetic, and cosine and sine of an arbitrary angle. Outputs and W as in `solve_branches`.
    for i in range(K.shape[0]):
        if i <= K6 or i >= G1:
            size = math.sqrt(dot(row(K, i), row(K, i)))
            K[i, 0], K[i, 1], K[i, 2] = K[i, 0] / size, K[i, 1] / size, K[i, 2] / size
    (x, y, z), H = nearest_rotation(T), nearest_rotation(home)
    R = (combine(H, (x[0], y[0], z[0])), combine(H, (x[1], y[1], z[1])), combine(H, (x[2], y[2], z[2])))
    p = (home[0, 3], home[1, 3], home[2, 3])
    t = minus((T[0, 3], T[1, 3], T[2, 3]), (dot(R[0], p), dot(R[1], p), dot(R[2], p)))
    if numbers[1] > 0.0 and not dot(t, t) < OVERFLOW:
        codes[FLAGS] = NEEDS_EXTENDED_PRECISION
        return 0
    if backwards:
        R, t = invert_motion(R, t)
    tol, free = (FREE_BAND, EXACT_EDGE_BAND, numbers[1]), (numbers[2], numbers[3])
    return solve_branches(kind, R, t, K, numbers[0], tol, free, rotations, W, codes)
