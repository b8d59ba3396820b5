"""Pink's examples, written once and run on both sides: tasks, what moves their targets, limits, barriers, constraints.

Where example-robot-data has the example's robot, it is that; else one that the example's tasks suit as well, and the
table says which it stands in for.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pink
import pink.barriers
import pink.limits
import pink.tasks
import pink.utils
import pinocchio
from pink_robots import PinkRobot, pose, urdf

from lessons_lib import collisions, lie, robots
from lessons_lib import differential_ik as dik
from lessons_lib.arrays import Array

SHARP = {"solver": "daqp", "primal_tol": 1e-11, "dual_tol": 1e-15}
"""Pink's solver with tolerances below what the examples' smallest costs ask for."""


DECIDED = 1e-6
"""Damping where no posture says what is left over: of many steps that are as good it decides for the shortest."""


@dataclass
class Side:
    """One of the two libraries at work on a robot; what an example says in its words is said in the library's."""

    pair: PinkRobot
    ours: bool
    at: Any = None
    collisions: dict[str, Any] = field(default_factory=dict)

    def task(self, kind: str, *arguments: Any, **named: Any) -> Any:
        """Return a task of a kind."""
        return getattr(dik if self.ours else pink.tasks, kind)(*arguments, **named)

    def limit(self, kind: str, *arguments: Any, **named: Any) -> Any:
        """Return a limit of a kind for the robot."""
        return getattr(dik if self.ours else pink.limits, kind)(self.model, *arguments, **named)

    def barrier(self, kind: str, *arguments: Any, **named: Any) -> Any:
        """Return a barrier of a kind."""
        return getattr(dik if self.ours else pink.barriers, kind)(*arguments, **named)

    @property
    def model(self) -> Any:
        """The robot, as the library has it."""
        return self.pair.tree if self.ours else self.pair.model

    def start(self, q: Array | None = None, **joints: float) -> None:
        """Put the robot where our q says, or where some joints are."""
        q = dik.custom_configuration_vector(self.pair.tree, **joints) if q is None else q
        if self.ours:
            self.at = dik.Configuration(self.pair.tree, q, **self.collisions)
        else:
            data = self.pair.model.createData()
            self.at = pink.Configuration(self.pair.model, data, self.pair.q(q), **self.collisions)

    def where(self, frame: str) -> Array:
        """Return the pose of a frame."""
        T = self.at.get_transform_frame_to_world(frame)
        return np.array(T if self.ours else T.homogeneous)

    def centre(self) -> Array:
        """Return the centre of mass."""
        if self.ours:
            return np.asarray(self.at.get_center_of_mass())
        return np.array(pinocchio.centerOfMass(self.pair.model, self.at.data, self.at.q))

    def aim(self, task: Any, T: Array) -> None:
        """Set the pose that a task is to reach."""
        task.set_target(T if self.ours else pose(T))

    def write(self, task: Any, position: dict[int, float] | None = None, rotation: Array | None = None) -> None:
        """Write into the target that a task has, as the examples do."""
        name = "transform_target_to_root" if hasattr(task, "root") else "transform_target_to_world"
        target = getattr(task, name)
        for axis, value in (position or {}).items():
            (target[:3, 3] if self.ours else target.translation)[axis] = value
        if rotation is not None and self.ours:
            target[:3, :3] = rotation
        elif rotation is not None:
            target.rotation = rotation

    def stay(self, *tasks: Any) -> None:
        """Let tasks start where the robot is."""
        for task in tasks:
            task.set_target_from_configuration(self.at)

    def posture(self, task: Any, q: Array) -> None:
        """Set a posture, our q."""
        task.set_target(q if self.ours else self.pair.q(q))

    def solve(self, loop: "Loop", t: float) -> Array:
        """Take one step, and return the velocity in our coordinates."""
        loop.move(t)
        if loop.limits is not None:
            loop.named["limits"] = loop.limits(t)
        tasks = loop.tasks if isinstance(loop.tasks, list) else loop.tasks(t)
        library: Any = dik if self.ours else pink
        v = library.solve_ik(self.at, tasks, loop.dt, **({} if self.ours else SHARP), **loop.named)
        loop.after(v, loop.dt)
        self.at.integrate_inplace(v, loop.dt)
        return np.asarray(v if self.ours else v[self.pair.order])


