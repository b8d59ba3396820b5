"""Find the words of the glossary in prose: longest word first, with plurals, without lookalikes."""

import re
from collections.abc import Iterable, Iterator

PLAIN_ENGLISH = {
    "home": "an ordinary word as well; authors link it where they mean the pose M",
}
"""Words of the glossary that are not searched for, with the reason."""

NOT_AFTER = {
    "Jacobian": ("left", "right"),  # derivatives of the exponential, not of an arm
}
"""Neighbouring words that change a word's meaning."""

SPACE = r"[\s\N{NO-BREAK SPACE}]+"


def plural(word: str) -> str:
    """Return a pattern for a word and its plural."""
    if word.endswith("y") and word[-2] not in "aeiou":
        return f"{re.escape(word[:-1])}(?:y|ies)"
    if word.endswith("is"):
        return f"{re.escape(word[:-2])}[ie]s"
    return f"{re.escape(word)}s?"


def pattern(term: str) -> str:
    """Return a pattern for one term: plural, capital at the start of a sentence, optional "method"."""
    *words, last = term.split()
    if last == "method" and words:
        return f"{pattern(' '.join(words))}(?:{SPACE}methods?)?"
    joined = SPACE.join([*map(re.escape, words), plural(last)])
    first = joined[0]
    body = f"[{first}{first.upper()}]{joined[1:]}" if first.islower() else joined
    before = "".join(rf"(?<!\b{word}\s)" for word in NOT_AFTER.get(term, ()))
    return before + body


class Words:
    """Search patterns for the words of a glossary."""

    def __init__(self, terms: Iterable[str]) -> None:
        """Compile the patterns."""
        self.terms = sorted(set(terms) - PLAIN_ENGLISH.keys(), key=lambda term: (-len(term), term))
        choices = "|".join(f"({pattern(term)})" for term in self.terms)
        self.search = re.compile(rf"(?<![\w-])(?:{choices})(?![\w-])") if self.terms else re.compile("(?!)")

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield every word of the glossary in a text: the term, start and end."""
        for match in self.search.finditer(text):
            yield self.terms[(match.lastindex or 1) - 1], match.start(), match.end()
