"""Printed text as programs that read and print text: C, JavaScript, and Python without machine code."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from node import NODE


def run(command: list[Any], stdin: str = "", **options: Any) -> list[list[str]]:
    """Return the words of each line that a program prints."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=True, **options)
    return [line.split() for line in done.stdout.splitlines()]


def compile_c(text: str, folder: Path, flags: list[str]) -> Path:
    """Return the program of a text in C."""
    (folder / "it.c").write_text(text)
    subprocess.run(["cc", *flags, "-o", "it", "it.c", "-lm"], cwd=folder, check=True)
    return folder / "it"


def run_javascript(text: str, folder: Path, stdin: str = "") -> list[list[str]]:
    """Run a text in JavaScript."""
    (folder / "it.js").write_text(text)
    return run([NODE, "it.js"], stdin, cwd=folder)


def run_plain_python(code: str, stdin: str) -> list[list[str]]:
    """Run Python whose functions are not compiled."""
    environment = os.environ | {"LESSONS_PLAIN": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    return run([sys.executable, "-c", code], stdin, env=environment)
