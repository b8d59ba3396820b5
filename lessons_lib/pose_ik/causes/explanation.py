"""Why a pose was not reached, in an order of causes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lessons_lib.arrays import Array


@dataclass(frozen=True, eq=False)
class Cause:
    """One reason why a pose was not reached.

    Attributes:
        name: In a few words, "the point is out of reach" for instance.
        proven: Whether it is proven; otherwise suspected, and the number shows what speaks for it.
        sentence: What is the case, with the number that shows it.
        remedy: What helps.
        q: A configuration that shows it, shape (n,), rad or m, where there is one.
    """

    name: str
    proven: bool
    sentence: str
    remedy: str
    q: Array | None = None

    def __str__(self) -> str:
        """Return it as one line, which can stand behind another's full stop."""
        name = f"{self.name[:1].upper()}{self.name[1:]}"
        return f"{name} ({'proven' if self.proven else 'suspected'}): {self.sentence} {self.remedy}"


@dataclass(frozen=True, eq=False)
class Explanation:
    """The causes of a failure, those first that leave no other way; a sequence of `Cause`.

    Attributes:
        causes: What is established; empty where nothing is, and where the pose was reached.
        reached: Whether the pose was reached.
        not_judged: What could not be looked at, and why, one sentence each.
        start: A start from which the pose is solved, shape (n,), where no cause is established and one is known.
    """

    causes: tuple[Cause, ...]
    reached: bool
    not_judged: tuple[str, ...] = ()
    start: Array | None = None

    def __len__(self) -> int:
        """Return how many causes there are."""
        return len(self.causes)

    def __getitem__(self, i: int) -> Cause:
        """Return one of them."""
        return self.causes[i]

    def __iter__(self) -> Iterator[Cause]:
        """Yield them in order."""
        return iter(self.causes)

    def __str__(self) -> str:
        """Return a line for each cause, and for what was not judged."""
        if self.reached:
            return "The pose is reached."
        known = "" if self.start is None else f" From q0 = {[round(float(x), 4) for x in self.start]} it is solved."
        lines = [str(cause) for cause in self.causes] or [f"No cause is established.{known}"]
        return "\n".join([*lines, *(f"Not judged: {words}." for words in self.not_judged)])

    __repr__ = __str__
