"""The grid of starts computed in the page, under Node, agrees with the study: every result, every number of steps."""

from typing import Any

import numpy as np
import pytest
from node import in_front

from lessons_lib.course.live import BasinFigure
from lessons_lib.course.starts.live import OWN

SIZE, STRIDES = 40, (8, 4, 2, 1)
PROGRAM = """
import { patches, some } from "course/starts/basin_job";
const grid = patches(told), rows = [];
for (let more = some(grid, 5); more.length > 0; more = some(grid, 5)) rows.push(...more);
return rows.map(({ stride, row, led, steps }) => [stride, row, [...led], [...steps]]);
"""


def rows(asked: dict[str, Any]) -> list[tuple[int, int, list[int], list[int]]]:
    return in_front(PROGRAM, asked)


@pytest.mark.parametrize("words", [OWN, "Newton-Raphson"])
def test_every_start_is_computed_once_with_the_studys_result(words: str) -> None:
    figure = BasinFigure(method=words)
    told, expected = figure.specification, figure.basins(SIZE)
    (method,) = (one for one in told["data"]["methods"] if one["words"] == words)
    parameter = figure.damping if method["parameter"] is None else method["parameter"]
    target = np.eye(4)
    target[0, 3] = figure.distance
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