@dataclass
class Loop:
    """What an example does over time."""

    tasks: list[Any] | Callable[[float], list[Any]]
    dt: float
    move: Callable[[float], None] = lambda t: None
    named: dict[str, Any] = field(default_factory=dict)
    limits: Callable[[float], list[Any]] | None = None
    after: Callable[[Any, float], None] = lambda v, dt: None


def turned(yaw: float) -> Array:
    """Return the rotation by an angle about z."""
    return np.asarray(lie.exp_so3([0.0, 0.0, yaw]))


def moved(x: float, y: float, z: float) -> Array:
    """Return a translation as a pose."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def prefixed(text: str, prefix: str) -> str:
    """Return the links and joints of a URDF with a prefix before their names."""
    inside = text[text.index(">", text.index("<robot")) + 1 : text.rindex("</robot>")]
    names = re.sub(r'(<(?:link|joint)\b[^>]*?\bname=")', rf"\1{prefix}", inside)
    ends = re.sub(r'(<(?:parent|child)\b[^>]*?\blink=")', rf"\1{prefix}", names)
    return re.sub(r'(<mimic\b[^>]*?\bjoint=")', rf"\1{prefix}", ends)


@cache
def two_of(path: Path, base: str, places: tuple[tuple[float, float, float], ...]) -> str:
    """Return a URDF of two arms, left and right, on one link, without what is not their kinematics."""
    text = re.sub(r"<(transmission|gazebo)\b.*?</\1>", "", path.read_text("utf8"), flags=re.DOTALL)
    root = robots.load_urdf(path).frame_names[0]
    body = '<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    parts = [
        f'<robot name="two"><link name="{base}"/>' if base != "base" else f'<robot name="two">{body}</inertial></link>'
    ]
    for prefix, (x, y, z) in zip(("left_", "right_"), places, strict=True):
        parts.append(prefixed(text, prefix))
        parts.append(f'<joint name="{prefix}seat" type="fixed"><origin xyz="{x} {y} {z}"/><parent link="{base}"/>')
        parts.append(f'<child link="{prefix}{root}"/></joint>')
    return "".join([*parts, "</robot>"])


def simple(name: str, *joints: str) -> str:
    """Return a URDF of links one after the other: each joint is "kind axis xyz lower upper velocity"."""
    links = [f"link{k}" for k in range(len(joints) + 1)]
    text = f'<robot name="{name}">' + "".join(f'<link name="{link}"/>' for link in links)
    for k, joint in enumerate(joints):
        kind, axis, xyz, *limit = joint.split("; ")
        bounds = dict(zip(("lower", "upper", "velocity"), limit, strict=False)) | ({"effort": "1"} if limit else {})
        ends = "".join(f' {key}="{value}"' for key, value in bounds.items())
        text += f'<joint name="joint{k + 1}" type="{kind}"><origin xyz="{xyz}"/><axis xyz="{axis}"/>'
        text += (
            f'<parent link="{links[k]}"/><child link="{links[k + 1]}"/>'
            + (f"<limit{ends}/>" if limit else "")
            + "</joint>"
        )
    return text + "</robot>"


def follow(side: Side, frame: str, y: float, z: float, lm_damping: float = 0.0) -> Loop:
    """Follow a point that swings along y, with an arm."""
    end, posture = side.task("FrameTask", frame, 1.0, 1.0, lm_damping=lm_damping), side.task("PostureTask", 1e-3)
    side.stay(end, posture)
    return Loop([end, posture], 5e-3, lambda t: side.write(end, {1: y + 0.1 * np.sin(2.0 * t), 2: z}))


def kinova(side: Side) -> Loop:
    side.start(j2s6s200_joint_2=1.0, j2s6s200_joint_3=1.0, j2s6s200_joint_5=1.0)
    return follow(side, "j2s6s200_end_effector", 0.8, 0.2)


def ur3(side: Side) -> Loop:
    side.start(shoulder_lift_joint=1.0, shoulder_pan_joint=1.0, elbow_joint=1.0)
    return follow(side, "tool0", 0.5, 0.2, lm_damping=1.0)


PANDA = dict(
    zip((f"panda_joint{i}" for i in range(1, 8)), (0, -0.785398, 0, -2.35619, 0, 1.5708, 0.785398), strict=True)
)


def panda(side: Side) -> Loop:
    """The slider drags the target about."""
    side.start(**PANDA)
    end = side.task("FrameTask", "panda_hand_tcp", 1.0, 1.0, lm_damping=1.0)
    posture, damping = side.task("PostureTask", 1e-3), side.task("DampingTask", 1e-3)
    side.stay(end, posture)
    home = side.where("panda_hand_tcp")

    def drag(t: float) -> None:
        side.write(end, {0: home[0, 3] + t, 2: home[2, 3] - 0.5 * t}, home[:3, :3] @ turned(3.0 * t))
        end.set_position_cost(1.0 + t)
        damping.cost = 1e-3 + 1e-2 * t

    return Loop([end, posture, damping], 5e-3, drag)


def panda_manipulability(side: Side) -> Loop:
    side.start(**PANDA)
    end = side.task("FrameTask", "panda_hand_tcp", 1.0, 1.0, lm_damping=1.0)
    wide = side.task(
        "ManipulabilityTask", "panda_hand_tcp", side.model, 0.3, lm_damping=1e-3, gain=1.0, manipulability_rate=1.5
    )
    side.stay(end)
    home = side.where("panda_hand_tcp")
    return Loop(
        [end, side.task("DampingTask", 0.1), wide],
        5e-3,
        lambda t: side.write(end, {1: home[1, 3] + t, 2: home[2, 3] - t}),
    )


def ur3_circle(side: Side) -> Loop:
    side.start()
    end, posture = side.task("FrameTask", "tool0", 1.0, 0.1), side.task("PostureTask", 1e-3)
    side.stay(end, posture)

    def circle(t: float) -> None:
        side.write(end, {0: 0.3 + 0.15 * np.cos(t), 1: 0.15 * np.sin(t), 2: 0.515})

    return Loop([end, posture], 1e-2, circle)


def ur3_smooth(side: Side) -> Loop:
    """First free, then with an acceleration limit, less gain and damping instead of a posture."""
    side.start(shoulder_lift_joint=1.0, shoulder_pan_joint=1.0, elbow_joint=1.0)
    end, posture = side.task("FrameTask", "tool0", 1.0, 1.0, lm_damping=1.0), side.task("PostureTask", 1e-3)
    damping, smooth = side.task("DampingTask", 1e-1), side.limit("AccelerationLimit", np.full(6, 20.0))
    usual = [side.limit("ConfigurationLimit"), side.limit("VelocityLimit")]
    side.stay(end, posture)

    def move(t: float) -> None:
        end.gain = 1.0 if t < 0.05 else 0.4
        side.write(end, {1: 0.5 + 0.1 * np.sin(2.0 * t), 2: 0.2})

    return Loop(
        lambda t: [end, posture if t < 0.05 else damping],
        5e-3,
        move,
        limits=lambda t: usual if t < 0.05 else [*usual, smooth],
        after=lambda v, dt: smooth.set_last_integration(v, dt),
    )


def z1_rates(side: Side) -> Loop:
    """Pink's error has the other sign, so there the joints are asked for the opposite."""
    side.start()
    rates, nv = side.task("JointVelocityTask", 1.0), side.pair.tree.nv
    sign = 1.0 if side.ours else -1.0
    return Loop([rates], 5e-3, lambda t: rates.set_target(sign * 2.0 * np.sin(t) * np.ones(nv), 5e-3))


