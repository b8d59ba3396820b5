"""The derivations, in SymPy: everything numeric in this library is generated from here."""

from lessons_lib.symbolic import claims, open_chain, redundancy, se3, singularities, so3, tip_to_base
from lessons_lib.symbolic.claims import Claim, claim
from lessons_lib.symbolic.proof import is_zero
from lessons_lib.symbolic.stumpff_functions import closed_form, series, stumpff

__all__ = [
    "Claim",
    "claim",
    "claims",
    "closed_form",
    "is_zero",
    "open_chain",
    "redundancy",
    "se3",
    "series",
    "singularities",
    "so3",
    "stumpff",
    "tip_to_base",
]
