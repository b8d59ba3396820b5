"""Certificates of solutions: `ball` applies the theorem of `kantorovich` to the bounds of `residual`."""

from lessons_lib.certificates.ball import Certificate, certificate

__all__ = ["Certificate", "certificate"]
