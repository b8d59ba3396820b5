"""The derivations, in SymPy: everything numeric in this library is generated from here."""

from typing import Any

from lessons_lib import hooks
from lessons_lib.symbolic import open_chain, redundancy, se3, singularities, so3, tip_to_base
from lessons_lib.symbolic.stumpff_functions import closed_form, series, stumpff

__all__ = [
    "closed_form",
    "open_chain",
    "redundancy",
    "se3",
    "series",
    "singularities",
    "so3",
    "stumpff",
    "tip_to_base",
]


def __getattr__(name: str) -> Any:
    """Return `Claim`, `claim` or `is_zero`, which `lessons_lib.claims` exports, or that package as `claims`."""
    if name in ("Claim", "claim", "claims", "is_zero"):
        (prover,) = hooks.implementations("prover")
        return prover if name == "claims" else getattr(prover, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