def ur5_wall(side: Side) -> Loop:
    side.start(np.array([1.27153374, -0.87988708, 1.89104795, 1.73996951, -0.24610945, -0.74979019]))
    end, posture = side.task("FrameTask", "tool0", 10.0, 1.0), side.task("PostureTask", 1e-3)
    walls = {"p_min": np.array([-0.4]), "p_max": np.array([0.6]), "gain": np.array([100.0])}
    wall = side.barrier("PositionBarrier", "tool0", indices=[1], safe_displacement_gain=1.0, **walls)
    side.stay(end, posture)
    return Loop(
        [end, posture], 5e-3, lambda t: side.write(end, {1: 0.65 * np.sin(t / 4), 2: 0.5}), {"barriers": [wall]}
    )


LEGS = np.tile([0.0, 0.8, -1.57], 4)


def go2_squat(side: Side) -> Loop:
    side.start(np.concatenate([[0, 0, 0.3, 0, 0, 0, 1.0], LEGS]))
    base, posture = side.task("FrameTask", "base", 50.0, 1.0), side.task("PostureTask", 1e-5)
    feet = [side.task("FrameTask", foot, 200.0, 0.0) for foot in ("FL_foot", "FR_foot", "RL_foot", "RR_foot")]
    walls = {"p_max": np.array([0.0, 0.35]), "gain": np.array([100.0, 100.0]), "safe_displacement_gain": 1.0}
    wall = side.barrier("PositionBarrier", "base", indices=[1, 2], **walls)
    side.stay(base, posture, *feet)
    return Loop(
        [base, posture, *feet],
        5e-3,
        lambda t: side.write(base, {1: 0.1 * np.sin(0.5 * np.pi * (t + 2.0)), 2: 0.3}),
        {"barriers": [wall]},
    )


