"""A method that no kernel is made for: batches and paths run it by Python, as `solve_in_python` does.

The engine knows the library's own classes alone: what a reader derives from them is the reader's.
"""

from dataclasses import fields

from lessons_lib.pose_ik import Goal, LevenbergMarquardt, Method
from lessons_lib.pose_ik.goal import Weighed


class _Own(Method):
    pass


class _OwnWeighed(Weighed):
    pass


def in_python(method: Method | None = None, goal: Goal | None = None) -> Method:
    """Return a method that is the same but for its class, with the weights of a goal; the default method if left out.

    The default one measures an arm in metres then, which is its own length for the robots of the library.
    """
    chosen = LevenbergMarquardt() if method is None else method
    weighed: Method = chosen if goal is None else goal.of(chosen)
    kind = _OwnWeighed if isinstance(weighed, Weighed) else _Own
    return kind(**{field.name: getattr(weighed, field.name) for field in fields(weighed)})
