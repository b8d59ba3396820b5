"""Machine and versions of a measurement."""

from __future__ import annotations

import platform
from importlib import import_module, metadata
from pathlib import Path

from lessons_lib.pose_ik.rows import cores

__all__ = ["PEERS", "absent", "describe", "missing", "versions"]

PEERS = {
    "robotics toolbox": ("roboticstoolbox", "roboticstoolbox-python"),
    "Pinocchio": ("pinocchio", "pin"),
    "Pink": ("pink", "pin-pink"),
    "DAQP": ("daqp", "daqp"),
    "TRAC-IK": ("trac_ik", "pytracik"),
    "modern_robotics": ("modern_robotics", "modern_robotics"),
    "spatialmath": ("spatialmath", "spatialmath-python"),
    "SciPy": ("scipy", "scipy"),
    "toppra": ("toppra", "toppra"),
    "ikpy": ("ikpy", "ikpy"),
    "mink": ("mink", "mink"),
    "EAIK": ("eaik", "EAIK"),
    "IK-Geo": ("ik_geo", "ik-geo"),
    "ssik": ("ssik", "ssik"),
    "jaik": ("jaik", "jaik"),
}
"""Module and distribution of each peer, by the name that tables show."""


def missing(peer: str) -> str:
    """Return the reason why a peer cannot be measured; empty if it can."""
    module, distribution = PEERS[peer]
    try:
        import_module(module)
    except ImportError as error:
        absent = isinstance(error, ModuleNotFoundError) and error.name == module
        return f"{distribution} is not installed" if absent else f"{distribution} does not import: {error}"
    return ""


def absent(*peers: str) -> dict[str, str]:
    """Return the peers that cannot be measured, each with the reason."""
    return {peer: reason for peer in peers if (reason := missing(peer))}


def describe() -> dict[str, str | int]:
    """Return processor, available cores, and system."""
    table = Path("/proc/cpuinfo")
    lines = table.read_text(encoding="utf8").splitlines() if table.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    processor = (*names, platform.processor(), platform.machine())[0]
    return {"processor": processor, "cores": cores(), "system": f"{platform.system()} {platform.machine()}"}


def versions() -> dict[str, str]:
    """Return the versions of Python, of the packages that a solve uses, and of each installed peer."""
    installed = {"python": platform.python_version()}
    for name in ("lessons-lib", "numpy", "llvmlite", "sympy", *(distribution for _, distribution in PEERS.values())):
        try:
            installed[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return installed
