"""Certificates of solutions: `ball` applies the theorem of `kantorovich` to the bounds of `residual`."""

from lessons_lib.pose_ik.certificates.ball import certificate
from lessons_lib.pose_ik.certificates.statement import Certificate

__all__ = ["Certificate", "certificate"]
