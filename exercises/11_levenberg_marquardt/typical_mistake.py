"""The typical mistake: λ on the diagonal where the objective has λ²."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class BoundedStep:
    """Damped least squares with λ = ‖V‖/(2r)."""

    longest: float = 1.0

    def step(self, jacobian, error):
        """Return JᵀV weighed down by λ instead of λ²."""
        damping = np.linalg.norm(error) / (2 * self.longest)
        normal = jacobian @ jacobian.T + damping * np.eye(6)
        return jacobian.T @ np.linalg.solve(normal, error)
