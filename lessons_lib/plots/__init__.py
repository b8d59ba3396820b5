"""Figures: an artist for each thing that several lessons draw, and a module for each lesson's own drawings.

What a module hands out stands in its own `__all__`. Nothing is loaded before it is used, matplotlib least of all.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.plots.arm import *
    from lessons_lib.plots.convergence import *
    from lessons_lib.plots.feasible import *
    from lessons_lib.plots.ghosts import *
    from lessons_lib.plots.jacobians import *
    from lessons_lib.plots.lesson_01 import *
    from lessons_lib.plots.lesson_02 import *
    from lessons_lib.plots.lesson_04 import *
    from lessons_lib.plots.lesson_05 import *
    from lessons_lib.plots.lesson_07 import *
    from lessons_lib.plots.lesson_08 import *
    from lessons_lib.plots.lesson_09 import *
    from lessons_lib.plots.lesson_10 import *
    from lessons_lib.plots.lesson_11 import *
    from lessons_lib.plots.lesson_12 import *
    from lessons_lib.plots.lesson_13 import *
    from lessons_lib.plots.lesson_14 import *
    from lessons_lib.plots.lesson_15 import *
    from lessons_lib.plots.lesson_16 import *
    from lessons_lib.plots.lesson_17 import *
    from lessons_lib.plots.lesson_18 import *
    from lessons_lib.plots.lesson_19 import *
    from lessons_lib.plots.lesson_21 import *
    from lessons_lib.plots.lesson_22 import *
    from lessons_lib.plots.lesson_23 import *
    from lessons_lib.plots.lesson_24 import *
    from lessons_lib.plots.overlay import *
    from lessons_lib.plots.path import *
    from lessons_lib.plots.self_motion import *
    from lessons_lib.plots.stance import *
    from lessons_lib.plots.stick_figure import *
    from lessons_lib.plots.support_polygon import *
    from lessons_lib.plots.theme import *
    from lessons_lib.plots.timings import *
    from lessons_lib.plots.twists import *
    from lessons_lib.plots.two_frames import *

__all__, __getattr__ = exports(__name__, __file__, extra="plots")
