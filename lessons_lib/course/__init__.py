"""What only the course needs: a folder for each lesson, and modules for what several lessons share.

A lesson's folder holds `figures.py` (its drawings), `live.py` and `view.ts` (its live figure), `check.py` (what the
figure must show), `lesson.yml` (hours and goals) and what else this lesson alone uses. This package exports what a
module names in its `__all__`; the live figures are exported by `live`. Names of a module without one are used as
`tasks.two_hands.NAME`. Nothing is loaded before it is used.
"""

from pathlib import Path

from lessons_lib.lazy import exports

_OF_LESSONS = (path for path in Path(__file__).parent.glob("*/*.py") if path.parent.name != "live")
_STILL = (path for path in _OF_LESSONS if path.stem.partition("_")[0] not in ("check", "live"))
__all__, __getattr__ = exports(__name__, __file__, extra="plots", beside=_STILL)
