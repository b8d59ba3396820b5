"""The limits that hold where none are named."""

from weakref import WeakKeyDictionary

from lessons_lib.differential_ik.configuration_limit import ConfigurationLimit
from lessons_lib.differential_ik.velocity_limit import VelocityLimit
from lessons_lib.robots import Tree

_limits: WeakKeyDictionary[Tree, tuple[ConfigurationLimit, VelocityLimit]] = WeakKeyDictionary()


def default_limits(model: Tree) -> tuple[ConfigurationLimit, VelocityLimit]:
    """Return the limits of a robot's configuration and velocity, made once."""
    limits = _limits.get(model)
    if limits is None:
        limits = _limits[model] = (ConfigurationLimit(model), VelocityLimit(model))
    return limits
