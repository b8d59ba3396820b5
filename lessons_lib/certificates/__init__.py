"""Certificates of solutions: `ball` applies the theorem of `kantorovich` to the bounds of `residual`."""

from lessons_lib.certificates.ball import certificate
from lessons_lib.certificates.statement import Certificate

__all__ = ["Certificate", "certificate"]
