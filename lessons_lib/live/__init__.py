"""Live figures: one object that moves in JupyterLab and in the published book, each file loaded on first use.

What a file hands out stands in its own `__all__`.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazily import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.live.basin import *
    from lessons_lib.live.columns import *
    from lessons_lib.live.control import *
    from lessons_lib.live.damping import *
    from lessons_lib.live.elbow import *
    from lessons_lib.live.figure import *
    from lessons_lib.live.hands import *
    from lessons_lib.live.lanes import *
    from lessons_lib.live.limits import *
    from lessons_lib.live.logarithm import *
    from lessons_lib.live.model import *
    from lessons_lib.live.newton import *
    from lessons_lib.live.path import *
    from lessons_lib.live.race import *
    from lessons_lib.live.robot import *
    from lessons_lib.live.saved import *
    from lessons_lib.live.screw import *
    from lessons_lib.live.singularity import *
    from lessons_lib.live.source import *
    from lessons_lib.live.stance import *
    from lessons_lib.live.swing import *
    from lessons_lib.live.two_frames import *
    from lessons_lib.live.weights import *

__all__, __getattr__ = exports(__name__, __file__, extra="course")
