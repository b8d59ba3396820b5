"""The prover: statements about derived expressions, their conditions, their proofs and their print."""

from lessons_lib.claims.proof import is_zero
from lessons_lib.claims.statement import Claim, claim

__all__ = ["Claim", "claim", "is_zero"]
