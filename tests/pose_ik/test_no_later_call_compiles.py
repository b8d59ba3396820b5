"""In a loop nothing is derived, compiled or loaded after the first call of its kind, whatever the numbers are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lessons_lib import pose_ik, robots, trajectories
from lessons_lib.codegen import cache, native

ARM = robots.panda()
BACKWARDS = np.array([[0, 0, -1, 0.8], [0, 1, 0, 0], [1, 0, 0, 0.333], [0, 0, 0, 1.0]])
"""Far out, the flange turned to the base: no configuration of the Panda, and within its reach, m."""


def forms(rng: np.random.Generator) -> dict[str, Callable[[], Any]]:
    """Return one call of each kind, with numbers of its own."""
    q = ARM.random_configuration(rng)
    T, start, number = ARM.forward_kinematics(q), ARM.random_configuration(rng), float(rng.uniform(0.1, 1.0))
    hard, out = BACKWARDS.copy(), T.copy()
    hard[1, 3], out[0, 3] = 1e-3 * number, 3.0 + number
    solve, line = pose_ik.solve, np.array([ARM.forward_kinematics(q + 0.01 * k) for k in range(4)])
    return {
        "plain": lambda: solve(ARM, T, start),
        "lists": lambda: solve(ARM, T.tolist(), start.tolist()),
        "float32 in other order": lambda: solve(ARM, np.asfortranarray(T.astype(np.float32))),
        "view": lambda: solve(ARM, np.array([T, T])[::2][0], np.repeat(start, 2)[::2]),
        "in time": lambda: solve(ARM, T, max_time=1.0 + number),
        "weights": lambda: solve(ARM, T, goal=pose_ik.pose((1, 1, 1, number, 2, 3))),
        "damping": lambda: solve(ARM, T, method=pose_ik.LevenbergMarquardt(pose_ik.Chan(number))),
        "tolerance": lambda: solve(ARM, T, stop=pose_ik.Stop(1e-6 * number, 1e-6, 40), starts=pose_ik.Restarts(7)),
        "seeded": lambda: solve(ARM, T, rng=rng),
        "out of reach": lambda: solve(ARM, out),
        "no start arrives": lambda: solve(ARM, hard, starts=pose_ik.Restarts(33)),
        "iterates": lambda: solve(ARM, T, trace=True),
        "best of": lambda: solve(ARM, T, starts=pose_ik.BestOf(1 + int(9 * number))),
        "near": lambda: solve(ARM, T, start, starts=pose_ik.Near(20)),
        "within": lambda: solve(ARM, T, start, within=number),
        "batch": lambda: pose_ik.solve_batch(ARM, [T] * (1 + int(9 * number)), start),
        "large batch": lambda: pose_ik.solve_batch(ARM, [T] * 9 + [hard], starts=pose_ik.Restarts(33)),
        "path": lambda: trajectories.trace(ARM, line, q),
    }


def doubled(x: float) -> float:
    """Return 2 x."""
    return 2.0 * x


def test_after_the_first_of_each_kind_no_call_compiles_or_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, made = "", list[str]()

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            made.append(f"{kind}: {given[0]}")
            return function(*given)

        return call

    monkeypatch.setattr(native, "Overload", counted(native.Overload))
    monkeypatch.setattr(cache, "load_module", counted(cache.load_module))
    rng = np.random.default_rng(3)
    for call in forms(rng).values():
        call()
    made.clear()
    calls = 0
    while calls < 300:
        for name, call in forms(rng).items():
            kind, calls = name, calls + 1
            call()
    assert made == []
    assert native.native(doubled)(number := 1.5) == 2.0 * number and len(made) == 1, "what is new is counted"
