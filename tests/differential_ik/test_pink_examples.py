"""All of Pink's examples but for their pictures, run here and there: the same velocities and the same way.

`examples/` of Pink 4.4 holds 33 scripts. Those in `ALIKE` differ from others in the viewer alone.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pink_examples as say
import pinocchio
import pytest
from pink_examples import Loop, Side
from pink_robots import PinkRobot, pair_of, pose, urdf

pytestmark = pytest.mark.filterwarnings("ignore:joint 'joint1' of omni cannot move")  # as in Pink's example

STEPS = 20
SAME = 1e-7
"""Of a step, rad or m: at small angles Pinocchio's derivative of the logarithm is off by as much."""

ROBOTS: dict[str, Callable[[], PinkRobot]] = {
    "kinova": lambda: pair_of(urdf("kinova")),
    "panda": lambda: pair_of(urdf("panda")),
    "ur3": lambda: pair_of(urdf("ur3_robot")),
    "ur5": lambda: pair_of(urdf("ur5_robot")),
    "ur10": lambda: pair_of(urdf("ur10_robot")),
    "z1": lambda: pair_of(urdf("z1")),
    "go2": lambda: pair_of(urdf("go2"), "floating"),
    "g1": lambda: pair_of(urdf("g1_29dof_rev_1_0"), "floating"),
    "talos": lambda: pair_of(urdf("talos_reduced"), "floating"),
    "two ur3": lambda: pair_of(say.two_of(urdf("ur3_robot"), "base", ((0.3, 0, 0), (-0.3, 0, 0))), "floating"),
    "two pandas": lambda: pair_of(say.two_of(urdf("panda_collision"), "table", ((0, 0.5, 0), (0, -0.5, 0)))),
    "baxter": lambda: with_balls(pair_of(urdf("baxter"))),
    "tiago in the plane": lambda: pair_of(urdf("tiago_no_hand"), "planar"),
    "tiago": lambda: pair_of(urdf("tiago_no_hand"), "floating"),
    "solo": lambda: pair_of(urdf("solo12"), "fixed", HIND_LEGS),
    "solo afloat": lambda: pair_of(urdf("solo12"), "floating", HIND_LEGS),
    "double pendulum": lambda: pair_of(say.simple("double_pendulum", *PENDULUM, TIP)),
    "pendulum": lambda: pair_of(say.simple("pendulum", "revolute; 1 0 0; 0 0 0; 0; 6.28; 1", "fixed; 1 0 0; 0 0 0.25")),
    "planar": lambda: pair_of(say.simple("planar", *PLANAR, "fixed; 1 0 0; 0.2 0 0")),
    "omni": lambda: pair_of(
        say.simple("omni", *[f"revolute; 0 0 1; {0.055 * k} 0 0; 0; 0; 0.7" for k in (0, 1)]).replace("link0", "base"),
        "planar",
    ),
}
HIND_LEGS = {f"H{side}_{joint}": 0.0 for side in "LR" for joint in ("HAA", "HFE", "KFE")}
PLANAR = [f"revolute; 0 0 1; {x} 0 0; -3.14159; 3.14159; 2" for x in (0.025, 0.2)]
PENDULUM = [f"revolute; 1 0 0; {at}; -1e25; 1e25; 0" for at in ("0.025 0 0", "0.0125 0 0.1")]
"""Pink's file has a range from 0 to 0, which is none there, and holds a joint here."""
TIP = "fixed; 1 0 0; 0 0 0.2"


@dataclass(frozen=True)
class Example:
    """A script of Pink's, the robot, what is done, and whose place the robot takes, if another's."""

    script: str
    robot: str
    run: Callable[[Side], Loop]
    stands_in_for: str = ""