def two_pandas(side: Side) -> Loop:
    """Two arms exchange their tips' places, and must not touch: the nearest 100 of 1512 pairs of bodies are watched."""
    text = two_of(urdf("panda_collision"), "table", ((0.0, 0.5, 0.0), (0.0, -0.5, 0.0)))
    skip = [(f"{arm}{a}", f"{arm}{b}") for arm in ("left_", "right_") for a in ARM_LINKS for b in ARM_LINKS]
    if side.ours:
        side.collisions = {"collision_model": collisions.load_collisions(text, side.pair.tree, skip=skip)}
    else:
        bodies = pinocchio.buildGeomFromUrdfString(side.pair.model, text, pinocchio.GeometryType.COLLISION)
        pairs_left_out = "".join(f'<disable_collisions link1="{a}" link2="{b}"/>' for a, b in skip if a != b)
        bodies.addAllCollisionPairs()
        pinocchio.removeCollisionPairsFromXML(
            side.pair.model, bodies, f'<robot name="two">{pairs_left_out}</robot>', False
        )
        data = pinocchio.GeometryData(bodies)
        data.enable_contact = True
        side.collisions = {"collision_model": bodies, "collision_data": data}
    bent = {f"{arm}{joint}": angle for arm in ("left_", "right_") for joint, angle in PANDA.items()}
    side.start(**bent)
    tips = [side.task("FrameTask", f"{arm}panda_link7", 50.0, 10.0) for arm in ("left_", "right_")]
    posture = side.task("PostureTask", 1e-3)
    apart = side.barrier("SelfCollisionBarrier", 100, gain=20.0, safe_displacement_gain=1.0, d_min=0.05)
    side.stay(*tips, posture)
    ends = [side.where(f"{arm}panda_link7")[:3, 3] for arm in ("left_", "right_")]

    def exchange(t: float) -> None:
        mu = (1.0 - np.cos(4.0 * t)) / 2.0
        for k, tip in enumerate(tips):
            side.write(tip, dict(enumerate(ends[k] + mu * (ends[1 - k] - ends[k]))))

    return Loop([*tips, posture], 2e-2, exchange, {"barriers": [apart], "safety_break": False})


ARM_LINKS = [f"panda_link{i}" for i in range(9)] + ["panda_hand", "panda_leftfinger", "panda_rightfinger"]


