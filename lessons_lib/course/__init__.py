"""What only the course needs: a folder for each lesson, and modules for what several lessons share.

A lesson's folder holds `figures.py` (its drawings), `live.py` and `view.ts` (its live figure), `check.py` (what the
figure must show) and `lesson.yml` (hours and goals). A module exports what its `__all__` names; names of a module
without one are used as `tasks.two_hands.NAME`. Nothing is loaded before it is used.
"""

from typing import TYPE_CHECKING

from lessons_lib.lazy import exports

if TYPE_CHECKING:  # for type checkers and editors
    from lessons_lib.course.adjoint.figures import *
    from lessons_lib.course.certificates.figures import *
    from lessons_lib.course.closed_loop import *
    from lessons_lib.course.code_generation.figures import *
    from lessons_lib.course.damping.figures import *
    from lessons_lib.course.floating_base.figures import *
    from lessons_lib.course.inverse_kinematics.figures import *
    from lessons_lib.course.levenberg_marquardt.figures import *
    from lessons_lib.course.limits.figures import *
    from lessons_lib.course.line_past_base import *
    from lessons_lib.course.paths.figures import *
    from lessons_lib.course.point_task import *
    from lessons_lib.course.redundancy.figures import *
    from lessons_lib.course.retime.figures import *
    from lessons_lib.course.robot_models.figures import *
    from lessons_lib.course.rotation_logarithm.figures import *
    from lessons_lib.course.scaling.figures import *
    from lessons_lib.course.self_motion_curve import *
    from lessons_lib.course.simulation import *
    from lessons_lib.course.singularities.figures import *
    from lessons_lib.course.stance import *
    from lessons_lib.course.standing import *
    from lessons_lib.course.start_policies import *
    from lessons_lib.course.starts.figures import *
    from lessons_lib.course.tasks.figures import *
    from lessons_lib.course.tip_velocity import *
    from lessons_lib.course.torque_loop import *
    from lessons_lib.course.touch.figures import *
    from lessons_lib.course.weights.figures import *

__all__, __getattr__ = exports(__name__, __file__, extra="plots", beside="course/*/figures.py")
