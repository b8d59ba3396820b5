"""A progress bar on stderr."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lessons_lib.pose_ik.interruption import TICK

PATIENCE = 2.0
"""Delay of the bar if progress is None, s."""

STILL = 0.5
"""Interval at which the bar's clock is redrawn without progress, s."""


@contextmanager
def progress_bar(
    ended: Callable[[], int], total: int, doing: str, progress: bool | None
) -> Iterator[Callable[[], None]]:
    """Yield a function that updates the bar at most ten times a second; None shows it after PATIENCE, on a terminal."""
    bar: Any = None
    begun = drawn = time.monotonic()
    due = begun + TICK

    def move() -> None:
        nonlocal bar, due, drawn
        now = time.monotonic()
        if now < due:
            return
        due = now + TICK
        if bar is None:
            bar = _bar(total, doing, progress, now - begun)
        before = bar.n
        bar.update(max(0, ended() - before))
        if bar.n > before:
            drawn = now
        elif now - drawn > STILL and not bar.disable and time.time() > bar.start_t + bar.delay:
            bar.refresh()
            drawn = now

    try:
        yield (lambda: None) if progress is False else move
    finally:
        if progress or bar is not None:
            due = 0.0
            move()
            bar.close()


def _bar(total: int, doing: str, progress: bool | None, late: float) -> Any:
    """Return a bar that started `late` seconds ago."""
    from tqdm import tqdm

    hidden: Any = None if progress is None else False  # None: hidden unless stderr is a terminal
    delay = max(0.0, PATIENCE - late) if progress is None else 0.0
    return tqdm(total=total, desc=doing, unit="pose", delay=delay, disable=hidden, miniters=1)
