"""Values that a cell stores for the surrounding text."""

from typing import Any

import IPython.display
import pytest

from lessons_lib.course import prose


def test_glue_stores_a_text_as_myst_nb_does(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = pytest.importorskip("myst_nb.ext.glue")
    kept: list[tuple[Any, Any]] = []
    for place, name in ((IPython.display, "display"), (theirs, "ipy_display")):
        monkeypatch.setattr(place, name, lambda *given, **named: kept.append((given, named)))
    theirs.glue("reach", "1.7 m", display=False)
    prose.glue("reach", "1.7 m")
    assert len(kept) == 2 and kept[0] == kept[1]
