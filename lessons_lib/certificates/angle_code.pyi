"""Derived names that residual.py uses: sine and cosine, from symbolic/sine_cosine.py."""

SINE_COSINE_ERROR: float  # bound on the error of both
LARGEST_ANGLE: float  # rad, up to which the bound holds

def sine_cosine_bounded(angle: float) -> tuple[float, float]: ...
