"""Figures: an artist for each kind of drawing; figures of single lessons are in `course`.

The public names are in the `__all__` of the modules; everything, also matplotlib, is loaded on first use.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.plots.arm import *
    from lessons_lib.plots.convergence import *
    from lessons_lib.plots.feasible import *
    from lessons_lib.plots.jacobians import *
    from lessons_lib.plots.overlay import *
    from lessons_lib.plots.path import *
    from lessons_lib.plots.self_motion import *
    from lessons_lib.plots.theme import *
    from lessons_lib.plots.twists import *

__all__, __getattr__ = exports(__name__, __file__, extra="plots")
