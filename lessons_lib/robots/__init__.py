"""Robots: serial chains from screws, from Denavit-Hartenberg tables, and ready-made."""

from lessons_lib.robots.chain import Chain
from lessons_lib.robots.denavit_hartenberg import from_dh
from lessons_lib.robots.library import panda, planar_2r, ur10
from lessons_lib.robots.screws import from_screws

__all__ = ["Chain", "from_dh", "from_screws", "panda", "planar_2r", "ur10"]
