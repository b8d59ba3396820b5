"""What `solve` finds out about a chain, a method and a rule is found once: for the same objects, and for equal ones."""

from dataclasses import dataclass

import numpy as np
import pytest

from lessons_lib.pose_ik import (
    Constant,
    GaussNewton,
    LevenbergMarquardt,
    Stop,
    lanes,
    position_only,
    solve,
)
from lessons_lib.robots import Chain


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch, ur10: Chain, planar_2r: Chain) -> list[object]:
    """Return a list that grows by one for each problem that is prepared from scratch."""
    for chain in (ur10, planar_2r):
        solve(chain, chain.home)  # compiled, and checked, before anything is counted
        chain.prepared.clear()
    made: list[object] = []
    make_scratch = lanes.make_scratch

    def counted(problem: object, slices: int) -> np.ndarray:
        made.append(problem)
        return make_scratch(problem, slices)

    monkeypatch.setattr(lanes, "make_scratch", counted)
    return made


def test_what_differs_is_told_apart(ur10: Chain, planar_2r: Chain, prepared: list[object]) -> None:
    """The default, another tolerance, another method, another arm: each has numbers of its own."""
    target, loose = ur10.forward_kinematics(np.full(6, 0.4)), Stop(0.1, 0.1)
    tight = solve(ur10, target, stop=Stop()).position_error
    assert solve(ur10, target, stop=Stop(0.1, 0.1)).position_error > 1e-3 > tight
    careful = solve(ur10, target, method=LevenbergMarquardt(Constant(0.5)), stop=Stop(max_iterations=200))
    assert careful.iterations > solve(ur10, target, stop=Stop(max_iterations=200)).iterations
    assert solve(planar_2r, planar_2r.home, stop=loose).q.shape == (2,)
    assert len(prepared) == 5
    assert solve(ur10, target, stop=Stop(), max_time=9.0).converged  # looks at the clock more often
    assert len(prepared) == 6
    newton = solve(ur10, target, goal=position_only(), method=GaussNewton())  # which the lanes do not know
    assert len(prepared) == 6 and newton.converged


def test_a_method_of_the_readers_own_is_told_apart_by_its_place_alone(planar_2r: Chain, prepared: list[object]) -> None:
    """Its equality is its author's: two that call themselves equal may take different steps."""

    @dataclass(frozen=True)
    class Alike:
        name: str = "alike"

        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            return self.scale * np.linalg.pinv(jacobian) @ error

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

    whole, half = Alike(), Alike()
    object.__setattr__(whole, "scale", 1.0)
    object.__setattr__(half, "scale", 0.5)
    target = planar_2r.forward_kinematics([0.5, 1.0])
    counts = [solve(planar_2r, target, [0.4, 0.9], method=method).iterations for method in (whole, half)]
    assert counts[0] < counts[1]
