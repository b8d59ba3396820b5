"""Which changes of a solution may earn which cause: all that stands nowhere here is false."""

from __future__ import annotations

import re

EARNED: dict[str, dict[str, str]] = {}


def may_earn(exercise: str, code: str, change: str) -> bool:
    """Return whether a change may be told this cause."""
    expected = EARNED.get(exercise, {}).get(code)
    return expected is not None and re.search(expected, change) is not None
