"""What single lessons draw and ask, apart from the library: a module for each lesson's drawings, one for each question.

What a module hands out stands in its own `__all__`; a question's own names are those of its module, `course.two_hands`.
Nothing is loaded before it is used. What several lessons draw stands in `plots`, how many solves are run in `studies`.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.course.closed_loop import *
    from lessons_lib.course.lesson_01 import *
    from lessons_lib.course.lesson_02 import *
    from lessons_lib.course.lesson_04 import *
    from lessons_lib.course.lesson_05 import *
    from lessons_lib.course.lesson_07 import *
    from lessons_lib.course.lesson_08 import *
    from lessons_lib.course.lesson_09 import *
    from lessons_lib.course.lesson_10 import *
    from lessons_lib.course.lesson_11 import *
    from lessons_lib.course.lesson_12 import *
    from lessons_lib.course.lesson_13 import *
    from lessons_lib.course.lesson_14 import *
    from lessons_lib.course.lesson_15 import *
    from lessons_lib.course.lesson_16 import *
    from lessons_lib.course.lesson_17 import *
    from lessons_lib.course.lesson_18 import *
    from lessons_lib.course.lesson_19 import *
    from lessons_lib.course.lesson_21 import *
    from lessons_lib.course.lesson_22 import *
    from lessons_lib.course.lesson_23 import *
    from lessons_lib.course.lesson_24 import *
    from lessons_lib.course.line_past_base import *
    from lessons_lib.course.point_task import *
    from lessons_lib.course.self_motion_curve import *
    from lessons_lib.course.simulation import *
    from lessons_lib.course.stance import *
    from lessons_lib.course.stance_picture import *
    from lessons_lib.course.standing import *
    from lessons_lib.course.starts import *
    from lessons_lib.course.support_picture import *
    from lessons_lib.course.tip_velocity import *
    from lessons_lib.course.torque_loop import *
    from lessons_lib.course.two_frames import *

__all__, __getattr__ = exports(__name__, __file__, extra="plots")
