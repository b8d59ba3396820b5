import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

from lessons_lib.course import joints_on_line

DRAG = ("speed 2", (0, 40))

STATES = [
    (
        {f"v{i}": speed for i, speed in enumerate((1.87, 0.84, 0.25, 0.96, 1.87), 1)},
        "All limits are satisfied at 25 samples per segment. The motion takes 2.83 s.",
    ),
    ({"v4": 2.3}, "it would accelerate at"),
    ({f"v{i}": speed for i, speed in enumerate((1.88, 0.84, 0.25, 0.96, 1.87), 1)}, "it would turn at 2.002 rad/s"),
    ({"d": 0.12, "v1": 1.85, "v2": 0.4, "v3": 0.1, "v4": 0.4, "v5": 0.5}, "it would turn at 2.0005 rad/s"),
    ({"d": 0.05, "s": 0}, ""),
]


def check(figure: Figure) -> None:
    python, shown = told_to(figure, in_python("TimingFigure")), figure.table()
    _, first, second = joints_on_line([python.s], python.d)
    whole = (python.s - python.points[0]) / (python.points[1] - python.points[0])
    piece = min(int(whole), len(python.points) - 2)
    begin, end = python.speeds[piece : piece + 2] ** 2
    x, push = begin + (whole - piece) * (end - begin), (end - begin) / (2 * (python.points[1] - python.points[0]))
    for joint, largest in enumerate(python.largest):
        here = first[0, joint] * np.sqrt(x), first[0, joint] * push + second[0, joint] * x
        assert np.abs(np.array(shown[f"joint {joint + 1}"]) - [*here, *largest]).max() <= SHOWN
    used = python.largest / [2, 6]
    assert f"The motion takes {python.duration:.2f} s." in figure.says
    if used.max() <= 1:
        assert figure.says.startswith("All limits are satisfied at 25 samples per segment.")
    else:
        joint, kind = np.unravel_index(used.argmax(), used.shape)
        what = ("turn at", "accelerate at")[kind]
        assert figure.says.startswith(f"Joint {joint + 1} exceeds its limits the most: at s = ")
        assert f"it would {what} {python.largest[joint, kind]:.3f}" in figure.says
