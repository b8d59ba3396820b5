"""Figures: an artist for each thing that is drawn; what a single lesson draws stands in `course`.

What a module hands out stands in its own `__all__`. Nothing is loaded before it is used, matplotlib least of all.
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
    from lessons_lib.plots.timings import *
    from lessons_lib.plots.twists import *

__all__, __getattr__ = exports(__name__, __file__, extra="plots")
