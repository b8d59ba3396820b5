"""The grid of starts as the page computes it, under Node, against the study: every fate, every number of steps."""

import json
import subprocess
from typing import Any

import numpy as np
import pytest
from test_iteration_in_node import FRONT, NODE

from lessons_lib.live import BasinFigure
from lessons_lib.live.basin import ITERATIONS, OWN

SIZE, STRIDES = 40, (8, 4, 2, 1)
PROGRAM = """
import {{ readFileSync }} from "node:fs";
import {{ patches, some }} from {job};
const asked = JSON.parse(readFileSync(0, "utf8"));
const grid = patches(asked);
const rows = [];
for (let more = some(grid, 5); more.length > 0; more = some(grid, 5)) rows.push(...more);
process.stdout.write(JSON.stringify(rows.map(({{ stride, row, led, steps }}) => [stride, row, [...led], [...steps]])));
"""


def rows(asked: dict[str, Any]) -> list[tuple[int, int, list[int], list[int]]]:
    program = PROGRAM.format(job=json.dumps((FRONT / "basin_job.ts").as_uri()))
    command = [str(NODE), "--input-type=module", "--eval", program]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    found: list[tuple[int, int, list[int], list[int]]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("words", [OWN, "Newton-Raphson"])
def test_every_start_is_computed_once_and_leads_where_the_study_says(words: str) -> None:
    figure = BasinFigure(method=words)
    told, expected = figure.specification, figure.basins(SIZE)
    name, parameter = ITERATIONS[words]
    method = {"name": name, "parameter": figure.damping if parameter is None else parameter, "exact": True}
    target = np.eye(4)
    target[0, 3] = figure.distance
    asked = {
        "source": told["source"],
        "target": target.tolist(),
        "method": {**method, "weights": told["data"]["weights"]},
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
