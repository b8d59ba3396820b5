"""Random starts: a combined linear congruential generator with the same numbers in every language."""

from __future__ import annotations

from lessons_lib.arrays import Integers

FIRST_MODULUS = 2147483563
SECOND_MODULUS = 2147483399


def seed_states(seed: int) -> tuple[int, int]:
    """Return the two states of a seed, each from 1 to its modulus minus 1."""
    return 1 + seed % (FIRST_MODULUS - 1), 1 + (seed // (FIRST_MODULUS - 1)) % (SECOND_MODULUS - 1)


def next_states(first: int, second: int) -> tuple[int, int]:
    """Return the next two states; no product exceeds 2⁴⁷, so int64 does not overflow."""
    return 40014 * first % FIRST_MODULUS, 40692 * second % SECOND_MODULUS


def combine_lcg(first: int, second: int) -> int:
    """Combine two states to an integer from 1 to FIRST_MODULUS - 1 (L'Ecuyer, CACM 31 (1988), 742-749)."""
    difference = (first - second) % (FIRST_MODULUS - 1)
    return difference if difference > 0 else FIRST_MODULUS - 1


def seed_state(seed: int, state: Integers) -> None:
    """Write the states of a seed into `state`, shape (2,)."""
    state[0], state[1] = seed_states(seed)


def next_integer(state: Integers) -> int:
    """Return an integer from 1 to FIRST_MODULUS - 1, and advance the state."""
    first, second = next_states(int(state[0]), int(state[1]))
    state[0], state[1] = first, second
    return combine_lcg(first, second)
