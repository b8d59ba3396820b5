"""Write copies into a folder where somebody works, and never over what was changed there.

A list beside the copies holds what was written. A copy that is still that is made anew; any other file stays as it is.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LIST = ".copies.json"


@dataclass
class Written:
    """What became of the copies.

    Attributes:
        new: Those that were written, because there was none or an older one that nobody had changed.
        kept: Those that the reader has changed, and that a new one would differ from.
    """

    new: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def digest(data: bytes) -> str:
    """Return what tells one content from another."""
    return hashlib.sha256(data).hexdigest()


def remembered(folder: Path) -> dict[str, str]:
    """Return the digests of what was last written, by path; empty where nothing can be read."""
    try:
        found = json.loads((folder / LIST).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write(copies: Mapping[str, str], folder: Path) -> Written:
    """Write texts below the folder, by path; what somebody changed there stays.

    The list says what a changed copy was made from, so a reader is told of it only when the course has a newer one.
    """
    before = remembered(folder)
    after, done = dict(before), Written()
    for name, text in copies.items():
        path, data = folder / name, text.encode("utf-8")
        now = digest(path.read_bytes()) if path.exists() else None
        if now in (None, before.get(name), digest(data)):
            if now != digest(data):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
                done.new.append(name)
            after[name] = digest(data)
        elif before.get(name) != digest(data):
            done.kept.append(name)
    (folder / LIST).write_text(json.dumps(after, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return done
