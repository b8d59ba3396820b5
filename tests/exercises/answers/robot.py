"""Find the largest gain of a loop with a delay."""

import math

import both_ways
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


def by_cosines(delay, h):
    return 2 * math.cos(math.pi * delay / (2 * delay + 1)) / h


def gain(change):
    return {"border_gain": lambda delay, h: change(delay, h)}


def ratios(q, h, most, before=2, after=2):
    whole = np.concatenate([q[:1]] * before + [q] + [q[-1:]] * after)
    return np.diff(whole, n=2, axis=0) / h**2 / most


def in_a_loop(q, h, most):
    found = []
    for j in range(len(most)):
        speeds = [0.0, *((b - a) / h for a, b in zip(q[:-1, j], q[1:, j], strict=True)), 0.0]
        found.append(max(abs(b - a) / h for a, b in zip(speeds[:-1], speeds[1:], strict=True)) / most[j])
    return found


def hard(change):
    return {"hardest": change}


RIGHT = {
    "trying": gain(by_trying),
    "cosines": gain(by_cosines),
    "in a loop": hard(in_a_loop),
}
WRONG = {
    "in proportion": gain(lambda delay, h: 2 / (1 + delay) / h),
}
SLIPS = {
    "this is the gain times the cycle": gain(lambda delay, h: by_cosines(delay, h) * h),
    "it is multiplied by the cycle": gain(lambda delay, h: by_cosines(delay, 1) * h),
    "this is the border without any delay": gain(lambda delay, h: 2 / h),
    "this is the border for one cycle of delay": gain(lambda delay, h: 1 / h),
    "one cycle too many": gain(lambda delay, h: by_cosines(delay + 1, h)),
    "one cycle too few": gain(lambda delay, h: by_cosines(max(delay - 1, 0), h)),
    "the sine is of half the angle": gain(lambda delay, h: 2 * math.sin(math.pi / (2 * delay + 1)) / h),
    "your answer is half the right one": gain(lambda delay, h: by_cosines(delay, h) / 2),
    "sines take radians": gain(lambda delay, h: 2 * math.sin(90 / (2 * delay + 1)) / h),
    "your function returned None": gain(lambda delay, h: None),
    "the arm rests before the first command and after the last one": hard(
        lambda q, h, most: np.abs(ratios(q, h, most, 0, 0)).max(axis=0)
    ),
    "[begin]": hard(lambda q, h, most: np.abs(ratios(q, h, most, 0, 2)).max(axis=0)),
    "the arm rests after the last command": hard(lambda q, h, most: np.abs(ratios(q, h, most, 2, 0)).max(axis=0)),
    "a joint may be accelerated backward": hard(lambda q, h, most: ratios(q, h, most).max(axis=0)),
    "it is divided by the cycle once": hard(lambda q, h, most: np.abs(ratios(q, h, most)).max(axis=0) * h),
    "what a joint may do is left out": hard(lambda q, h, most: np.abs(ratios(q, h, 1.0)).max(axis=0)),
    "a gradient over two cycles smooths": hard(
        lambda q, h, most: np.abs(np.gradient(np.gradient(q, h, axis=0), h, axis=0)).max(axis=0) / most
    ),
    "the largest counts": hard(lambda q, h, most: np.abs(ratios(q, h, most)).mean(axis=0)),
}
UNNAMED = {
    "a little large": gain(lambda delay, h: 1.02 * by_cosines(delay, h)),
    "a little hard": hard(lambda q, h, most: 1.01 * np.abs(ratios(q, h, most)).max(axis=0)),
}
RIGHT |= {
    "stated 1": {"gain_for": lambda c, h: 1 / h - c / h},
    "stated 2": {"gain_for": lambda c, h: (1 - c**2) / (h * (1 + c))},
}
SLIPS |= {
    "it should be left": {"gain_for": lambda c, h: c / h},
    "in continuous time": {"gain_for": lambda c, h: -sp.log(c) / h},
    "the error grows": {"gain_for": lambda c, h: (c - 1) / h},
    "the unit is 1/s": {"gain_for": lambda c, h: (1 - c) * h},
    "h is missing": {"gain_for": lambda c, h: 1 - c},
}
UNNAMED["another formula"] = {"gain_for": lambda c, h: (1 - c**2) / h}

RIGHT |= both_ways.RIGHT
SLIPS |= both_ways.SLIPS
UNNAMED |= both_ways.UNNAMED
