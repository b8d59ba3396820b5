"""Random starts from one generator, the same numbers in the readable and in the compiled loop.

Plain integer arithmetic that Python and the compiler do alike; nothing here is for statistics or secrets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FIRST_MODULUS = 2147483563
SECOND_MODULUS = 2147483399


def plant(seed: int, state: NDArray[np.int64]) -> None:
    """Write the two states that belong to a seed into `state`, shape (2,), each from 1 to its modulus less one."""
    state[0] = 1 + seed % (FIRST_MODULUS - 1)
    state[1] = 1 + (seed // (FIRST_MODULUS - 1)) % (SECOND_MODULUS - 1)


def next_whole(state: NDArray[np.int64]) -> int:
    """Return a whole number from 1 to FIRST_MODULUS - 1 and move the state on.

    Two multiplicative congruential generators, subtracted; no product exceeds 2⁴⁷, so int64 never overflows.

    Source: L'Ecuyer, Efficient and portable combined random number generators, CACM 31 (1988), 742-749.
    """
    state[0] = 40014 * state[0] % FIRST_MODULUS
    state[1] = 40692 * state[1] % SECOND_MODULUS
    difference = (state[0] - state[1]) % (FIRST_MODULUS - 1)
    if difference == 0:
        difference = FIRST_MODULUS - 1
    return int(difference)
