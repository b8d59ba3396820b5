"""Derivations in SymPy: the numerical code of this library is generated from them."""

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
