"""Differentiate a distance, and find where it fails."""

import numpy as np


def by_ends(h, theta, half, radius):
    """Both ends, the lower of them, as the definition says."""
    ends = sorted((h + side * half * np.sin(theta), side * half * np.cos(theta)) for side in (-1, 1))
    return [ends[0][0] - radius, 1, ends[0][1]]


def by_size(h, theta, half, radius):
    """The absolute value of the sine, whose slope is its sign times the cosine."""
    s, c = np.sin(theta), np.cos(theta)
    return h - half * abs(s) - radius, 1.0, -half * np.sign(s) * c


def changed(change):
    return {"room": lambda *given: change(np.array(by_ends(*given), dtype=float), *given)}


def one_end(side):
    return {
        "room": lambda h, theta, half, radius: np.array(
            [h + side * half * np.sin(theta) - radius, 1.0, side * half * np.cos(theta)]
        )
    }


def turns(function):
    return {"safe_turn": function}


RIGHT = {
    "both ends": {"room": by_ends},
    "the size of the sine": {"room": by_size},
    "turns by a choice": turns(lambda distance, half: distance / half if distance > 0 else 0),
    "turns in arrays": turns(lambda distance, half: np.array(np.clip(distance, 0, None) / half)),
}
WRONG = {"slopes by coarse differences": changed(lambda d, *given: d * [1, 1, 1.01])}
SLIPS = {
    "this is the end that is farther": changed(
        lambda d, h, theta, half, radius: np.array([2 * (h - radius) - d[0], 1, -d[2]])
    ),
    "this is always the same end, and the nearest one depends": one_end(1),
    "this is always the same end, turned down": one_end(-1),
    "this is the distance of the middle": changed(lambda d, h, theta, half, radius: np.array([h - radius, 1, 0])),
    "the radius of the rod is missing": changed(lambda d, h, theta, half, radius: d + [radius, 0, 0]),
    "the radius counts once": changed(lambda d, h, theta, half, radius: d - [radius, 0, 0]),
    "the slope by θ has the wrong sign": changed(lambda d, *_: d * [1, 1, -1]),
    "the distance comes first": changed(lambda d, *_: d[[0, 2, 1]]),
    "your function returned None": {"room": lambda *_: None},
    "has no safe turn": turns(lambda distance, half: distance / half),
    "its ends are ℓ from the axis": turns(lambda distance, half: max(distance, 0) / (2 * half)),
    "this is a length": turns(lambda distance, half: max(distance, 0)),
    "the turn is the distance over the lever": turns(lambda distance, half: max(distance, 0) * half),
    "this is the way from one end to the other": turns(lambda distance, half: 2 * max(distance, 0) / half),
}
UNNAMED = {
    "a little far": changed(lambda d, *_: d * 1.01),
    "a little careful": turns(lambda distance, half: 0.9 * max(distance, 0) / half),
}
