"""A typical mistake, to be put in place of the solution."""


def exp_twist(xi):
    """Rotate by ω, and put the position at v, as if the body did not rotate while it moves."""
    omega, v = xi[:3], xi[3:]
    x, Omega = omega @ omega, hat(omega)  # noqa: F821 (the exercise's own cell)
    T = np.eye(4)  # noqa: F821
    T[:3, :3] = np.eye(3) + c(1, x) * Omega + c(2, x) * Omega @ Omega  # noqa: F821
    T[:3, 3] = v
    return T
