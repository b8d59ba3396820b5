"""Processor, cores, system, process, and versions of the packages that results depend on."""

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
"""Distributions that a solve uses."""


def describe_machine() -> dict[str, str | int]:
    """Return processor, available cores, and system."""
    return {"processor": _processor(), "cores": cores(), "system": f"{platform.system()} {platform.machine()}"}


def describe_process() -> dict[str, str | int]:
    """Return the machine, its host name, and the number of this process."""
    return {**describe_machine(), "host": platform.node(), "process": os.getpid()}


@lru_cache
def versions(*names: str) -> Mapping[str, str]:
    """Return the versions of Python, of the packages that a solve uses, and of further installed distributions."""
    found = {"python": platform.python_version()}
    for name in (*FOUNDATION, *names):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return MappingProxyType(found)


def _processor() -> str:
    """Return the name of the processor, on Linux from /proc/cpuinfo."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
