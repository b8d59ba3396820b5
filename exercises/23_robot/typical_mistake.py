"""The typical mistake: the limit is assumed to be in inverse proportion to the delay."""


def border_gain(delay, h):
    """Return the limit for one cycle of delay, divided by the delay."""
    return min(2, 1 / max(delay, 0.5)) / h
