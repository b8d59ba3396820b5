"""On what was it measured: the machine, and the versions of all that took part."""

from __future__ import annotations

import os
import platform
from importlib import import_module, metadata
from pathlib import Path

PEERS = {
    "robotics toolbox": ("roboticstoolbox", "roboticstoolbox-python"),
    "Pinocchio": ("pinocchio", "pin"),
    "Pink": ("pink", "pin-pink"),
    "DAQP": ("daqp", "daqp"),
    "TRAC-IK": ("trac_ik", "pytracik"),
    "modern_robotics": ("modern_robotics", "modern_robotics"),
    "spatialmath": ("spatialmath", "spatialmath-python"),
    "SciPy": ("scipy", "scipy"),
}
"""Module and distribution of each peer, by the name that tables show."""

OURS = ("lessons-lib", "numpy", "numba", "llvmlite", "sympy")


def missing(peer: str) -> str:
    """Return why a peer cannot take part, as a few words; empty where it can."""
    module, distribution = PEERS[peer]
    try:
        import_module(module)
    except ImportError as error:
        absent = isinstance(error, ModuleNotFoundError) and error.name == module
        return f"{distribution} is not installed" if absent else f"{distribution} does not import: {error}"
    return ""


def absent(*peers: str) -> dict[str, str]:
    """Return those of the peers that cannot take part, each with the reason."""
    return {peer: reason for peer in peers if (reason := missing(peer))}


def describe() -> dict[str, str | int]:
    """Return processor, cores that this process may use, and system."""
    return {"processor": _processor(), "cores": _cores(), "system": f"{platform.system()} {platform.machine()}"}


def versions() -> dict[str, str]:
    """Return the version of Python, of what we stand on, and of each peer that is installed."""
    names = [*OURS, *(distribution for _, distribution in PEERS.values())]
    found = {name: metadata.version(name) for name in names if _is_installed(name)}
    return {"python": platform.python_version()} | found


def _is_installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _processor() -> str:
    """Return the processor's name, which Linux alone tells in a file."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
