"""Methods that run in Python, because compiled code supports only the library's classes."""

from dataclasses import fields

from lessons_lib.pose_ik import Goal, LevenbergMarquardt, Method
from lessons_lib.pose_ik.goal import WeightedMethod


class _Own(Method):
    pass


class _OwnWeighted(WeightedMethod):
    pass


def in_python(method: Method | None = None, goal: Goal | None = None) -> Method:
    """Return an equal method of a derived class, with the weights of a goal; default: the default method in metres."""
    chosen = LevenbergMarquardt() if method is None else method
    weighed: Method = chosen if goal is None else goal.of(chosen)
    kind = _OwnWeighted if isinstance(weighed, WeightedMethod) else _Own
    return kind(**{field.name: getattr(weighed, field.name) for field in fields(weighed)})
