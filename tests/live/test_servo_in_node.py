"""The loop of lesson 23 as JavaScript under Node agrees with the same code in Python, and has the stated properties."""

from typing import Any

import numpy as np
from node import in_front

from lessons_lib import robots
from lessons_lib.arrays import Array
from lessons_lib.course.live import ServoFigure
from lessons_lib.course.robot.live import first

PROGRAM = """
import { loadKernels, packMatrix } from "front/kernels";
const kernels = loadKernels(told.source);
return told.cases.map(({ places, begin, tolerance, numbers }) => {
    const q = packMatrix(places.map(() => begin)), zeros = () => packMatrix(places.map(() => [0, 0]));
    const target = packMatrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);
    const room = Float64Array.from(kernels.room_for(tolerance));
    const reached = kernels.answer_places(packMatrix(places), target, q, room, new Float64Array(told.report));
    const [found, asked] = [zeros(), zeros()];
    kernels.follow_answers(q, numbers, found, asked);
    const way = kernels.way_kernel([0.3]).way[0], bound = kernels.bound_kernel([numbers[1]]).gain[0];
    return { reached, way, bound, tables: [q, found, asked].map(({ at }) => [...at]) };
});
"""
TRIED: list[dict[str, Any]] = [
    {},
    {"tolerance": "1 nm", "rate": 200, "delay": 4, "gain": 60},
    {"tolerance": "1 mm", "rate": 100, "bits": 10, "forward": False},
]


def numbers(figure: ServoFigure) -> list[float]:
    step = 2 * np.pi / 2**figure.bits
    return [1 / figure.rate, figure.delay, figure.gain, step, float(figure.forward), 10.0]


def test_the_page_follows_as_python_does() -> None:
    figures = [ServoFigure(**values) for values in TRIED]
    data = figures[0].specification["data"]
    cases = [
        {"places": one.places.tolist(), "begin": first().tolist(), "tolerance": one.tolerance, "numbers": numbers(one)}
        for one in figures
    ]
    told = {"source": figures[0].specification["source"], "report": data["report"], "cases": cases}
    for one, page in zip(figures, in_front(PROGRAM, told), strict=True):
        q, asked = one.run
        expected = [one.answers, q, asked]
        assert page["reached"]
        for table, mine, tolerance in zip(page["tables"], expected, (1e-12, 1e-9, 1e-3), strict=True):
            np.testing.assert_allclose(np.reshape(table, (-1, 2)), mine, atol=tolerance)
        assert abs(page["way"] - (10 * 0.3**3 - 15 * 0.3**4 + 6 * 0.3**5)) < 1e-12
        assert abs(page["bound"] - 2 * np.sin(np.pi / (4 * one.delay + 2))) < 1e-12


def test_the_solutions_reach_their_positions_within_the_tolerance() -> None:
    figure = ServoFigure(tolerance="10 µm")
    found = robots.planar_2r().forward_kinematics(figure.answers)[:, :2, 3]
    assert np.linalg.norm(found - figure.places, axis=1).max() <= 1e-5


def rest(**values: Any) -> Array:
    """Return the error of the hand in the last tenth of a second, after the motion, m."""
    figure = ServoFigure(tolerance="1 nm", bits=24, **values)
    return figure.off[-round(0.1 * figure.rate) :]


def test_below_the_bound_a_loop_comes_to_rest_and_above_it_swings() -> None:
    for delay in (1, 2, 5):  # at 200 Hz the bounds are gains of 200, 124 and 57
        bound = 2 * np.sin(np.pi / (4 * delay + 2)) * 200
        assert rest(rate=200, delay=delay, gain=round(0.9 * bound)).max() < 1e-3
        assert rest(rate=200, delay=delay, gain=round(1.1 * bound)).max() > 1e-2
    assert rest(delay=3, rate=50, gain=21).max() < rest(delay=3, rate=50, gain=24).max()
