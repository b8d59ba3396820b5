"""A ball around each answer: what is proven of a configuration that a solve returns.

`certificate` (`ball`) asks `kantorovich` (the theorem), which asks `residual` (how far off, and the derivative), which
computes with a radius for all rounding. `arm_numbers` bounds the second derivative.
"""

from lessons_lib.certificates.ball import certificate
from lessons_lib.certificates.statement import Certificate

__all__ = ["Certificate", "certificate"]
