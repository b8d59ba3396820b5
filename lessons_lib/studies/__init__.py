"""Questions that take many solves to answer."""

from lessons_lib.studies.comparison import Problem, Row, compare, problem, roster
from lessons_lib.studies.menu import MENU, Choice, method

__all__ = ["MENU", "Choice", "Problem", "Row", "compare", "method", "problem", "roster"]
