"""The typical mistake: one cycle late is right, and a longer delay is taken to cost in proportion."""


def border_gain(delay, h):
    """Return the border of a loop that is one cycle late, shared out over the delay."""
    return min(2, 1 / max(delay, 0.5)) / h
