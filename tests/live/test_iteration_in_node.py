"""The iteration as JavaScript under Node, against the library: logarithm, steps, and whole solves of every method."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from node import in_front

from lessons_lib import lie, robots
from lessons_lib.live.arm_data import stop_data
from lessons_lib.live.iteration import source
from lessons_lib.pose_ik import GaussNewton, LevenbergMarquardt, NewtonRaphson, Restarts, Stop, Trace, TrustRegion, pose
from lessons_lib.pose_ik.derivations import split
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.robots import Chain
from lessons_lib.studies import MENU

CASES = 300
TOLERANCE = 1e-12  # relative
ALONG = 1e-9  # of whole solves, some ten steps, each with a condition of the normal matrix up to 50²
STOP = Stop()
UNEQUAL, POSITION_ONLY = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7), (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
PROGRAM = """
import { loadKernels } from "front/kernels";
import { logarithm, Solver } from "front/iteration";
const kernels = loadKernels(told.source), { dof } = told, solver = new Solver(kernels, told.tag, dof);
"""
ROBOTS = {"planar": robots.planar_2r, "three": robots.planar_3r, "ur10": robots.ur10, "panda": robots.panda}
every_robot = pytest.mark.parametrize("tag", ROBOTS)


@cache
def made(tag: str) -> tuple[Chain, str]:
    chain = ROBOTS[tag]()
    return chain, source({tag: chain}, split())


def answers(tag: str, body: str, cases: Sequence[Any]) -> list[Any]:
    """What a piece of TypeScript returns for each case, `given`."""
    chain, text = made(tag)
    told = {"source": text, "tag": tag, "dof": chain.dof, "cases": cases}
    found: list[Any] = in_front(f"{PROGRAM}return told.cases.map((given) => {{ {body} }});", told)
    return found


def twists() -> np.ndarray:
    """Twists of all sizes, many with an angle near 0 and near π, and both ends themselves."""
    rng = np.random.default_rng(30)
    axes = rng.normal(size=(CASES, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    near = 10.0 ** rng.uniform(-9, 0, CASES)
    angles = np.where(np.arange(CASES) % 3 == 0, near, np.where(np.arange(CASES) % 3 == 1, np.pi - near, 1.0 + near))
    angles[:2] = 0.0, np.pi
    return np.hstack([angles[:, None] * axes, rng.normal(size=(CASES, 3))])


def test_the_logarithm_is_pythons_near_zero_and_near_half_a_turn() -> None:
    poses = [lie.exp_se3(twist) for twist in twists()]
    found = np.array(answers("planar", "return logarithm(kernels, given);", [pose.tolist() for pose in poses]))
    expected = np.array([lie.log_se3(pose) for pose in poses])
    assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()


@every_robot
@pytest.mark.parametrize("name", ["newton", "constant", "chan", "trust-region"])
def test_many_steps_are_pythons(tag: str, name: str) -> None:
    chain, rng = made(tag)[0], np.random.default_rng(31)
    method, cases, expected, sizes = MENU[name].build(MENU[name].default), [], [], []
    while len(cases) < CASES:
        q, there = (chain.random_configuration(rng) for _ in range(2))
        J, target = chain.body_jacobian(q), chain.forward_kinematics(there)
        V = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target)
        if name == "newton" and np.linalg.cond(J) > 1e3:
            continue  # rounding times the condition of J is beyond the tolerance there, in Python as well
        cases.append([target.tolist(), q.tolist()])
        expected.append(method.step(J, V))
        sizes.append(max(1.0, float(np.linalg.norm(expected[-1]))))
    told = json.dumps({"name": name, "parameter": MENU[name].default, "weights": [1] * 6, "exact": False})
    body = (
        f"const method = {told}; const model = solver.model(solver.evaluate(given[0], given[1]), method);"
        "const first = () => kernels[`first_damping_${dof}`](model.A, [method.parameter]).damping[0];"
        'return solver.step(model, method.name === "trust-region" ? first() : solver.damping(model, method));'
    )
    found = np.array(answers(tag, body, cases))
    assert (np.linalg.norm(found - np.array(expected), axis=1) / np.array(sizes)).max() <= TOLERANCE


def near(chain: Chain, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A target where the Jacobian is well conditioned, and a start near it: a walk that does not magnify rounding."""
    while True:
        q = chain.random_configuration(rng)
        if np.linalg.cond(chain.body_jacobian(q)) < 50:
            return chain.forward_kinematics(q), np.clip(q + rng.uniform(-0.2, 0.2, chain.dof), *chain.limits.T)


