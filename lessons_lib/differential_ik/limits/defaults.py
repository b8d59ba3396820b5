"""The limits that hold where none are named."""

from lessons_lib.differential_ik.limits.configuration_limit import ConfigurationLimit
from lessons_lib.differential_ik.limits.velocity_limit import VelocityLimit
from lessons_lib.robots import Tree


def default_limits(model: Tree) -> tuple[ConfigurationLimit, VelocityLimit]:
    """Return the limits of a robot's configuration and velocity, made once and kept with it, to go when it goes."""
    kept = vars(model)
    if "default_limits" not in kept:
        kept["default_limits"] = (ConfigurationLimit(model), VelocityLimit(model))
    limits: tuple[ConfigurationLimit, VelocityLimit] = kept["default_limits"]
    return limits
