"""Questions that take many solves to answer."""

from lessons_lib.studies.comparison import Problem, Row, compare, problem, roster
from lessons_lib.studies.measurements import Measurement, read_measurement
from lessons_lib.studies.menu import MENU, Choice, method
from lessons_lib.studies.self_motion import SelfMotion, self_motion

__all__ = [
    "MENU",
    "Choice",
    "Measurement",
    "Problem",
    "Row",
    "SelfMotion",
    "compare",
    "method",
    "problem",
    "read_measurement",
    "roster",
    "self_motion",
]