def both(
    tag: str, method: Any, told: dict[str, Any], tasks: list[Any], stop: Stop
) -> list[tuple[Trace, dict[str, Any]]]:
    """The trace of the readable loop, and the run in JavaScript, for each (target, start)."""
    chain = made(tag)[0]
    told = {"weights": [1.0] * 6, "exact": False, **told}
    cases = [[target.tolist(), start.tolist(), told, stop_data(stop)] for target, start in tasks]
    runs = answers(tag, "return solver.solve(...given);", cases)
    traces = []
    for target, start in tasks:
        result = solve_in_python(chain, target, start, method=method, starts=Restarts(0), stop=stop, trace=True)
        assert result.trace is not None
        traces.append(result.trace)
    return list(zip(traces, runs, strict=True))


def compare(trace: Trace, run: dict[str, Any], damping: bool = True) -> None:
    assert len(run["iterates"]) == len(trace.q)
    np.testing.assert_allclose([it["q"] for it in run["iterates"]], trace.q, atol=ALONG, rtol=0)
    np.testing.assert_allclose([it["twist"] for it in run["iterates"]], trace.error_twists, atol=ALONG, rtol=0)
    if damping:
        np.testing.assert_allclose(run["damping"], trace.damping, atol=ALONG, rtol=1e-6)
    np.testing.assert_array_equal(run["accepted"], trace.accepted)


@every_robot
@pytest.mark.parametrize("name", MENU)
def test_whole_solves_go_through_the_iterates_of_the_readable_loop(tag: str, name: str) -> None:
    chain, rng, choice = made(tag)[0], np.random.default_rng(32), MENU[name]
    tasks = [near(chain, rng) for _ in range(5)]
    told = {"name": name, "parameter": choice.default}
    for trace, run in both(tag, choice.build(choice.default), told, tasks, STOP):
        compare(trace, run)
        arrived = trace.position_errors[-1] <= STOP.position and trace.orientation_errors[-1] <= STOP.orientation
        assert run["status"] == ("converged" if arrived else "out of steps")


@every_robot
@pytest.mark.parametrize("weights", [UNEQUAL, POSITION_ONLY])
@pytest.mark.parametrize("name", ["chan", "trust-region"])
def test_weighted_solves_with_the_exact_derivative_go_through_the_same_iterates(
    tag: str, name: str, weights: tuple[float, ...]
) -> None:
    chain, rng, choice = made(tag)[0], np.random.default_rng(33), MENU[name]
    tasks = [near(chain, rng) for _ in range(5)]
    policy = choice.build(choice.default).damping
    method = pose(weights).of(LevenbergMarquardt(policy, derivative="exact"))
    told = {"name": name, "parameter": choice.default, "weights": weights, "exact": True}
    for trace, run in both(tag, method, told, tasks, STOP):
        compare(trace, run)


@every_robot
def test_the_split_error_along_the_axes_of_s_goes_through_the_same_iterates(tag: str) -> None:
    chain, rng = made(tag)[0], np.random.default_rng(34)
    tasks = [near(chain, rng) for _ in range(5)]
    told = {"name": "gauss-newton", "parameter": 0.0, "weights": POSITION_ONLY, "split": True}
    for trace, run in both(tag, pose(POSITION_ONLY, axes="space").of(GaussNewton()), told, tasks, STOP):
        compare(trace, run)
        assert run["status"] == "converged"


def test_a_target_out_of_reach_and_a_singular_start_end_as_in_python() -> None:
    target = np.eye(4)
    target[0, 3] = 3.0
    told = {"name": "trust-region", "parameter": 1e-3}
    for trace, run in both("planar", LevenbergMarquardt(TrustRegion()), told, [(target, np.radians([10, 20]))], STOP):
        compare(trace, run, damping=False)  # at rest the gain is rounding over rounding
        assert run["status"] == "stalled"
    stretched = [(made("planar")[0].forward_kinematics(np.radians([30, 90])), np.zeros(2))]
    told = {"name": "newton", "parameter": 0.0}
    for trace, run in both("planar", NewtonRaphson(), told, stretched, Stop(max_iterations=2)):
        compare(trace, run)  # the first step is the pseudoinverse's
        assert run["status"] == "out of steps"


def test_a_step_beyond_all_numbers_ends_the_run_without_an_exception() -> None:
    chain = made("planar")[0]
    target = chain.forward_kinematics(np.radians([30, 90])).tolist()
    case = [target, [1e308, 1e308], {"name": "newton", "parameter": 0, "weights": [1] * 6, "exact": False}]
    (run,) = answers("planar", "return solver.solve(...given);", [[*case, stop_data(STOP)]])
    assert run["status"] in ("not finite", "out of steps", "converged", "stalled")
    (run,) = answers(
        "planar", "return solver.solve(given[0], [1 / 0, 0], given[2], given[3]);", [[*case, stop_data(STOP)]]
    )
    assert (run["status"], run["iterates"]) == ("not finite", [])
