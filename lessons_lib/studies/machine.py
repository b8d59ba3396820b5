"""On what was it computed: processor, cores, system, process, and the versions of all that a number may hang on."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from types import MappingProxyType

from lessons_lib.pose_ik.rows import cores

FOUNDATION = ("lessons-lib", "numpy", "llvmlite", "sympy")
"""The distributions that a solve stands on."""


def describe_machine() -> dict[str, str | int]:
    """Return processor, cores that this process may use, and system."""
    return {"processor": _processor(), "cores": cores(), "system": f"{platform.system()} {platform.machine()}"}


def describe_process() -> dict[str, str | int]:
    """Return the machine, its name, and the number of this process."""
    return {**describe_machine(), "host": platform.node(), "process": os.getpid()}


@lru_cache
def versions(*names: str) -> Mapping[str, str]:
    """Return the version of Python, of what a solve stands on, and of further distributions that are installed."""
    found = {"python": platform.python_version()}
    for name in (*FOUNDATION, *names):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return MappingProxyType(found)


def _processor() -> str:
    """Return the processor's name, which Linux alone tells in a file."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
