"""Questions that take many solves to answer."""

from lessons_lib.studies.comparison import Problem, Row, compare, problem, roster
from lessons_lib.studies.measurements import Measurement, read_measurement
from lessons_lib.studies.menu import MENU, Choice, method

__all__ = [
    "MENU",
    "Choice",
    "Measurement",
    "Problem",
    "Row",
    "compare",
    "method",
    "problem",
    "read_measurement",
    "roster",
]
