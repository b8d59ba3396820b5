"""The book, built as `make book` builds it, every warning an error."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build_book(output: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the repository's book below the given folder, with some variables of the environment set otherwise."""
    command = [sys.executable, "book/build_book.py", "--path-output", str(output)]
    told = os.environ | environment
    return subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, timeout=1800)


def complaints(lines: list[str]) -> list[str]:
    """Return the lines of a build's log that name a fault, or its end where none does."""
    return [line for line in lines if "WARNING" in line or "ERROR" in line] or lines[-20:]
