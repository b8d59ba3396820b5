"""The search of a page under Node has the iterates of NumPy's kernels, and its grid of starts the study's results."""

from functools import cache

import numpy as np
import pytest
from node import in_front

from lessons_lib import lie, pose_ik, robots
from lessons_lib.course.live import BasinFigure
from lessons_lib.course.live.method_data import kind_of, stop_data
from lessons_lib.course.live.search import logarithm, source
from lessons_lib.course.starts.live import OWN
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.weights import weights_of
from lessons_lib.studies import METHODS as REGISTRY

CHOICES = {name: choice for name, choice in REGISTRY.items() if choice.in_figures}
CASES = 300
TOLERANCE = 1e-12  # relative
ALONG = 1e-9  # of whole solves, some ten steps, each with a condition of the normal matrix up to 50²
STOP = pose_ik.Stop()
UNEQUAL, POSITION_ONLY = (1.0, 0.5, 2.0, 3.0, 1.0, 0.7), (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
PROGRAM = """
import { loadKernels } from "front/kernels";
import { logarithm } from "front/kernels";
import { Solver } from "front/solver";
const kernels = loadKernels(told.source), solver = new Solver(kernels, told.tag, told.dof);
"""
ROBOTS = {"planar": robots.planar_2r, "three": robots.planar_3r, "ur10": robots.ur10, "panda": robots.panda}
EXACT = [pose_ik.LevenbergMarquardt(policy, derivative="exact") for policy in (pose_ik.Chan(), pose_ik.TrustRegion())]
METHODS = {
    **{name: choice.build() for name, choice in CHOICES.items()},
    **{
        f"{kind_of(method)}, {name}": pose_ik.pose(weights).of(method)
        for method in EXACT
        for name, weights in (("unequal", UNEQUAL), ("position", POSITION_ONLY))
    },
    "split": pose_ik.pose(POSITION_ONLY, axes="space").of(pose_ik.GaussNewton()),
}
"""One of each kind that a figure shows."""
every_robot = pytest.mark.parametrize("tag", ROBOTS)


@cache
def chain_and_source(tag):
    chain = ROBOTS[tag]()
    return chain, source({tag: chain}, METHODS.values(), plain=[logarithm()])


def answers(tag, body, cases):
    """The results of a piece of TypeScript for each case, `given`."""
    chain, text = chain_and_source(tag)
    told = {"source": text, "tag": tag, "dof": chain.dof, "cases": cases}
    return in_front(f"{PROGRAM}return told.cases.map((given) => {{ {body} }});", told)


def twists():
    """Twists of all sizes, many with an angle near 0 and near π, including both."""
    rng = np.random.default_rng(30)
    axes = rng.normal(size=(CASES, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    near = 10.0 ** rng.uniform(-9, 0, CASES)
    angles = np.where(np.arange(CASES) % 3 == 0, near, np.where(np.arange(CASES) % 3 == 1, np.pi - near, 1.0 + near))
    angles[:2] = 0.0, np.pi
    return np.hstack([angles[:, None] * axes, rng.normal(size=(CASES, 3))])


def test_the_logarithm_is_pythons_near_zero_and_near_half_a_turn():
    poses = [lie.exp_se3(twist) for twist in twists()]
    found = np.array(answers("planar", "return logarithm(kernels, given);", [pose.tolist() for pose in poses]))
    expected = np.array([lie.log_se3(pose) for pose in poses])
    assert np.abs(found - expected).max() <= TOLERANCE * np.abs(expected).max()


def near(chain, rng):
    """A target with a well-conditioned Jacobian, and a start near it, so that rounding is not amplified."""
    while True:
        q = chain.random_configuration(rng)
        if np.linalg.cond(chain.body_jacobian(q)) < 50:
            return chain.forward_kinematics(q), np.clip(q + rng.uniform(-0.2, 0.2, chain.dof), *chain.limits.T)


def told_of(method):
    """The page's data of a method."""
    policy = getattr(method, "damping", None)
    name = next((n for n, c in CHOICES.items() if c.damped and type(c.build().damping) is type(policy)), "undamped")
    parameter = CHOICES[name].default if policy is not None else 0.0
    return {"name": name, "kind": kind_of(method), "parameter": parameter, "weights": weights_of(method).tolist()}


def both(tag, method, tasks, stop):
    """The trace in Python, and the run in JavaScript, for each (target, start)."""
    chain = chain_and_source(tag)[0]
    cases = [[target.tolist(), start.tolist(), told_of(method), stop_data(stop)] for target, start in tasks]
    runs = answers(tag, "return solver.solve(...given);", cases)
    traces = []
    for target, start in tasks:
        result = solve_in_python(chain, target, start, method=method, starts=pose_ik.Restarts(0), stop=stop, trace=True)
        assert result.trace is not None
        traces.append(result.trace)
    return list(zip(traces, runs, strict=True))


def compare(trace, run):
    assert len(run["iterates"]) == len(trace.q) == run["steps"] + 1
    np.testing.assert_allclose([it["q"] for it in run["iterates"]], trace.q, atol=ALONG, rtol=0)
    np.testing.assert_allclose([it["twist"] for it in run["iterates"]], trace.error_twists, atol=ALONG, rtol=0)


@pytest.mark.check
@every_robot
@pytest.mark.parametrize("name", METHODS)
def test_solves_have_pythons_iterates(tag, name):
    chain, rng = chain_and_source(tag)[0], np.random.default_rng(32)
    tasks = [near(chain, rng) for _ in range(5)]
    for trace, run in both(tag, METHODS[name], tasks, STOP):
        compare(trace, run)
        arrived = trace.position_errors[-1] <= STOP.position and trace.orientation_errors[-1] <= STOP.orientation
        assert run["status"] == "converged" if arrived else run["status"] in ("out of steps", "converged")


def test_a_step_beyond_all_numbers_ends_the_run_without_an_exception():
    chain = chain_and_source("planar")[0]
    target = chain.forward_kinematics(np.radians([30, 90])).tolist()
    case = [target, [1e308, 1e308], told_of(pose_ik.NewtonRaphson()), stop_data(STOP)]
    (run,) = answers("planar", "return solver.solve(...given);", [case])
    assert run["status"] in ("not finite", "out of steps", "converged", "stalled")
    program = "return solver.solve(given[0], [1 / 0, 0], given[2], given[3]);"
    (run,) = answers("planar", program, [case])
    assert (run["status"], run["iterates"]) == ("not finite", [])


SIZE, STRIDES = 40, (8, 4, 2, 1)
PATCHES = """
import { patches, some } from "course/starts/basin_job";
const grid = patches(told), rows = [];
for (let more = some(grid, 5); more.length > 0; more = some(grid, 5)) rows.push(...more);
return rows.map(({ stride, row, led, steps }) => [stride, row, [...led], [...steps]]);
"""


def rows(asked):
    return in_front(PATCHES, asked)


@pytest.mark.parametrize("words", [OWN, "Newton-Raphson"])
def test_every_start_is_computed_once_with_the_studys_result(words):
    figure = BasinFigure(method=words)
    told, expected = figure.specification, figure.basins(SIZE)
    (method,) = (one for one in told["data"]["methods"] if one["words"] == words)
    parameter = figure.damping if method["parameter"] is None else method["parameter"]
    target = lie.pose(np.eye(3), (figure.distance, 0.0, 0.0))
    asked = {
        "source": told["source"],
        "target": target.tolist(),
        "method": {**method, "parameter": parameter, "weights": told["data"]["weights"]},
        "stop": told["data"]["stop"],
        "solutions": expected.solutions.tolist(),
        "size": SIZE,
        "strides": STRIDES,
    }
    led, steps = np.full((SIZE, SIZE), -1), np.zeros((SIZE, SIZE))
    for stride, row, fates, counts in rows(asked):
        for k, fate in enumerate(fates):
            if fate != 255:  # an earlier pass has it
                assert led[row, k * stride] == -1
                led[row, k * stride], steps[row, k * stride] = fate, counts[k]
    alike = (led == expected.led_to) & (steps == expected.iterations)
    assert (led >= 0).all()
    assert np.count_nonzero(~alike) <= 2  # where Newton's step is long, rounding decides
