import numpy as np
import sympy as sp


def by_trying(delay, h):
    """Halve an interval of gains: of each one it is tried whether an error of 1 is smaller after many cycles."""

    def fades(g):
        e = [1.0] * (delay + 1)
        for _ in range(3000 * (delay + 1)):
            e.append(e[-1] - g * e[-1 - delay])
            if abs(e[-1]) > 1e6:
                return False
        return max(map(abs, e[-10 * (delay + 1) :])) < 1

    low, high = 0.0, 3.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if fades(middle) else (low, middle)
    return low / h


def in_a_loop(q, h, most):
    found = []
    for j in range(len(most)):
        speeds = [0.0, *((b - a) / h for a, b in zip(q[:-1, j], q[1:, j], strict=True)), 0.0]
        found.append(max(abs(b - a) / h for a, b in zip(speeds[:-1], speeds[1:], strict=True)) / most[j])
    return found


RIGHT = {"trying": {"border_gain": by_trying}, "in a loop": {"acceleration_ratios": in_a_loop}}
WRONG = {
    "in proportion": {"border_gain": lambda delay, h: 2 / (1 + delay) / h},
    "speeds wrapped at half a revolution": {
        "acceleration_ratios": lambda q, h, most: in_a_loop(np.unwrap(q, axis=0), h, most)
    },
    "changes of the absolute speed": {
        "acceleration_ratios": lambda q, h, most: in_a_loop(
            np.cumsum(np.abs(np.diff(q, axis=0, prepend=q[:1])), axis=0), h, most
        )
    },
}
SLIPS = {
    "which should be left": {"gain_for": lambda c, h: c / h},
    "in continuous time": {"gain_for": lambda c, h: -sp.log(c) / h},
}
