import numpy as np


def by_ends(h, theta, half, radius, slope=1.0):
    """Both ends, the lower of them, as the definition says."""
    ends = sorted((h + side * half * np.sin(theta), side * half * np.cos(theta)) for side in (-1, 1))
    return [ends[0][0] - radius, 1, slope * ends[0][1]]


def by_sign(h, theta, half, radius):
    side = -1 if theta > 0 else 1
    return [h + side * half * np.sin(theta) - radius, 1, side * half * np.cos(theta)]


RIGHT = {
    "both ends": {"clearance": by_ends},
    "turns by a choice": {"safe_turn": lambda distance, half: distance / half if distance > 0 else 0},
}
SLIPS = {"the sign of θ": {"clearance": by_sign}}
WRONG = {
    "slopes by coarse differences": {"clearance": lambda *given: by_ends(*given, slope=1.01)},
    "only one revolution": {"clearance": lambda h, a, *rod: by_ends(h, a, *rod) if a > -np.pi else by_sign(h, a, *rod)},
    "at most half a revolution": {"safe_turn": lambda distance, half: min(max(distance, 0.0) / half, np.pi)},
    "less than a revolution": {"safe_turn": lambda distance, half: max(distance, 0.0) / half % (2 * np.pi)},
}
