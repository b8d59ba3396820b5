"""The result of a certificate."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Certificate:
    """A ball around q that contains exactly one exact solution; false if none is proven.

    Distances are √Σ qᵢ², with prismatic joints in units of `arm.length`. With more than six joints the ball lies in the
    row space of the Jacobian, perpendicular to the motions that keep the tip in place.

    Attributes:
        holds: Whether exactly one exact solution is proven to lie within `radius` of q.
        radius: Radius of the ball, rad and arm lengths; inf if nothing is proven.
        alone: Radius of the ball that contains no other solution; 0 if nothing is proven.
        h: Kantorovich's number, at most ½ if the ball is proven; inf if it cannot be computed.
        smallest_singular_value: A lower bound of that of the residual's derivative, or its approximation in a refusal.
        reason: Why nothing is proven; "" if the ball is.
    """

    holds: bool
    radius: float
    alone: float
    h: float
    smallest_singular_value: float
    reason: str

    def __bool__(self) -> bool:
        """Return whether the ball holds."""
        return self.holds
