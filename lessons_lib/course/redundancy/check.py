from functools import lru_cache

import numpy as np
from figure_page import SHOWN, Figure, check_facts, in_python, told_to

from lessons_lib import course, robots
from lessons_lib.differential_ik import (
    Configuration,
    ManipulabilityTask,
    middle_cost,
    middle_gradient,
    prioritized_rates,
)

DRAG = ("elbow", (-10, 110))

STATES = [
    ({"swing": 130}, "joint 2 (−105°) would be past a limit"),
    (
        {"swing": 28.354},
        "At ψ = 28.354°, descent on H decreases ψ, and w is near a local maximum or minimum.",
    ),
]


@lru_cache
def in_python_tree() -> robots.Tree:
    return robots.load_urdf(robots.urdf_file("panda"))


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("SwingFigure"))
    check_facts(figure, python)
    chain, q, shown = python.chain, python.q, figure.table()
    J, tree = chain.body_jacobian(q), in_python_tree()
    uphill = ManipulabilityTask("panda_link8", tree).compute_jacobian(Configuration(tree, q))[0]
    objectives = {
        "descent on H": (middle_cost(q, chain.limits), -3.0 * middle_gradient(q, chain.limits)),
        "ascent on w": (robots.manipulability(J), 100.0 * uphill),
    }
    for name, (value, secondary) in objectives.items():
        step = 1e-6 * prioritized_rates([(J, np.zeros(6))], secondary)
        turn = np.degrees(robots.arm_angle(chain, q + step) - robots.arm_angle(chain, q - step)) / 2e-6
        assert abs(shown[name][0] - value) <= 0.1 * SHOWN
        assert abs(shown[name][1] - turn) <= 10 * SHOWN + 1e-4 * abs(turn)
    angles = [bar.inner_text().replace("−", "-").rstrip("°") for bar in figure.host.locator(".live-bar-number").all()]
    assert np.abs(np.array(angles, dtype=float) - np.degrees(q)).max() <= 0.51
    beyond = np.abs(course.relative_places(chain, q)).max() > 1.0
    assert figure.says.startswith("The tip stays")
    assert ("past a limit" in figure.says) == beyond
