"""The derivations, in SymPy: everything numeric in this library is generated from here."""

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
