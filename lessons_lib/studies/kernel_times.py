"""What a kernel costs: one call from Python, one inside compiled code, one of eight at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from lessons_lib import codegen
from lessons_lib.codegen import lanes
from lessons_lib.codegen.loader import names_of
from lessons_lib.robots import Chain, kinematics

CALLS = 2000
"""Calls of a loop in compiled code: together some tens of microseconds, far above what looking at the clock takes."""

PASSES = 9


def compiled(kernel: codegen.Kernel) -> Any:
    """Return a kernel as compiled code. The module is made for this one use; nothing is written to disk."""
    return names_of(codegen.source([kernel], "numba"), "<a kernel>")[kernel.name]


def per_call(call: Callable[[], Any], seconds: float = 0.02) -> float:
    """Return the time of one call from Python, s: of a few passes, each as long as `seconds` or one call, the best."""
    begin = perf_counter()
    call()
    calls = max(1, int(seconds / (perf_counter() - begin)))
    if calls == 1:
        return perf_counter() - begin
    return min(_clock(lambda: [call() for _ in range(calls)]) for _ in range(PASSES)) / calls


def inside(kernel: Any, dof: int) -> float:
    """Return the time of one kernel(q, T, J) inside a compiled loop, s: every q differs from the last one."""
    import numba

    @numba.njit
    def loop(q, T, J):  # type: ignore[no-untyped-def]
        total = 0.0
        for _ in range(CALLS):
            for i in range(q.size):
                q[i] += 1e-4
            kernel(q, T, J)
            total += T[0, 0] + J[0, 0]  # so that no call can be left out
        return total

    q, T, J = np.linspace(0.1, 1.0, dof), np.empty((4, 4)), np.empty((6, dof))
    loop(q, T, J)
    return min(_clock(lambda: loop(q, T, J)) for _ in range(PASSES)) / CALLS


def in_a_lane(chain: Chain) -> float:
    """Return the time of T and J_b for one configuration of `LANES` that are computed at once, s."""
    import numba

    rows, text = _over_lanes(chain)
    kernel, angles = names_of(text, "<a kernel over lanes>")["lane_kernel"], chain.dof * lanes.LANES

    @numba.njit
    def loop(w):  # type: ignore[no-untyped-def]
        total = 0.0
        for _ in range(CALLS):
            for i in range(angles):
                w[i] += 1e-4
            kernel(w)
            total += w[-1]
        return total

    w = np.linspace(0.1, 1.0, rows * lanes.LANES)
    loop(w)
    return min(_clock(lambda: loop(w)) for _ in range(PASSES)) / (CALLS * lanes.LANES)


def _over_lanes(chain: Chain) -> tuple[int, str]:
    """Return how many rows q, the upper three rows of T, and J_b take, and the text of their kernel over lanes."""
    kernel = kinematics.kernels(chain.screws, chain.home)[-1]
    upper = {"T": kernel.outputs["T"][:3, :], "J_b": kernel.outputs["J_b"]}
    kernel = replace(kernel, name="lane_kernel", outputs=upper)
    text = [
        "import math\n\nimport numpy\n\nfrom lessons_lib.codegen.vectors import vectorized",
        lanes.sine_and_cosine(),
        lanes.function(kernel, {"q": 0, "T": chain.dof, "J_b": chain.dof + 12}),
    ]
    return 7 * chain.dof + 12, "\n\n\n".join(text) + "\n"


def sine_and_cosine(chain: Chain) -> tuple[float, float]:
    """Return the time of a sine with its cosine in compiled code, s: two calls of the library, and the pair."""
    import numba

    pair = chain.kernels.sine_cosine

    @numba.njit
    def two_calls(angle: float, found: Any) -> None:
        for i in range(CALLS):
            found[0] += math.sin(angle + i) + math.cos(angle + i)

    @numba.njit
    def together(angle: float, found: Any) -> None:
        for i in range(CALLS):
            sine, cosine = pair(angle + i)
            found[0] += sine + cosine

    return _of_each_turn(two_calls), _of_each_turn(together)


def _of_each_turn(loop: Callable[[float, Any], None]) -> float:
    found = np.zeros(1)
    loop(0.5, found)
    return min(_clock(lambda: loop(0.5, found)) for _ in range(PASSES)) / CALLS


def _clock(run: Callable[[], Any]) -> float:
    begin = perf_counter()
    run()
    return perf_counter() - begin
