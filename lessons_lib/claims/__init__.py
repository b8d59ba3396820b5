"""The prover: statements about derived expressions, the conditions they need, their proofs and how they are printed."""

from lessons_lib.claims.proof import is_zero
from lessons_lib.claims.statement import Claim, claim

__all__ = ["Claim", "claim", "is_zero"]
