"""Calls from Python: what is a float64 array goes straight to the compiled code, all else is read with care first."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from lessons_lib import robots

PLAIN = np.array([0.25, -0.5, 1.0, 2.0, -1.5, 0.75])  # exact in single precision too


def spread(q: Any) -> Any:
    """Return q as every second entry of a longer array."""
    return np.repeat(q, 2)[::2]


def locked(q: Any) -> Any:
    """Return q as a read-only array."""
    q = q.copy()
    q.setflags(write=False)
    return q


FORMS = {
    "list": list,
    "tuple": tuple,
    "spread": spread,
    "read-only": locked,
    "single": lambda q: q.astype(np.float32),
    "objects": lambda q: q.astype(object),
    "big-endian": lambda q: q.astype(">f8"),
    "backwards": lambda q: q[::-1].copy()[::-1],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_q_gives_the_same_numbers(form: str) -> None:
    chain, q = robots.ur10(), FORMS[form](PLAIN)
    np.testing.assert_array_equal(chain.forward_kinematics(q), chain.forward_kinematics(PLAIN))
    np.testing.assert_array_equal(chain.body_jacobian(q), chain.body_jacobian(PLAIN))
    np.testing.assert_array_equal(chain.space_jacobian(q), chain.space_jacobian(PLAIN))
    for found, expected in zip(chain.pose_and_jacobian(q), chain.pose_and_jacobian(PLAIN), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_threads_may_call_a_fresh_chain_at_once() -> None:
    chain = robots.from_dh([(0.3, 0.4, 0.5, 0.0), (0.6, -0.7, 0.8, 0.1)])
    q = np.array([0.4, -0.9])
    with ThreadPoolExecutor(8) as pool:
        poses = list(pool.map(lambda _: chain.forward_kinematics(q), range(64)))
    for T in poses:
        np.testing.assert_array_equal(T, poses[0])
