"""Questions that take many solves to answer; a question's own names are those of its module, `studies.two_hands`.

What the package hands out besides stands in the `__all__` of its modules, and is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.studies.answers import *
    from lessons_lib.studies.cases import *
    from lessons_lib.studies.closed_loop import *
    from lessons_lib.studies.comparison import *
    from lessons_lib.studies.declaration import *
    from lessons_lib.studies.line_past_base import *
    from lessons_lib.studies.matlab_library import *
    from lessons_lib.studies.measurements import *
    from lessons_lib.studies.menu import *
    from lessons_lib.studies.point_task import *
    from lessons_lib.studies.running import *
    from lessons_lib.studies.self_motion_curve import *
    from lessons_lib.studies.simulation import *
    from lessons_lib.studies.stance import *
    from lessons_lib.studies.standing import *
    from lessons_lib.studies.starts import *
    from lessons_lib.studies.tip_velocity import *
    from lessons_lib.studies.torque_loop import *

__all__, __getattr__ = exports(__name__, __file__)
