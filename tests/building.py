"""Build the book as `make book` does, with warnings as errors."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def build_book(output: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the book in a folder, with additional environment variables."""
    command = [sys.executable, "book/build_book.py", "--path-output", str(output)]
    variables = os.environ | environment
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=1800)


def complaints(lines: list[str]) -> list[str]:
    """Return the warnings and errors in the log of a build, or its last lines."""
    return [line for line in lines if "WARNING" in line or "ERROR" in line] or lines[-20:]
