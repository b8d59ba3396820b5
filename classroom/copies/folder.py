"""Write copies into a working folder without overwriting files that the reader changed.

A manifest beside the copies holds their digests. A file whose digest is unchanged is replaced; any other file is kept.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LIST = ".copies.json"


@dataclass
class Written:
    """Result of writing the copies.

    Attributes:
        new: Files that were written because they were missing, or outdated and unchanged by the reader.
        kept: Files that the reader has changed and for which the course has a newer version.
    """

    new: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def digest(data: bytes) -> str:
    """Return a digest of the content of a file."""
    return hashlib.sha256(data).hexdigest()


def read_digests(folder: Path) -> dict[str, str]:
    """Return the digests of the last written files by path; empty if the manifest cannot be read."""
    try:
        digests = json.loads((folder / LIST).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return digests if isinstance(digests, dict) else {}


def write(copies: Mapping[str, str], folder: Path) -> Written:
    """Write texts below the folder by path, and keep the files that the reader has changed.

    The manifest records which version a changed file was made from, so a reader is notified only of newer versions.
    """
    before = read_digests(folder)
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
