"""All that the library compiles for a chain, compiled before it is needed.

Each package that compiles something for a chain has a file `precompile.py`, with `compilations(chain)`. This package
imports none of those above it: it looks which of them have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import lessons_lib
from lessons_lib.codegen.notice import expected

Compilation = tuple[str, Callable[[], object]]
"""What is compiled, in words, and what has it compiled."""


def compilations(chain: Any) -> Iterator[Compilation]:
    """Yield what this package compiles for a chain."""
    q = chain.random_configuration(np.random.default_rng(1))
    yield "its pose", lambda: chain.forward_kinematics(q)
    yield "its Jacobians", lambda: (chain.space_jacobian(q), chain.body_jacobian(q), chain.pose_and_jacobian(q))
    yield (
        "many configurations at a time",
        lambda: (chain.forward_kinematics(q[None]), chain.space_jacobian(q[None]), chain.body_jacobian(q[None])),
    )


def compile_all(chain: Any, report: Callable[[str], None]) -> None:
    """Compile all that the library will need for a chain, or load it.

    Args:
        chain: A `Chain`; its file imports this one.
        report: Is told before each compilation what it is, how many have gone before it, and how many there are.
    """
    todo = [each for package in packages() for each in import_module(f"{package}.precompile").compilations(chain)]
    begin = perf_counter()
    with expected(by=chain.name):
        for i, (what, compile_it) in enumerate(todo, 1):
            report(f"{chain.name}: {what} ({i} of {len(todo)})")
            compile_it()
    report(f"{chain.name}: ready after {perf_counter() - begin:.1f} s")


def packages() -> list[str]:
    """Return the packages of the library that compile something for a chain, this one first."""
    own = __name__.rpartition(".")[0]
    found = (path.parent.name for folder in lessons_lib.__path__ for path in Path(folder).glob("*/precompile.py"))
    return sorted((f"{lessons_lib.__name__}.{name}" for name in found), key=lambda name: (name != own, name))
