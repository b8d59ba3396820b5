import numpy as np
from lesson_questions import Truth, find_printed

from lessons_lib import robots


def predict_rates() -> Truth:
    tree = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
    return [tree.nv, tree.nq, tree.nv - 6]


def predict_patch() -> Truth:
    theta = np.linspace(0.01, 3, 100)
    turned = 2 * np.arctan(theta / 2)
    return [np.allclose(turned, theta), bool(np.all(turned > theta)), bool(np.all(turned < theta))]


def predict_trunk() -> Truth:
    (heights,) = find_printed("floating_base", r"feet after +\[mm\]: \[(.*)\]")
    sunk = np.allclose(np.array(heights.split(), dtype=float), -100)
    return [not sunk, sunk, not sunk]


def predict_feet() -> Truth:
    ((unknown, rank),) = find_printed("floating_base", r"trunk at 0\.3 m: A is \(12, (\d+)\) and has rank (\d+)")
    return [int(unknown) - int(rank), int(unknown) - 4, int(unknown) - 4 * 6]


def predict_pull() -> Truth:
    feet = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.5]])
    centre = np.array([-0.1, 0.5])  # beyond the edge from foot 1 to foot 2
    share = np.linalg.solve(np.vstack([feet, np.ones(3)]), [*centre, 1])[2]
    return [bool(share > 0), bool(share == 0), bool(share < 0)]
