"""Where each solve begins, and what to do about a failure, as codes that may cross into compiled code."""

from __future__ import annotations

PREVIOUS, AHEAD, FIRST = 0, 1, 2
STOP, SKIP, GO_ON = 0, 1, 2
