"""The search of a page under Node: bit for bit as in plain Python, and with the iterates of NumPy's kernels."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from node import in_front

from lessons_lib import lie, robots
from lessons_lib.course.live.method_data import STATUSES, kind_of, stop_data
from lessons_lib.course.live.search import logarithm, source
from lessons_lib.pose_ik import (
    Chan,
    GaussNewton,
    LevenbergMarquardt,
    NewtonRaphson,
    Restarts,
    Stop,
    Trace,
    TrustRegion,
    layout,
    pose,
)
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.variant import kernel_parameters
from lessons_lib.pose_ik.weights import weights_of
from lessons_lib.robots import Chain
from lessons_lib.studies import METHODS as CHOICES

CASES = 300
TOLERANCE = 1e-12  # relative
ALONG = 1e-9  # of whole solves, some ten steps, each with a condition of the normal matrix up to 50²
STOP, FINE = Stop(), Stop(1e-5, 1e-8)
UNEQUAL, POSITION_ONLY = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7), (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
PROGRAM = """
import { loadKernels } from "front/kernels";
import { logarithm } from "front/kernels";
import { Solver } from "front/solver";
const kernels = loadKernels(told.source), solver = new Solver(kernels, told.tag, told.dof);
"""
ROBOTS = {"planar": robots.planar_2r, "three": robots.planar_3r, "ur10": robots.ur10, "panda": robots.panda}
EXACT = [LevenbergMarquardt(policy, derivative="exact") for policy in (Chan(), TrustRegion())]
METHODS = {
    **{name: choice.build() for name, choice in CHOICES.items()},
    **{
        f"{kind_of(method)}, {name}": pose(weights).of(method)
        for method in EXACT
        for name, weights in (("unequal", UNEQUAL), ("position", POSITION_ONLY))
    },
    "split": pose(POSITION_ONLY, axes="space").of(GaussNewton()),
}
"""One of each kind that a figure shows."""
every_robot = pytest.mark.parametrize("tag", ROBOTS)


@cache
def made(tag: str) -> tuple[Chain, str]:
    chain = ROBOTS[tag]()
    return chain, source({tag: chain}, METHODS.values(), plain=[logarithm()])


def answers(tag: str, body: str, cases: Sequence[Any]) -> list[Any]:
    """The results of a piece of TypeScript for each case, `given`."""
    chain, text = made(tag)
    told = {"source": text, "tag": tag, "dof": chain.dof, "cases": cases}
    return in_front(f"{PROGRAM}return told.cases.map((given) => {{ {body} }});", told)


def twists() -> np.ndarray:
    """Twists of all sizes, many with an angle near 0 and near π, including both."""
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


def near(chain: Chain, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A target with a well-conditioned Jacobian, and a start near it, so that rounding is not amplified."""
    while True:
        q = chain.random_configuration(rng)
        if np.linalg.cond(chain.body_jacobian(q)) < 50:
            return chain.forward_kinematics(q), np.clip(q + rng.uniform(-0.2, 0.2, chain.dof), *chain.limits.T)


def told_of(method: Any) -> dict[str, Any]:
    """The page's data of a method."""
    policy = getattr(method, "damping", None)
    name = next((n for n, c in CHOICES.items() if c.damped and type(c.build().damping) is type(policy)), "undamped")
    parameter = CHOICES[name].default if policy is not None else 0.0
    return {"name": name, "kind": kind_of(method), "parameter": parameter, "weights": weights_of(method).tolist()}


def both(tag: str, method: Any, tasks: list[Any], stop: Stop) -> list[tuple[Trace, dict[str, Any]]]:
    """The trace in Python, and the run in JavaScript, for each (target, start)."""
    chain = made(tag)[0]
    cases = [[target.tolist(), start.tolist(), told_of(method), stop_data(stop)] for target, start in tasks]
    runs = answers(tag, "return solver.solve(...given);", cases)
    traces = []
    for target, start in tasks:
        result = solve_in_python(chain, target, start, method=method, starts=Restarts(0), stop=stop, trace=True)
        assert result.trace is not None
        traces.append(result.trace)
    return list(zip(traces, runs, strict=True))


def compare(trace: Trace, run: dict[str, Any]) -> None:
    assert len(run["iterates"]) == len(trace.q) == run["steps"] + 1
    np.testing.assert_allclose([it["q"] for it in run["iterates"]], trace.q, atol=ALONG, rtol=0)
    np.testing.assert_allclose([it["twist"] for it in run["iterates"]], trace.error_twists, atol=ALONG, rtol=0)


