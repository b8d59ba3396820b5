import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

from lessons_lib import course

DRAG = ("serial share", (80, 0))

STATES = [
    ({"refill": False}, ""),
    ({"lanes": 2, "cores": 1, "most": 1}, "Lanes are idle for less than 1 % of the parallel part."),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("LanesFigure")), figure.table()
    cores = round(python.cores)
    for name, count in {"1 core": 1, f"{cores} cores": cores}.items():
        if name == "1 cores":
            continue
        law = float(course.speed_up(python.serial, count))
        expected = python.time(count), 100 * python.busy(count), python.time(1) / python.time(count), law
        assert np.abs((np.array(shown[name]) - expected) * [0.1, 0.01, 1, 1]).max() <= SHOWN
    assert len(shown) == min(cores, 2)
    assert figure.host.locator(".live-pose:not(.live-place)").count() == len(python.steps)
    reached, places = figure.host.locator(".live-place.live-blue"), figure.host.locator(".live-place.live-pose")
    assert (reached.count(), places.count()) == (python.reached.sum(), len(python.reached))
    assert f"{python.reached.sum():.0f} of {len(python.reached)} poses are reached" in figure.says
