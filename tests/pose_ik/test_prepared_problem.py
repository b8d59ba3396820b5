"""Equal arguments share a prepared problem, and different ones never do."""

import numpy as np

from lessons_lib.pose_ik import Constant, LevenbergMarquardt, Stop, solve
from lessons_lib.robots import Chain


def test_only_equal_arguments_share_a_prepared_problem(ur10: Chain) -> None:
    target = ur10.forward_kinematics(np.full(6, 0.4))
    assert solve(ur10, target, stop=Stop(0.1, 0.1)).position_error > 1e-3 > solve(ur10, target).position_error
    slow, long = LevenbergMarquardt(Constant(0.5)), Stop(max_iterations=200)
    assert solve(ur10, target, method=slow, stop=long).iterations > solve(ur10, target, stop=long).iterations
    before = len(ur10.prepared)
    solve(ur10, target, method=LevenbergMarquardt(Constant(0.5)), stop=Stop(max_iterations=200))
    assert len(ur10.prepared) == before


def test_user_defined_methods_that_compare_equal_take_their_own_steps(planar_2r: Chain) -> None:
    class Alike:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
            return self.scale * np.linalg.pinv(jacobian) @ error

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

    target = planar_2r.forward_kinematics([0.5, 1.0])
    counts = [solve(planar_2r, target, [0.4, 0.9], method=Alike(scale)).iterations for scale in (1.0, 0.5)]
    assert counts[0] < counts[1]