@pytest.mark.check
@every_robot
@pytest.mark.parametrize("name", METHODS)
def test_solves_have_pythons_iterates(tag: str, name: str) -> None:
    chain, rng = made(tag)[0], np.random.default_rng(32)
    tasks = [near(chain, rng) for _ in range(5)]
    for trace, run in both(tag, METHODS[name], tasks, STOP):
        compare(trace, run)
        arrived = trace.position_errors[-1] <= STOP.position and trace.orientation_errors[-1] <= STOP.orientation
        assert run["status"] == "converged" if arrived else run["status"] in ("out of steps", "converged")


def test_a_step_beyond_all_numbers_ends_the_run_without_an_exception() -> None:
    chain = made("planar")[0]
    target = chain.forward_kinematics(np.radians([30, 90])).tolist()
    case = [target, [1e308, 1e308], told_of(NewtonRaphson()), stop_data(STOP)]
    (run,) = answers("planar", "return solver.solve(...given);", [case])
    assert run["status"] in ("not finite", "out of steps", "converged", "stalled")
    program = "return solver.solve(given[0], [1 / 0, 0], given[2], given[3]);"
    (run,) = answers("planar", program, [case])
    assert (run["status"], run["iterates"]) == ("not finite", [])


IN_PYTHON = """
import json, sys
import numpy as np
from lessons_lib.course.live.search import loop
from lessons_lib.pose_ik import sequential
from lessons_lib.pose_ik.lane_rows import places
from lessons_lib.pose_ik.variant import variant_of
from test_search_in_node import METHODS, ROBOTS, asked_of

tag, names, most, cases = json.load(sys.stdin)
chain, found = ROBOTS[tag](), []
for name in names:
    variant, asked = variant_of(METHODS[name], sequential=True), np.array(asked_of(METHODS[name], most))
    run, at = sequential.kernel_module(chain, variant).run, places(chain.dof, variant)
    for target, start, limits in cases:
        joints = np.array(limits or [[-np.inf, np.inf, 0.0]] * chain.dof)
        trace = np.zeros((most + 1, chain.dof + 8))
        given = np.array(target), np.array(start), joints, bool(limits), asked, trace, run, at
        code, steps = loop()[1](*given)
        found.append([int(code), trace[: steps + 1].tolist()])
print(json.dumps(found))
"""
DISTINCT = [name for name in METHODS if name not in ("constant", "wampler", "sugihara")]


def asked_of(method: Any, most: int) -> list[float]:
    """The options of `run_once`, computed without a kernel."""
    numbers = kernel_parameters(method)[6:8]
    kind = layout.LEAST_SQUARES if getattr(method, "damping", None) is None else layout.DAMPED
    return [kind, FINE.orientation, FINE.position, most, *weights_of(method), *numbers]


def hard(chain: Chain) -> list[Any]:
    """Targets, starts and limits: near, far, singular, out of reach, and with active limits."""
    rng, n = np.random.default_rng(33), chain.dof
    q, start = (chain.random_configuration(rng) for _ in range(2))
    T = chain.forward_kinematics(q)
    away = T.copy()
    away[:3, 3] *= 3.0
    room = rng.uniform(0.05, 0.6, n)
    limits = np.column_stack([start - room, start + room, np.zeros(n)]).tolist()
    return [
        [T.tolist(), near(chain, rng)[1].tolist(), None],
        [T.tolist(), start.tolist(), None],
        [T.tolist(), [0.0] * n, None],
        [away.tolist(), start.tolist(), None],
        [T.tolist(), start.tolist(), limits],
        [T.tolist(), (start + room).tolist(), limits],
    ]


@pytest.mark.check
@every_robot
def test_every_iterate_is_that_of_plain_python_bit_for_bit(tag: str) -> None:
    most, (chain, _) = 40, made(tag)
    cases = hard(chain)
    environment = os.environ | {"LESSONS_PLAIN": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    told = json.dumps([tag, DISTINCT, most, cases])
    command = [sys.executable, "-c", IN_PYTHON]
    done = subprocess.run(command, input=told, capture_output=True, text=True, env=environment, check=True)
    stop = {**stop_data(FINE), "steps": most}
    given = [[*case[:2], told_of(METHODS[name]), stop, case[2]] for name in DISTINCT for case in cases]
    body = "return solver.solve(...given.slice(0, 4), given[4] ?? undefined);"
    seen = set()
    for (code, rows), run in zip(json.loads(done.stdout), answers(tag, body, given), strict=True):
        assert run["status"] == STATUSES[code]
        assert [[*it["q"], *it["twist"]] for it in run["iterates"]] == [row[: chain.dof + 6] for row in rows]
        seen.add(run["status"])
    assert seen >= {"converged", "out of steps", "stalled"}
