"""Refuse to make a wheel or a source archive without what `make front` builds: bundles, and scripts of this library."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WANTED = ("live.js", "live3d.js", "widget.js", "widget3d.js", "three.LICENSE.txt")


def missing(root: Path) -> list[str]:
    """Return the names of the bundles and scripts that are missing or older than a file of the library."""
    sys.path.insert(0, str(root))
    from lessons_lib.course.live import scripts

    folder = root / "lessons_lib" / "course" / "live" / "built"
    found = [name for name in WANTED if not (folder / name).exists()]
    return [*found, *(f"the script of {module}" for module in scripts.missing())]


class Built(BuildHookInterface):  # type: ignore[type-arg]
    """Check for the bundles and scripts before each build, except an editable one."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Raise FileNotFoundError if something is missing."""
        if version != "editable" and (names := missing(Path(self.root))):
            raise FileNotFoundError(f"run `make front` first: {', '.join(names)}")
