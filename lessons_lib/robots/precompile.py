"""Compile the code of a chain before its first use; other packages register their part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

from lessons_lib import hooks
from lessons_lib.codegen.compile_log import expect_compiling

Compilation = tuple[str, Callable[[], object]]
"""Name of a compilation, and the function that performs it."""


def compilations(chain: Any) -> Iterator[Compilation]:
    q = chain.random_configuration(np.random.default_rng(1))
    yield "its pose", lambda: chain.forward_kinematics(q)
    yield "its Jacobians", lambda: (chain.space_jacobian(q), chain.body_jacobian(q), chain.pose_and_jacobian(q))
    yield (
        "batches of configurations",
        lambda: (chain.forward_kinematics(q[None]), chain.space_jacobian(q[None]), chain.body_jacobian(q[None])),
    )


def all_compilations(chain: Any) -> list[Compilation]:
    """Return the compilations of all packages for a chain, in the order of their layers."""
    return [one for each in (compilations, *hooks.implementations("compilations")) for one in each(chain)]


def compile_all(chain: Any, report: Callable[[str], None]) -> None:
    """Compile or load the code of a chain; `report` receives a line before each compilation."""
    todo = all_compilations(chain)
    begin = perf_counter()
    with expect_compiling(by=chain.name):
        for i, (what, compile_it) in enumerate(todo, 1):
            report(f"{chain.name}: {what} ({i} of {len(todo)})")
            compile_it()
    report(f"{chain.name}: ready after {perf_counter() - begin:.1f} s")
