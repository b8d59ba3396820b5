"""A class derived from one of ours keeps the compiled form as long as that form says what the class says."""

import numpy as np
import pytest
from pink_robots import robot

from lessons_lib import differential_ik as dik
from lessons_lib.differential_ik.configuration import Configuration
from lessons_lib.differential_ik.solver.problem import sum_objectives


def configuration() -> Configuration:
    """Return a UR10 somewhere."""
    return Configuration(robot("UR10").tree, [0.3, -1.2, 1.5, -0.6, 1.1, 0.4])


class TwiceAsFar(dik.PostureTask):
    def compute_error(self, configuration: Configuration) -> np.ndarray:
        return 2.0 * super().compute_error(configuration)


class Sideways(dik.FrameTask):
    def compute_jacobian(self, configuration: Configuration) -> np.ndarray:
        return np.asfortranarray(super().compute_jacobian(configuration)[::-1])


class Thrice(dik.FrameTask):
    def compute_qp_objective(self, configuration: Configuration) -> tuple[np.ndarray, np.ndarray]:
        H, c = super().compute_qp_objective(configuration)
        return 3.0 * H, 3.0 * c


@pytest.mark.parametrize("kind", [TwiceAsFar, Sideways, Thrice])
def test_each_form_says_what_the_class_says(kind: type[dik.Task]) -> None:
    at = configuration()
    costs = [0.7, 0.2, 1.0, 0.5, 2.0, 0.3]
    task = kind(costs, gain=0.5, lm_damping=0.1) if kind is TwiceAsFar else kind("tool0", 1.0, 2.0, 0.1, 0.5)  # type: ignore[call-arg]
    task.set_target(np.full(6, 0.1) if kind is TwiceAsFar else np.eye(4))  # type: ignore[attr-defined]
    (H, c), (H_readable, c_readable) = sum_objectives(at, [task], 0.0), task.compute_qp_objective(at)
    assert np.abs(H - H_readable).max() <= 1e-13 * np.abs(H_readable).max()
    assert np.abs(c - c_readable).max() <= 1e-13 * np.abs(c_readable).max()
