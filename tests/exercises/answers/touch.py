import numpy as np


def by_ends(h, theta, half, radius):
    """Both ends, the lower of them, as the definition says."""
    ends = sorted((h + side * half * np.sin(theta), side * half * np.cos(theta)) for side in (-1, 1))
    return [ends[0][0] - radius, 1, ends[0][1]]


def with_change(change):
    return {"clearance": lambda *given: change(np.array(by_ends(*given), dtype=float), *given)}


def turns(function):
    return {"safe_turn": function}


RIGHT = {
    "both ends": {"clearance": by_ends},
    "turns by a choice": turns(lambda distance, half: distance / half if distance > 0 else 0),
}
WRONG = {"slopes by coarse differences": with_change(lambda d, *given: d * [1, 1, 1.01])}
