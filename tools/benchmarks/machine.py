"""Machine and versions of a measurement."""

from __future__ import annotations

from importlib import import_module

from lessons_lib.studies.machine import describe_machine as describe
from lessons_lib.studies.machine import versions as installed

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


def versions() -> dict[str, str]:
    """Return the versions of Python, of the library's dependencies, and of each installed peer."""
    return dict(installed(*(distribution for _, distribution in PEERS.values())))
