import re

import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

DRAG = ("target", (-60, 30))


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("RaceFigure"))
    for which, shown in enumerate(figure.rows(), 1):
        result = python.solve(which)
        largest = np.abs(np.diff(result.trace.q, axis=0)).max()
        left = 1e3 * result.trace.position_errors[-1], np.degrees(result.trace.orientation_errors[-1])
        assert np.abs(np.array(shown) - (result.iterations, largest, *left)).max() <= 10 * SHOWN
    if python.arm == "UR10":
        return  # far Newton steps depend on the last bit of a start
    words = figure.host.locator(".live-swarm-key").inner_text()
    counts = re.findall(r"(\d+) of 240 solved(?:, (\d+) to \d+ steps, median (\d+))?", words)
    assert len(counts) == 2
    for which, (solved, *least_and_median) in enumerate(counts, 1):
        ends = python.swarm(which)
        steps = np.sort(ends.iterations[ends.converged])
        assert abs(int(solved) - len(steps)) <= 1
        if len(steps):
            assert np.abs(np.array(least_and_median, dtype=int) - (steps[0], steps[len(steps) // 2])).max() <= 1
