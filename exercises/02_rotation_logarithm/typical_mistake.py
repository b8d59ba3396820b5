"""A typical mistake, to be put in place of the solution."""


def rotation_log(R):
    """Take the angle from atan2, but still divide by sin θ everywhere."""
    w = skew_part(R)  # noqa: F821 (the exercise's own cell)
    sine, cosine = np.linalg.norm(w), (np.trace(R) - 1) / 2  # noqa: F821
    theta = np.arctan2(sine, cosine)  # noqa: F821
    if sine == 0:
        return np.zeros(3)  # noqa: F821
    return theta / sine * w
