"""Basins: each start leads to the result of `solve`, and the solutions are those of the closed form."""

import numpy as np
import pytest

from lessons_lib import pose_ik, robots
from lessons_lib.course.starts.basins import ASKED, NEGATIVE, NOWHERE, POSITIVE, Basins, basins, methods
from lessons_lib.pose_ik import Stop

NAMES = list(methods())


@pytest.fixture(scope="module")
def found() -> dict[str, Basins]:
    return {name: basins(method, size=60) for name, method in methods().items()}


@pytest.mark.parametrize("name", NAMES)
def test_each_start_has_the_result_of_solve(found: dict[str, Basins], name: str) -> None:
    seen, arm = found[name], robots.planar_2r()
    target = np.eye(4)
    target[:2, 3] = seen.tip
    outward = np.arctan2(*seen.tip[::-1])
    target[:2, :2] = [[np.cos(outward), -np.sin(outward)], [np.sin(outward), np.cos(outward)]]
    for i, j in np.random.default_rng(1).integers(60, size=(60, 2)):
        start = [seen.angles[i], seen.angles[j]]
        answer = pose_ik.solve(arm, target, start, method=methods()[name], **ASKED)
        assert seen.iterations[j, i] == answer.iterations
        if not answer.converged:
            assert seen.led_to[j, i] == NOWHERE
            continue
        assert seen.led_to[j, i] == (POSITIVE if np.sin(answer.q[1]) > 0 else NEGATIVE)
        tip = arm.forward_kinematics(answer.q)[:2, 3]
        assert np.linalg.norm(tip - seen.tip) <= 1e-6  # the tolerance


def test_newton_and_damped_steps_have_different_basins(found: dict[str, Basins]) -> None:
    """The border of Newton's basins is everywhere, that of the damped ones is a line."""

    def border(seen: Basins) -> float:
        return float((np.diff(seen.led_to, axis=0) != 0).mean())

    assert border(found["Newton-Raphson"]) > 2.0 * border(found["LM, Chan"])
    assert max(found["Newton-Raphson"].mean_steps, found["LM, Chan"].mean_steps) < 6.0
    assert all(seen.shares[NOWHERE] == 0.0 for seen in found.values())


@pytest.mark.parametrize("name", NAMES)
def test_shares_add_up_and_neither_elbow_is_preferred(found: dict[str, Basins], name: str) -> None:
    nowhere, positive, negative = found[name].shares
    assert nowhere + positive + negative == pytest.approx(1.0)
    assert positive == pytest.approx(negative, abs=0.03)  # a border a start wide, around 3600 of them
    assert 0.5 < found[name].nearest <= 1.0


def test_the_solutions_are_the_closed_form(found: dict[str, Basins]) -> None:
    seen = found["Newton-Raphson"]
    np.testing.assert_array_equal(seen.solutions, robots.planar_2r_solutions(seen.tip))
    j, i = (np.argmin(np.abs(seen.angles - value)) for value in seen.solutions[0][::-1])
    assert seen.led_to[j, i] == POSITIVE and seen.iterations[j, i] <= 3


def test_means_are_nan_without_solved_starts() -> None:
    seen = basins(
        methods()["LM, Chan"],
        size=3,
        stop=Stop(orientation=1e-12, position=1e-12, max_iterations=1),
    )
    assert seen.shares == (1.0, 0.0, 0.0)
    assert np.isnan(seen.mean_steps) and np.isnan(seen.nearest)