def two_hands(side: Side) -> Loop:
    """Two hands come nearer to each other than two balls about them allow."""
    side.start(left_s1=-0.5, right_s1=-0.5, left_e1=1.2, right_e1=1.2)
    hands = [side.task("FrameTask", f"{arm}_wrist", 50.0, 10.0) for arm in ("left", "right")]
    posture = side.task("PostureTask", 1e-3)
    balls = side.barrier(
        "BodySphericalBarrier", ("ball_l", "ball_r"), d_min=0.25, gain=100.0, safe_displacement_gain=1.0
    )
    side.stay(*hands, posture)
    ends = [side.where(f"{arm}_wrist")[:3, 3] for arm in ("left", "right")]
    middle = 0.5 * (ends[0] + ends[1])

    def clap(t: float) -> None:
        for hand, end in zip(hands, ends, strict=True):
            side.write(hand, dict(enumerate(end + min(4.0 * t, 0.4) * (middle - end))))

    return Loop([*hands, posture], 5e-3, clap, {"barriers": [balls]})


def double_pendulum(side: Side) -> Loop:
    side.start()
    tip, posture = side.task("FrameTask", "link3", 1.0, 1e-3), side.task("PostureTask", 1e-2)
    side.stay(tip, posture)
    side.write(tip, {2: side.where("link3")[2, 3] - 0.1})
    return Loop([tip, posture], 1e-2, lambda t: side.write(tip, {1: 0.1 * np.sin(t)}))


def bounded_base(side: Side) -> Loop:
    side.start(np.concatenate([[0, 0, 0.3, 0, 0, 0, 1.0], LEGS]))
    slow = side.limit("FloatingBaseVelocityLimit", "base", [0.3, 0.3, 0.2], [0.8, 0.8, 0.8])
    base, posture = side.task("FrameTask", "base", 1.0, 1.0), side.task("PostureTask", 1e-3)
    side.stay(base, posture)
    side.aim(base, moved(2.0, 0.0, 0.0) @ side.where("base"))
    limits = [side.limit("ConfigurationLimit"), side.limit("VelocityLimit"), slow]
    return Loop([base, posture], 0.1, limits=lambda t: limits)


def flying_arms(side: Side) -> Loop:
    joints = ("shoulder_lift_joint", "shoulder_pan_joint", "elbow_joint")
    side.start(**{f"{arm}_{joint}": 1.0 for arm in ("left", "right") for joint in joints})
    base = side.task("FrameTask", "base", 1.0, 1.0, lm_damping=0.1)
    ends = [side.task("FrameTask", f"{arm}_tool0", 1.0, 1.0, lm_damping=1.0) for arm in ("left", "right")]
    posture = side.task("PostureTask", 1e-3)
    side.stay(base, *ends, posture)

    def fly(t: float) -> None:
        side.write(base, {2: 0.3 * np.sin(2.0 * t)})
        for end in ends:
            side.write(end, {1: 0.5 + 0.1 * np.sin(2.0 * t), 2: 0.2})

    return Loop([base, *ends, posture], 5e-3, fly)


def waving(
    side: Side, feet: tuple[str, str], body: str, hand: str, costs: tuple[float, float], more: Iterable[Any] = ()
) -> Loop:
    """Stand on two feet, a little apart, and wave with a hand."""
    soles = [side.task("FrameTask", foot, 1.0, costs[0]) for foot in feet]
    trunk, wrist = side.task("FrameTask", body, 1.0, 0.0), side.task("FrameTask", hand, 1.0, costs[1])
    side.aim(trunk, side.where(body))
    for sole, foot, step in zip(soles, feet, (0.1, -0.1), strict=True):
        side.aim(sole, side.where(foot) @ moved(step, 0.0, 0.0))
    start = side.where(hand)

    def wave(t: float) -> None:
        T = start.copy()
        T[:3, :3] = T[:3, :3] @ turned(np.pi / 2) @ lie.exp_so3([0.0, -3.0, 0.0])
        T[:3, 3] += 0.5, -0.1 + 0.05 * np.sin(8.0 * t), 0.5
        side.aim(wrist, T)

    return Loop([*soles, trunk, wrist, *more], 5e-3, wave, {"damping": DECIDED})


TALOS = ("left_sole_link", "right_sole_link")


def coupled(side: Side) -> Loop:
    side.start(standing(side))
    posture = side.task("PostureTask", 1e-1)
    side.stay(posture)
    couple = [
        side.task("JointCouplingTask", [f"leg_{leg}_3_joint", f"leg_{leg}_4_joint"], [2.0, 1.0], 100.0, side.at, 1e-7)
        for leg in ("left", "right")
    ]
    return waving(side, TALOS, "torso_2_link", "gripper_right_base_link", (1.0, 4.0), [posture, *couple])


