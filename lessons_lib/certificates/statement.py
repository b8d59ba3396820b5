"""What is proven of a configuration."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Certificate:
    """What is proven of a configuration; true where the ball holds, false where none is shown.

    The ball is one of the length √Σ qᵢ², a joint that slides counted in lengths of the arm (`arm.length`, m). With more
    than six joints it lies in the slice across those motions that leave the tip where it is.

    Attributes:
        holds: Whether exactly one exact solution lies within `radius` of q.
        radius: In which the solution is, rad and lengths of the arm; inf where none is shown.
        alone: In which no other solution is, in the same unit; 0 where nothing is shown.
        h: Kantorovich's number, at most ½ where the ball holds; inf where it cannot be formed.
        smallest_singular_value: Of the derivative of the residual; where it could be inverted, no less than this.
        reason: Why no ball is shown; "" where it is.
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
