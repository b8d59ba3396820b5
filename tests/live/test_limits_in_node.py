"""The program of a step as JavaScript under Node agrees with the library's rows and DAQP's solutions."""

import numpy as np
import pytest
from node import in_front

from lessons_lib.course.limits.live import LIMITS, LimitFigure

CASES = 1000
TOLERANCE = 1e-12  # of the rows, relative
SOLVED = 1e-6  # rad/s: DAQP's tolerances, over the least curvature


PROGRAM = """
import { loadKernels } from "front/kernels";
import { solve } from "course/limits/active_set";
const kernels = loadKernels(told.source);
return told.cases.map(({ inputs, rows }) => {
  const { H, c, G, h } = kernels.step_kernel(...inputs);
  const program = { H, c, G: rows.map((i) => G[i]), h: rows.map((i) => h[i]) };
  return { ...program, answer: solve(kernels, program) };
});
"""


@pytest.fixture(scope="module")
def figure() -> LimitFigure:
    return LimitFigure()


def set_at_random(figure: LimitFigure, rng: np.random.Generator) -> None:
    for control in figure.controls[1:]:
        setattr(figure, control.name, rng.uniform(control.low, control.high))
    figure.limits = LIMITS[int(rng.integers(2))]
    if rng.random() < 0.7:  # near the tip, where the wall matters
        tip = np.sin(figure.q[0]) + np.sin(figure.q.sum())
        figure.wall = float(np.clip(tip + rng.uniform(-0.3, 0.5), -2.2, 2.2))


def test_rows_and_solutions_are_pythons(figure: LimitFigure) -> None:
    rng, cases, expected = np.random.default_rng(61), [], []
    for _ in range(CASES):
        set_at_random(figure, rng)
        program = figure.program
        given = [figure.wall, figure.gain, program.dt, figure.acceleration]
        inputs = [figure.q.tolist(), program.velocity.tolist(), [figure.last1, figure.last2], given]
        rows = [i for i, name in enumerate(figure.specification["data"]["names"]) if name in program.names]
        cases.append({"inputs": inputs, "rows": rows})
        expected.append((program, figure.best))
    found = in_front(PROGRAM, {"source": figure.specification["source"], "cases": cases})
    empty, held = 0, set()
    for one, (program, best) in zip(found, expected, strict=True):
        (H, c), (G, h) = program.objective, program.rows
        for name, wanted in {"H": H, "c": c, "G": G, "h": h}.items():
            np.testing.assert_allclose(one[name], wanted, rtol=1e-10, atol=100 * TOLERANCE)  # P has a damping of 1e-12
        answer = one.get("answer")
        if best is None or answer is None:
            assert best is None and answer is None
            empty += 1
            continue
        x, mu = np.array(answer["x"]), np.zeros(len(h))
        mu[answer["active"]] = answer["mu"]
        assert np.abs(x - best[0]).max() <= SOLVED
        assert np.abs(H @ x + c + G.T @ mu).max() <= 1e-9 * max(1.0, np.abs(mu).max())
        held |= {program.names[i].split(" of ")[0] for i in answer["active"]}
    assert empty > 10
    assert held == {"range", "speed", "acceleration", "wall"}


def test_the_answer_names_the_active_rows_and_infeasible_steps() -> None:
    figure = LimitFigure()
    tip = float(np.sin(figure.q[0]) + np.sin(figure.q.sum()))
    for wall in (figure.wall, tip, tip - 0.2):
        figure.wall = wall
        assert figure.best is not None
        assert figure.program.active(figure.best[1]) == ["speed of joint 2 up", "wall"]
    rises = [figure.program.jacobian @ rates for rates in (figure.program.clipped, figure.program.free)]
    assert rises[0][1] > 1.0 and abs(rises[1][1]) < 1e-12
    figure.gain = 20.0
    figure.wall = tip - 0.25
    assert figure.best is not None
    figure.wall = tip - 0.26
    assert figure.best is None
