"""Errors of the drawing functions."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import plots, robots
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError

ARM, UR10 = robots.planar_2r(), robots.ur10()
ROWS = np.array([[0.1, 0.5], [0.4, 1.0], [1.0, 1.2]])
TARGETS = [ARM.forward_kinematics(q) for q in ROWS]


def flat():
    return Figure().add_subplot()


def path(waypoints, rows):
    return plots.draw_path(Figure(), ARM, waypoints, rows)


PARAMETERS = [
    (lambda: plots.draw_arm(flat(), "ur10", [0.0] * 6), "chain must be a chain, got a str; make one with"),
    *((lambda a=a: plots.draw_arm(a, ARM, [0, 0]), "ax must be axes of matplotlib") for a in (None, Figure())),
    (lambda: plots.draw_frame(flat(), np.eye(4), "big"), "length must be a number, in m, got 'big'"),
    *(
        (lambda t=t: plots.draw_convergence(flat(), t), "traces must map names to the traces of pose_ik.solve")
        for t in ([1.0], {"a": [1.0]})
    ),
    (lambda: plots.draw_rates(flat(), [1, 2], xlabel="", ylabel=""), "curves must map names to pairs"),
    (lambda: plots.draw_path(flat(), ARM, TARGETS, ROWS), "got <Axes: >; the figure of axes is ax.figure"),
    *((lambda e=e: plots.contraction(e), "errors must ") for e in ("a", 0.1, [[0.1, 0.2]])),
    (lambda: plots.look_closer(flat(), 2.0), "ax must be 3D axes, got 'rectilinear'"),
    (lambda: plots.draw_overlay(flat(), UR10, ARM, [0.0]), "as many joints, got 6 of UR10 and 2 of planar 2R"),
    (lambda: plots.draw_columns(flat(), UR10, np.zeros(6)), "UR10 moves out of the x-y plane"),
    *((lambda s=s: plots.draw_columns(flat(), ARM, ROWS[0], scale=s), "scale must be positive") for s in (0.0, np.nan)),
    (
        lambda: plots.draw_difference_errors(flat(), [1, 2, 3], {"forward": [1, 2]}),
        r"errors of 'forward' must have the shape of the steps, \(3,\), got \(2,\)",
    ),
    *(
        (lambda p=p: plots.feasible_polygon(*p, 4.0), r"shapes \(m, 2\) and \(m,\), without NaN, got")
        for p in (([[1.0, 0.0]], [1.0, 2.0]), ([1.0, 0.0], [1.0]), ([[np.nan, 0.0]], [1.0]))
    ),
    *(
        (
            lambda c=c: plots.draw_rates(flat(), {"UR10": c}, xlabel="", ylabel=""),
            "UR10 must have as many abscissas as ordinates, all positive, got 2",
        )
        for c in (([1, 2], [1.0]), ([0, 1], [1.0, 1.0]), ([1, 2], [1.0, -1.0]))
    ),
]
CASES = [
    (lambda: plots.draw_leg, AttributeError, "no attribute 'draw_leg'; it has .*draw_arm"),
    (lambda: plots.draw_arm(flat(), UR10, [0.0]), ConfigurationError, r"q of UR10 must have shape \(6,\), got \(1,\)"),
    (lambda: plots.draw_overlay(flat(), ARM, ARM, [0.0]), ConfigurationError, r"q of planar 2R must have shape \(2,\)"),
    (lambda: plots.draw_columns(flat(), ARM, [0.0]), ConfigurationError, r"must have shape \(2,\)"),
    (lambda: path(TARGETS, ROWS[0]), ConfigurationError, r"must be numbers of shape \(m, 2\), m ≥ 1, got \(2,\)"),
    (lambda: path(TARGETS, np.empty((0, 2))), ConfigurationError, r"got \(0, 2\)"),
    (lambda: path(TARGETS, [[0, 0], [0, np.nan]]), ConfigurationError, "q of planar 2R must be finite"),
    (lambda: plots.draw_frame(flat(), [0, 0, 0], 0.1), TransformError, r"T must have shape \(4, 4\), got \(3,\)"),
    (lambda: path(np.eye(4), ROWS), TransformError, r"waypoints must have shape \(k, 4, 4\), got \(4, 4\)"),
    (lambda: path([np.eye(4), 2 * np.eye(4)], ROWS), TransformError, "waypoint 2: the last row must be"),
]
REFUSED = [(call, ParameterError, words) for call, words in PARAMETERS]


@pytest.mark.parametrize(("call", "error", "words"), [*REFUSED, *CASES])
def test_invalid_arguments_are_refused(call, error, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        call()
    assert not list(tmp_path.iterdir())
