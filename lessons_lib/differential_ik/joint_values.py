"""Where the joints stand in q and v, and a configuration with some of them set."""

from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats
from lessons_lib.errors import ConfigurationError
from lessons_lib.robots import Tree
from lessons_lib.robots.arguments import check_tree


def custom_configuration_vector(robot: Tree, /, **joints: ArrayLike) -> Array:
    """Return the neutral configuration with some joints set, shape (nq,).

    Args:
        robot: The robot.
        **joints: Values by the joints' names, rad or m: one number each, seven of a free joint and three of a planar
            one. A name that Python would not take goes in as `**{"left-knee": 0.4}`.

    Raises:
        ParameterError: Not a tree, or one without a moving joint of that name.
        ConfigurationError: A joint is given more or fewer numbers than it has, or what makes no configuration.
    """
    check_tree(robot, "robot")
    q = robot.q0.copy()
    for name, value in joints.items():
        place = robot.joint_place(name)[0]
        values = floats(value, f"{name} must be numbers", ConfigurationError).reshape(-1)
        size = place.stop - place.start
        if values.size != size:
            raise ConfigurationError(f"joint {name!r} has {size} in q, got {values.tolist()}")
        q[place] = values
    return robot.check_configuration(q)


def get_joint_idx(model: Tree, joint_name: str) -> tuple[int, int]:
    """Return where a joint begins in q and in v.

    Raises:
        ParameterError: Not a tree, or one without a moving joint of that name.
    """
    check_tree(model)
    in_q, in_v = model.joint_place(joint_name)
    return in_q.start, in_v.start