def standing(side: Side) -> Array:
    """Return a configuration of TALOS with bent knees, a little from every limit."""
    tree = side.pair.tree
    q = dik.custom_configuration_vector(tree)
    low, high = tree.lower, tree.upper
    q[7:] = np.clip(q[7:], low[7:] + 0.05 * (high[7:] - low[7:]), high[7:] - 0.05 * (high[7:] - low[7:]))
    for leg in ("left", "right"):
        for joint, angle in ((3, -0.4), (4, 0.8), (5, -0.4)):
            q[tree.joint_place(f"leg_{leg}_{joint}_joint")[0]] = angle
    return q


def waving_talos(side: Side) -> Loop:
    side.start(standing(side))
    return waving(side, TALOS, "torso_2_link", "gripper_right_base_link", (3.0, 3.0))


def backbend(side: Side) -> Loop:
    side.start(standing(side))
    centre, soles = side.task("ComTask", 2.0), [side.task("FrameTask", foot, 1.0, 3.0) for foot in TALOS]
    for sole, foot, step in zip(soles, TALOS, (0.1, -0.1), strict=True):
        side.aim(sole, side.where(foot) @ moved(step, 0.0, 0.0))
    start = side.centre()
    return Loop([centre, *soles], 5e-3, lambda t: centre.set_target(start + [0.0, 0.0, 0.05]), {"safety_break": False})


def g1_squat(side: Side) -> Loop:
    q = side.pair.tree.q0.copy()
    q[2] = 0.72
    side.start(q)
    pelvis, centre = side.task("FrameTask", "pelvis", 0.0, 10.0), side.task("ComTask", 200.0)
    posture = side.task("PostureTask", 1e-1)
    feet = [side.task("FrameTask", f"{leg}_ankle_roll_link", [2.0, 2.0, 200.0], 10.0) for leg in ("right", "left")]
    hands = [side.task("FrameTask", f"{arm}_wrist_yaw_link", 4.0, 0.0) for arm in ("right", "left")]
    side.stay(pelvis, centre, posture, *feet, *hands)
    for hand, arm in zip(hands, ("right", "left"), strict=True):
        side.aim(hand, moved(-0.1, 0.0, -0.2) @ side.where(f"{arm}_wrist_yaw_link"))
    return Loop(
        [pelvis, posture, centre, *feet, *hands],
        5e-3,
        lambda t: centre.set_target(np.array([0.0, 0.0, 0.55 + 0.05 * np.sin(np.pi * t)])),
        {"damping": 0.01, "safety_break": False},
    )


def feet_apart(side: Side) -> Loop:
    side.start(standing(side))
    soles = [side.task("FrameTask", foot, 1.0, 1.0) for foot in TALOS]
    trunk, posture = side.task("FrameTask", "torso_2_link", 1.0, 1.0), side.task("PostureTask", 1e-2)
    side.stay(trunk, posture)
    for sole, foot, step in zip(soles, TALOS, (0.03, -0.03), strict=True):
        side.aim(sole, side.where(foot) @ moved(0.0, step, 0.0))
    return Loop([*soles, trunk, posture], 5e-3)


def one_pose(side: Side, frame: str, q: Array) -> Loop:
    """Go to a pose, with no more than a little damping."""
    side.start(q)
    target = side.where(frame)
    side.start()
    end = side.task("FrameTask", frame, [1.0, 1.0, 1.0], [1.0, 1.0, 1.0])
    side.aim(end, target)
    return Loop([end], 1e-2, named={"damping": 1e-8})


def omni(side: Side) -> Loop:
    side.start()
    base = side.task("FrameTask", "base", 1.0, 1e-5)
    base.gain = 0.05
    side.stay(base)

    def jump(t: float) -> None:
        jumpy = 0.0 if t < 0.1 else -0.9
        side.write(base, {0: 0.2 * jumpy}, turned(np.pi * jumpy))

    return Loop([base, side.task("DampingTask", 1e-6)], 1e-2, jump)