EXAMPLES = [
    Example("arm_kinova_gen2", "kinova", say.kinova),
    Example("arm_panda", "panda", say.panda),
    Example("arm_panda_manipulability_comparison", "panda", say.panda_manipulability),
    Example("arm_ur3", "ur3", say.ur3),
    Example("arm_ur3_sparse_solver", "ur3", say.ur3_circle),
    Example("arm_ur3_velocity_smoothing", "ur3", say.ur3_smooth),
    Example("arm_ur5", "ur5", say.ur3),
    Example("arm_z1_joint_velocity_tracking", "z1", say.z1_rates),
    Example("barriers/arm_ur5", "ur5", say.ur5_wall),
    Example("barriers/go2_squat", "go2", say.go2_squat),
    Example("barriers/kukas_self_collision", "two pandas", say.two_pandas, "two iiwa14"),
    Example("barriers/yumi_self_collision", "baxter", say.two_hands, "YuMi"),
    Example("double_pendulum", "double pendulum", say.double_pendulum),
    Example("floating_base_velocity_limit", "go2", say.bounded_base, "Upkie"),
    Example("flying_dual_arm_ur3", "two ur3", say.flying_arms),
    Example("humanoid_draco3", "talos", say.coupled, "DRACO 3"),
    Example("humanoid_g1_com", "g1", say.g1_squat),
    Example("humanoid_jvrc", "talos", say.waving_talos, "JVRC-1"),
    Example("humanoid_jvrc_com", "talos", say.backbend, "JVRC-1"),
    Example("humanoid_sigmaban", "talos", say.feet_apart, "SigmaBan"),
    Example(
        "inverse_kinematics_piper_viz",
        "z1",
        lambda side: say.one_pose(side, "link06", np.array([0.4, 1.0, -1.0, 0.3, 0.2, 0.1, 0.0])),
        "PiPER",
    ),
    Example(
        "inverse_kinematics_ur10",
        "ur10",
        lambda side: say.one_pose(side, "wrist_3_joint", np.array([0.6, -0.4, 0.9, -0.3, 0.8, 0.2])),
    ),
    Example("mobile_omni_wheeled_robot", "omni", say.omni),
    Example("mobile_stretch", "tiago in the plane", functools.partial(say.circling, kind="held"), "Stretch"),
    Example("one_dof_configuration_limit", "pendulum", say.pendulum),
    Example("planar_2dof_manipulability", "planar", say.planar_manipulability),
    Example("stretch_relative_target", "tiago in the plane", functools.partial(say.circling, kind="base"), "Stretch"),
    Example("stretch_world_target", "tiago in the plane", functools.partial(say.circling, kind="world"), "Stretch"),
    Example("upkie_crouching", "solo", say.crouching, "Upkie"),
    Example("upkie_rolling", "tiago", say.rolling, "Upkie"),
    Example("visualize_in_meshcat", "solo afloat", functools.partial(say.crouching, base=True), "Upkie"),
]
ALIKE = ("load_custom_urdf", "visualize_in_yourdfpy")


def with_balls(pair: PinkRobot) -> PinkRobot:
    """Return a robot with two frames of one's own, in its hands."""
    tree, model, seat = pair.tree, pair.model, say.moved(0.0, 0.0, 0.05)
    for name, link in (("ball_l", "left_wrist"), ("ball_r", "right_wrist")):
        tree = tree.with_frame(name, link, seat)
        parent = model.frames[model.getFrameId(link)]
        placement = parent.placement * pose(seat)
        number = model.getFrameId(link)
        model.addFrame(pinocchio.Frame(name, parent.parentJoint, number, placement, pinocchio.FrameType.OP_FRAME))
    return PinkRobot(tree, model, pair.order)


@functools.cache
def robot(name: str) -> PinkRobot:
    return ROBOTS[name]()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.script)
def test_the_same_way(example: Example) -> None:
    pair = robot(example.robot)
    sides = Side(pair, True), Side(pair, False)
    loops = [example.run(side) for side in sides]
    start, t, fastest = sides[0].at.q, 0.0, 0.0
    for _ in range(STEPS):
        ours, theirs = (side.solve(loop, t) for side, loop in zip(sides, loops, strict=True))
        fastest = max(fastest, float(np.abs(theirs).max()))
        assert np.abs(ours - theirs).max() * loops[0].dt <= SAME
        t += loops[0].dt
    assert fastest > 1e-3
    assert np.abs(pair.q(sides[0].at.q) - sides[1].at.q).max() <= SAME
    assert not np.array_equal(start, sides[0].at.q)


def test_every_example_is_there_once() -> None:
    assert len({example.script for example in EXAMPLES} | set(ALIKE)) == len(EXAMPLES) + len(ALIKE) == 33
