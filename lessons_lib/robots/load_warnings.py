"""Warnings about probable mistakes in a robot that can be loaded."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array

LARGEST_RANGE = 4.0 * math.pi
"""Larger limits may be in degrees [rad]: robot arms stop within two revolutions of zero."""

NO_LIMIT = 1000.0
"""Larger limits usually mean "no limit" [rad]; limits in degrees are smaller."""

LARGEST_LENGTH = 100.0
"""Larger characteristic lengths, powers of 32, may be in millimetres [m]."""

WHOLE = 5e-3
"""Limits this near to whole revolutions are in radians, rounded to two decimals [rad]."""


def warn_caller(message: str) -> None:
    """Issue a warning at the first line outside this library; Python 3.12 has `skip_file_prefixes` for it."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == __name__.split(".")[0]:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)


def warn_about_zero_width(robot: str, names: Sequence[str], limits: Array, units: Sequence[str], remedy: str) -> None:
    """Warn once if limits lock joints; `remedy` explains how to lock a joint without this warning."""
    fixed = np.flatnonzero(limits[:, 0] == limits[:, 1])
    if fixed.size:
        i = fixed[0]
        value = f"{limits[i, 0]:g}"
        warn_caller(
            f"joint {names[i]!r} of {robot} cannot move: its limits are [{value}, {value}] {units[i]}"
            f"{_others(repr(names[k]) for k in fixed[1:])}. Widen them, or use -inf and inf if there are no limits. "
            f"To lock a joint on purpose, {remedy}"
        )


def warn_about_degrees(robot: str, names: Sequence[str], limits: Array, revolute: Iterable[bool]) -> None:
    """Warn once if limits of revolute joints are so large that they may be in degrees."""
    size = np.where(np.abs(limits) < NO_LIMIT, np.abs(limits), 0.0)
    whole = np.abs(size - 2.0 * math.pi * np.round(size / (2.0 * math.pi))) < WHOLE
    suspected = np.flatnonzero(((size > LARGEST_RANGE) & ~whole).any(axis=1) & np.array(list(revolute), dtype=bool))
    if suspected.size:
        i = suspected[0]
        lower, upper = limits[i]
        warn_caller(
            f"limits of joint {names[i]!r} of {robot} are [{lower:g}, {upper:g}] rad, that is "
            f"[{math.degrees(lower):g}, {math.degrees(upper):g}]°{_others(repr(names[k]) for k in suspected[1:])}. "
            "If they are in degrees, convert them to rad, for instance with numpy.deg2rad; if there are no limits, "
            "use -inf and inf"
        )


def warn_about_millimetres(robot: str, length: float) -> None:
    """Warn if the characteristic length of a robot in metres is that of an arm in millimetres."""
    if length > LARGEST_LENGTH:
        warn_caller(
            f"{robot} is longer than 250 m. If its lengths are in millimetres, divide them by 1000, or pass "
            "length_unit='mm' to from_screws or from_dh"
        )


def warn_about_angles(where: str, names: Sequence[str], angles: ArrayLike) -> None:
    """Warn once if constant angles, rad, exceed one revolution."""
    values = np.ravel(angles)
    suspected = np.flatnonzero(np.abs(values) > 2.0 * math.pi + WHOLE)
    if suspected.size:
        i = suspected[0]
        warn_caller(
            f"{names[i]} of {where} is {values[i]:g} rad, that is {math.degrees(values[i]):g}°"
            f"{_others(names[k] for k in suspected[1:])}. "
            "If it is in degrees, convert it to rad, for instance with numpy.deg2rad"
        )


def _others(names: Iterable[str]) -> str:
    listed = ", ".join(names)
    return f" (also: {listed})" if listed else ""
