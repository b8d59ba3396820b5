"""Certificates of solutions: `ball` applies the theorem of `kantorovich` to the bounds of `residual`."""

from typing import TYPE_CHECKING

from lessons_lib.lazy import defer_imports

if TYPE_CHECKING:  # `defer_imports` imports each of these at its first use
    from lessons_lib.certificates.ball import Certificate, certificate

__all__ = ["Certificate", "certificate"]

__getattr__, __dir__ = defer_imports(__name__, __file__)
