"""Where each solve begins, and what to do about a failure, as codes that may cross into compiled code."""

from __future__ import annotations

PREVIOUS, AHEAD, FIRST, BETWEEN = 0, 1, 2, 3  # traced one by one, BETWEEN is PREVIOUS
STOP, SKIP, GO_ON = 0, 1, 2