def circling(side: Side, kind: str) -> Loop:
    """Drive on a circle, the fingertip held in the world, moved in the world, or moved against the base."""
    side.start(**dict.fromkeys(("arm_2_joint", "arm_4_joint"), 0.5), torso_lift_joint=0.1, arm_1_joint=0.5)
    base, frame = side.task("FrameTask", "base_footprint", 0.1, 1.0), "arm_tool_link"
    finger = (
        side.task("RelativeFrameTask", frame, "base_footprint", 1.0, 1e-4)
        if kind == "base"
        else side.task("FrameTask", frame, 1.0, 1e-4)
    )
    posture = side.task("PostureTask", 1e-4)
    side.stay(base, finger, posture)
    centre, height = side.where(frame)[:2, 3], side.where(frame)[2, 3]

    def drive(t: float) -> None:
        u = np.array([np.cos(t), np.sin(t)])
        side.write(base, dict(enumerate(centre + 0.5 * u)), turned(0.5 * np.pi * t))
        if kind != "held":
            side.write(finger, {2: height + 0.1 * u[1]})

    return Loop([base, finger, posture], 1e-2, drive)


def pendulum(side: Side) -> Loop:
    """The short way leads into a limit, and the pendulum stays there."""
    side.start(np.array([5.5]))
    tip = side.task("FrameTask", "link2", 1.0, 0.61)
    side.stay(tip)
    side.start(np.array([0.05]))
    return Loop([tip], 1e-2)


def planar_manipulability(side: Side) -> Loop:
    side.start(np.ones(2))
    wide = side.task(
        "ManipulabilityTask", "link3", side.model, 1.0, lm_damping=1e-3, manipulability_rate=50.0, mask="planar_xy"
    )
    return Loop([wide, side.task("DampingTask", 1e-6)], 1e-2)


def crouching(side: Side, base: bool = False) -> Loop:
    """Bend the knees, the wheels locked; on a free base that is to stay."""
    tree = side.pair.tree
    q = dik.custom_configuration_vector(tree, FL_HFE=0.4, FL_KFE=-0.8, FR_HFE=0.4, FR_KFE=-0.8)
    side.start(q)
    feet = [side.task("FrameTask", foot, [0.1, 0.0, 0.1], 0.0) for foot in ("FL_FOOT", "FR_FOOT")]
    posture = side.task("PostureTask", 1e-3)
    side.stay(*feet)
    side.posture(posture, q)
    trunk = [side.task("FrameTask", "base_link", 1.0, 1.0)] if base else []
    side.stay(*trunk)
    heights = [side.where(foot)[2, 3] for foot in ("FL_FOOT", "FR_FOOT")]

    def bend(t: float) -> None:
        for foot, height in zip(feet, heights, strict=True):
            side.write(foot, {2: height + 0.1 * (1.0 - np.cos(t))})

    return Loop([*trunk, *feet, posture], 5e-3, bend)


WHEELS, RADIUS = ("wheel_left_link", "wheel_right_link"), 0.0985


def rolling(side: Side) -> Loop:
    q = side.pair.tree.q0.copy()
    q[:3] = -2.0, 0.0, RADIUS
    side.start(q)
    q[2] += RADIUS - side.where(WHEELS[0])[2, 3]
    side.start(q)
    base, posture = side.task("FrameTask", "base_footprint", 1.0, 1.0), side.task("PostureTask", 1e-3)
    hubs = [side.task("FrameTask", wheel, 1.0, 0.0) for wheel in WHEELS]
    rolls = [side.task("RollingTask", wheel, "universe", RADIUS, 10.0) for wheel in WHEELS]
    side.stay(base, posture, *hubs)
    start = [side.where(frame)[0, 3] for frame in ("base_footprint", *WHEELS)]

    def drive(t: float) -> None:
        side.write(base, {0: start[0] + 0.1 * t})
        for hub, x, swing in zip(hubs, start[1:], (0.1, -0.1), strict=True):
            side.write(hub, {0: x + 0.1 * t + swing * np.sin(t)})

    return Loop([base, *hubs], 5e-3, drive, {"damping": 1e-3, "constraints": rolls})
