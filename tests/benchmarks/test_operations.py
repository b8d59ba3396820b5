"""Operations are counted as they stand in the text, and the random program has exactly as many."""

import math

import numpy as np
import pytest

from benchmarks.operations import Operations, count, random_program
from lessons_lib import robots


def test_products_sums_and_pairs_are_counted_and_signs_are_not() -> None:
    text = (
        "def other(q):\n    return q[0] * q[0] * q[0]\n"
        "def f(q, T):\n    s, c = sine_cosine(q[0])\n    x = -s * c + 0.5 * s - c**2\n    T[0] = -x\n"
    )
    assert count(text, "f") == Operations(multiplications=3, additions=2, pairs=1)


def test_sine_and_cosine_taken_apart_are_a_pair_too() -> None:
    text = "def f(q, T):\n    T[0] = math.sin(q[0]) + math.cos(q[0]) * math.cos(q[1])\n"
    assert count(text, "f") == Operations(multiplications=1, additions=1, pairs=2)


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10])
def test_a_chain_s_kernel_takes_one_pair_a_joint(make: object) -> None:
    chain = make()  # type: ignore[operator]
    found = count(chain.source("numba"))
    assert found.pairs == chain.dof
    assert found.multiplications > 0
    assert found.additions > 0


@pytest.mark.parametrize("latest", [6, 96])
def test_the_random_program_has_as_many_operations_and_writes_every_number(latest: int) -> None:
    asked = Operations(multiplications=40, additions=30, pairs=3)
    text = random_program(asked, 3, latest)
    outputs = text.index("    T[0, 0]")
    found = count(text[:outputs].replace("pair(", "sine_cosine("), "program")
    assert found == asked
    namespace = {"pair": lambda angle: (math.sin(angle), math.cos(angle))}
    exec(text, namespace)
    T, J = np.full((4, 4), np.nan), np.full((6, 3), np.nan)
    namespace["program"](np.array([0.1, 0.2, 0.3]), T, J)  # type: ignore[operator]
    assert np.isfinite(T).all()
    assert np.isfinite(J).all()
