"""Words by which a sentence says more than an equality does: best, only, tends.

A sentence that compares needs an inequality in its statement. One that excludes needs an inequality or a second
statement, the converse. One that goes to a limit needs an inequality or a limit. Without them the sentence is refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lessons_lib.errors import ClaimError

_TERMS = re.compile(r"least[- ]squares", re.IGNORECASE)  # a name, and no comparison


@dataclass(frozen=True)
class Kind:
    """Words of one kind: what a statement needs for them, and how it is known to have it."""

    words: str
    needs: str
    signs: tuple[str, ...]
    several: bool = False

    def met(self, chains: Sequence[Sequence[Any]]) -> bool:
        """Return whether statements, each of sides and relations in turn, have what the words need."""
        parts = [part if isinstance(part, str) else part.latex for chain in chains for part in chain]
        return (self.several and len(chains) > 1) or any(s in part for part in parts for s in self.signs)


KINDS = (
    Kind(
        r"best|worst|least|most|(?:larg|small|great|fast|slow|quick|short|long|near|cheap|high|low|steep)est"
        r"|never|always|optimal|minim(?:um|al)|maxim(?:um|al)|more|less|better|worse"
        r"|(?:larg|small|great|fast|slow|quick|short|long|near|cheap|high|low|steep)er|exceeds?",
        "an inequality, '<' or '<='",
        ("<",),
    ),
    Kind(
        r"only|nowhere|no other|nothing else|none but|exactly|unique(?:ly)?|undo(?:es)?|must|necessary|sufficient",
        "an inequality, or the converse as a second statement",
        ("<",),
        several=True,
    ),
    Kind(r"tends?|approach(?:es)?|converges?|eventually|dies away", "a limit, or an inequality", ("<", r"\lim")),
)


def check_words(label: str, sentence: str, chains: Sequence[Sequence[Any]]) -> None:
    """See that a claim's sentence says no more than its statement.

    Args:
        label: Number of the claim.
        sentence: The claim in words.
        chains: Its statements: terms and relations in turn.

    Raises:
        ClaimError: A word of the sentence needs more than the equalities that are stated.
    """
    for kind in KINDS:
        found = re.search(rf"\b(?:{kind.words})\b", _TERMS.sub("", sentence), re.IGNORECASE)
        if found and not kind.met(chains):
            raise ClaimError(
                f"claim {label}: {found[0]!r} in {sentence!r} says more than its equalities; valid is {kind.needs}, "
                "or a sentence without that word"
            )
