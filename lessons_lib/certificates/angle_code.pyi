"""What residual.py finds in front of it: sine and cosine, derived by symbolic/sine_cosine.py."""

ANGLES: float  # how far both are off
LARGEST_ANGLE: float  # of which they are known so well, rad

def sine_cosine_near(angle: float) -> tuple[float, float]: ...
