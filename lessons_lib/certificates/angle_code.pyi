"""Derived names that residual.py uses: sine and cosine, from symbolic/sine_cosine.py."""

ANGLES: float  # bound on the error of both
LARGEST_ANGLE: float  # up to which the bound holds, rad

def sine_cosine_bounded(angle: float) -> tuple[float, float]: ...
