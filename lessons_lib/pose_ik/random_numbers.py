"""Random starts from one generator, the same numbers in every language.

Plain integer arithmetic that Python and the compiler do alike; nothing here is for statistics or secrets.
"""

from __future__ import annotations

from lessons_lib.arrays import Integers

FIRST_MODULUS = 2147483563
SECOND_MODULUS = 2147483399


def seed_states(seed: int) -> tuple[int, int]:
    """Return the two states that belong to a seed, each from 1 to its modulus less one."""
    return 1 + seed % (FIRST_MODULUS - 1), 1 + (seed // (FIRST_MODULUS - 1)) % (SECOND_MODULUS - 1)


def next_states(first: int, second: int) -> tuple[int, int]:
    """Return the states that follow two states; no product exceeds 2⁴⁷, so int64 never overflows."""
    return 40014 * first % FIRST_MODULUS, 40692 * second % SECOND_MODULUS


def combine_lcg(first: int, second: int) -> int:
    """Return the whole number from 1 to FIRST_MODULUS - 1 that two states stand for.

    Two multiplicative congruential generators, subtracted.

    Source: L'Ecuyer, Efficient and portable combined random number generators, CACM 31 (1988), 742-749.
    """
    difference = (first - second) % (FIRST_MODULUS - 1)
    return difference if difference > 0 else FIRST_MODULUS - 1


def seed_state(seed: int, state: Integers) -> None:
    """Write the states that belong to a seed into `state`, shape (2,)."""
    state[0], state[1] = seed_states(seed)


def next_integer(state: Integers) -> int:
    """Return a whole number from 1 to FIRST_MODULUS - 1, and move the state on."""
    first, second = next_states(int(state[0]), int(state[1]))
    state[0], state[1] = first, second
    return combine_lcg(first, second)
