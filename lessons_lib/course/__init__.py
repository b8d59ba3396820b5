"""Course-only code: one folder per lesson, and modules that several lessons share.

A lesson's folder holds `figures.py` (static figures), `live.py` and `view.ts` (its live figure), `check.py` (the values
that the figure must show), `lesson.yml` (goals and needs) and further modules of this lesson. This package exports the
names in each module's `__all__`; `live` exports the live figures. Names of a module without `__all__` are used as
`tasks.two_hands.NAME`. All modules load on first use.
"""

from pathlib import Path

from lessons_lib.lazy import exports

_OF_LESSONS = (path for path in Path(__file__).parent.glob("*/*.py") if path.parent.name != "live")
_STILL = (path for path in _OF_LESSONS if path.stem.partition("_")[0] not in ("check", "live"))
__all__, __getattr__ = exports(__name__, __file__, extra="plots", beside=_STILL)
