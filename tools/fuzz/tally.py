"""What a fuzz test tried, what broke, and how bad the worst of it was."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Failure:
    """A case that broke; `python -m tools.fuzz NAME --case CASE --seed SEED` runs it alone.

    Attributes:
        case: Its number, which with the seed makes all that is random in it.
        what: What was expected, and what came instead.
    """

    case: int
    what: str


@dataclass
class Tally:
    """The count of one fuzz test.

    Attributes:
        tried: Things that were judged, in the fuzz test's own unit; a case may hold many.
        failures: Those that broke.
        worst: The largest value seen of each thing that was measured, by its name and unit.
    """

    tried: int = 0
    failures: list[Failure] = field(default_factory=list)
    worst: dict[str, float] = field(default_factory=dict)

    def fail(self, case: int, what: str) -> None:
        """Write a failure down."""
        self.failures.append(Failure(case, what))

    def measure(self, name: str, value: float) -> None:
        """Keep the largest value of what goes by this name; NaN counts as infinite."""
        value = float("inf") if np.isnan(value) else float(value)
        self.worst[name] = max(value, self.worst.get(name, 0.0))

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return asdict(self)


def generator(seed: int, case: int) -> np.random.Generator:
    """Return the generator of a case: the same seed and case give the same numbers, whatever ran before."""
    return np.random.default_rng([seed, case])
