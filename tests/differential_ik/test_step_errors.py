"""Errors of tasks, limits, barriers and steps."""

import numpy as np
import pytest
from pink_robots import Q, robot, urdf
from row_tasks import RowLimit, RowTask
from task_pairs import PointTask

from lessons_lib import collisions, robots
from lessons_lib import differential_ik as dik
from lessons_lib.errors import (
    ConfigurationError,
    FrameNotFound,
    LimitsError,
    ParameterError,
    TransformError,
    UnknownArgument,
    UrdfError,
)

nan, inf, E4, L = np.nan, np.inf, np.eye(4), "base_link"
UR10, GO2 = robot("UR10").tree, robot("Go2").tree
AT = dik.Configuration(UR10, Q)
SHRUNK, OUTSIDE = 2 * np.eye(4), Q + [0, 0, 5, 0, 0, 0]
WIDE = dik.LinearHolonomicTask(np.ones((1, 8)), [0.0])
WHEEL = dik.OmniwheelTask("wheel_left_link", "universe", 0.1, 1.0)
LYING = robots.load_urdf(urdf("tiago_no_hand"), floating_base=True)
FLAT = LYING.q0.copy()
FLAT[3:7] = np.sin(np.pi / 4), 0.0, 0.0, np.cos(np.pi / 4)


def frame(position=1.0, orientation=1.0, name="tool0", target=None, **more):
    """Return a FrameTask, with a target if one is given."""
    task = dik.FrameTask(name, position, orientation, **more)
    if target is not None:
        task.set_target(target)
    return task


def posture(cost=1.0, target=None):
    task = dik.PostureTask(cost)
    if target is not None:
        task.set_target(target)
    return task


def solve_with_modified_target(index, value, kind):
    """Return a call that solves for a task whose target was modified to an invalid one."""
    task = frame(target=E4) if kind == "error" else dik.RelativeFrameTask("tool0", L, 1.0, 1.0)
    task.set_target(E4)
    task.target()[index] = value
    return task.compute_error(AT) if kind == "error" else dik.build_ik(AT, [task], 0.01)


def step(tasks=(), dt=0.01, at=AT, **more):
    for ask in (dik.build_ik, dik.solve_ik):
        ask(at, list(tasks) if isinstance(tasks, tuple) else tasks, dt, **more)


class Objective(PointTask):
    """A user-defined task with an invalid objective."""

    def __init__(self, H, c):
        super().__init__("tool0", np.zeros(3))
        self.given = H, c

    def compute_qp_objective(self, configuration):
        return self.given


class Bounds(dik.VelocityLimit):
    """A user-defined box."""

    def __init__(self, low, high):
        super().__init__(UR10)
        self.given = low, high

    def compute_bounds(self, configuration, dt):
        return self.given


def follow_twist(**speeds):
    dik.FrameVelocityTask("tool0").set_target_pose(AT, E4, 0.1, **speeds)


def body(text, **options):
    whole = f'<robot name="r"><link name="a"><collision>{text}</collision></link></robot>'
    return collisions.load_collisions(whole, robots.load_urdf(whole), **options)


PARAMETERS = [
    *((lambda g=gain: frame(gain=g), "gain must be") for gain in (-0.1, 1.0001, nan, inf, "all", None, [0.5])),
    *((lambda d=d: dik.ComTask(1.0, lm_damping=d), "lm_damping must be") for d in (-1e-9, nan, "some")),
    *(
        (make, "(position_|orientation_|)cost must be")
        for cost in (-1.0, [1.0, -1.0, 1.0], nan, [inf, 1.0, 1.0], 1e300, "dear", [[1.0]], [])
        for make in (
            lambda c=cost: frame(c),
            lambda c=cost: frame(1.0, c),
            lambda c=cost: frame().set_position_cost(c),
            lambda c=cost: dik.PostureTask(c),
            lambda c=cost: dik.ComTask(c),
        )
    ),
    (lambda: frame([1.0, 2.0]), r"position_cost must be one number or 3, got shape \(2,\)"),
    (lambda: step([posture(np.ones(5), Q)]), "PostureTask must have one cost, or 6, .* got 5"),
    *(
        (lambda n=name, m=make: m(n), "must be the name of a frame, got (ndarray|NoneType|int)")
        for name in (np.zeros(3), None, 7)
        for make in (
            lambda n: frame(name=n),
            lambda n: dik.RelativeFrameTask("tool0", n, 1.0, 1.0),
            lambda n: dik.ManipulabilityTask(n, UR10),
            lambda n: dik.PositionBarrier(n, p_min=0.0),
            lambda n: dik.BodySphericalBarrier(("tool0", n), 0.1),
            lambda n: dik.FrameVelocityLimit(UR10, n, 1.0, 1.0),
        )
    ),
    (lambda: dik.ComTask(1.0).set_target([0.0, nan, 0.0]), "target_com must .*finite"),
    (lambda: dik.LowAccelerationTask(1.0).set_last_integration(Q, 0.0), "dt must be above 0, got 0.0"),
    (lambda: dik.LowAccelerationTask(1.0).set_last_integration(nan * Q, 1.0), "v_prev must be finite"),
    (lambda: dik.JointCouplingTask(["elbow"], [1.0], 1.0, AT), "did you mean 'elbow_joint'"),
    (lambda: dik.JointCouplingTask(["elbow_joint"], [1.0, 2.0], 1.0, AT), r"shape \(1,\), got \(2,\)"),
    (lambda: dik.FrameIntervalTask("t", (0,) * 5 + ((1, -1),), 1.0, 1.0), "position z must have lower"),
    (lambda: dik.ManipulabilityTask("tool0", UR10, reference_frame="body"), "must be 'local' or 'world'"),
    (lambda: dik.ManipulabilityTask("tool0", UR10, mask="xy"), "mask must be .*, got 'xy'"),
    (lambda: dik.ManipulabilityTask("tool0", UR10, mask=[0] * 6), "mask must be six ones and zeros"),
    (lambda: dik.ManipulabilityTask("tool0", UR10, manipulability_rate=nan), "manipulability_rate must"),
    (lambda: dik.PointTask("a", line=[1, 0, 0], plane=[0, 0, 1]), "not both"),
    (lambda: dik.PointTask("a", plane=[0, 0, 0]), "plane must be a direction .* that is not zero"),
    (lambda: dik.PointTask("a", point=[nan, 0, 0]), "point must be finite"),
    (lambda: dik.AngleTask("a", [1, 0, 0], root_axis=[1, 0, 0]).set_target(0.0), "AxisTask makes axes"),
    (lambda: dik.FrameVelocityTask("tool0", mask="up"), "mask must be .*, got 'up'"),
    (lambda: dik.FrameVelocityTask("tool0").set_target(np.ones(5), 0.1), r"shape \(6,\)"),
    (lambda: follow_twist(max_angular_speed=-1.0), "max_angular_speed must be at least 0"),
    (lambda: follow_twist(max_linear_velocity=[1.0, 1.0]), "max_linear_velocity must be one number or 3"),
    (lambda: dik.RollingTask(L, "universe", 0.0, 1.0), "wheel_radius must be"),
    (lambda: dik.OmniwheelTask(L, "universe", 0.1, [1.0] * 3), "cost must be one number or 2"),
    (lambda: WHEEL.compute_jacobian(dik.Configuration(LYING, FLAT)), "axle of the wheel at 'wheel_left_link' must"),
    *(
        (lambda g=gain: dik.ConfigurationLimit(UR10, g), "config_limit_gain must be")
        for gain in (0.0, -0.1, 1.5, nan, "much")
    ),
    (lambda: step(limits=[dik.VelocityLimit(GO2)]), "VelocityLimit was made for 'go2_description', the"),
    (lambda: step(limits=[RowLimit(np.ones((2, 6)), np.ones(3))]), r"\(k, 6\) and \(k,\) for ur10"),
    (lambda: step(limits=[RowLimit(np.ones((1, 6)), [nan])]), "h must not be NaN"),
    (
        lambda: dik.solve_ik(AT, [], 0.01, limits=[Bounds(-np.ones(5), np.ones(5))]),
        r"shape \(6,\), one for each limited rate, got \(5,\) and \(5,\)",
    ),
    (lambda: step(limits=[Bounds(nan * Q, nan * Q)]), "h must not be NaN"),
    *(
        (lambda i=i: dik.PositionBarrier("tool0", i, p_min=[0.0]), "indices must be some of 0, 1 and 2")
        for i in ([3], [0, 0], [], [-1], [1.0], [True, False], 5)
    ),
    (lambda: dik.PositionBarrier("tool0", [0], p_min=[0.0], gain=-1.0), "gain must be finite and at"),
    (lambda: dik.BodySphericalBarrier("ab", 0.1), "frames must be the names of two frames"),
    (lambda: dik.SelfCollisionBarrier(1).compute_barrier(AT), "collision_model=collisions.load_coll"),
    (lambda: collisions.load_collisions(robots.urdf_file("ur10"), robots.ur10()), "tree must be a tree, got a Chain"),
    *(
        (lambda n=name, v=value: body("", **{n: v}), f"{name} must be a list of {words}, got ")
        for name, values, words in (
            ("obstacles", (["box"], collisions.sphere([0, 0, 0], 0.1)), "spheres, capsules, boxes and meshes"),
            ("carried", (["a"], ("a", collisions.sphere([0, 0, 0], 0.1)), [("a", 1)]), r"pairs \(link, capsule\)"),
            ("skip", (["a"], ["ab"], 3), "pairs of names of links"),
        )
        for value in values
    ),
    *((lambda dt=dt: step(dt=dt), "dt must be") for dt in (0.0, -0.01, nan, inf, "soon", None)),
    (lambda: step(damping=-1.0), "damping must be"),
    (lambda: step(dik.DampingTask(1.0)), "tasks must be a list of Task; put it in a list"),
    (lambda: step(["posture"]), "tasks must contain Task objects, got 'posture'"),
    (lambda: step(limits=[3]), "limits must contain Limit objects, got 3"),
    (lambda: step(barriers=[None]), "barriers must contain Barrier objects, got None"),
    (lambda: step(constraints=1.0), "constraints must be a list of Task, got 1.0"),
    (lambda: step(at=Q), r"configuration must be a Configuration\(model, q\), got a ndarray"),
    *(
        (lambda e=e, J=J, c=c: step([] if c else [RowTask(J, e)], constraints=[RowTask(J, e)] if c else []), w)
        for c in (False, True)
        for e, J, w in (
            ([nan], np.ones((1, 6)), "Jacobian of .*RowTask .*must be finite"),
            ([1.0], np.full((1, 6), inf), "Jacobian of .*RowTask .*must be finite"),
            ([1.0], np.ones((1, 5)), r"shapes \(k,\) and \(k, 6\) for ur10, got \(1,\) and \(1, 5\)"),
        )
    ),
    (lambda: step([Objective(np.eye(6), nan * Q)]), "H and c of .* must be finite"),
    (lambda: step([Objective(np.eye(5), Q)]), r"shapes \(6, 6\) and \(6,\) for ur10, got \(5, 5\) and \(6,\)"),
    (lambda: dik.solve_scaled(AT, [], 0.1), "directions must contain"),
    (lambda: dik.Configuration(robots.ur10(), Q), "model must be a tree, got a Chain; make one with"),
    (lambda: AT.integrate(np.zeros(5), 0.1), r"velocity must have shape \(6,\), got \(5,\)"),
    (lambda: AT.integrate(nan * Q, 0.1), "velocity must be finite"),
    (lambda: AT.integrate(Q, inf), "dt must be a finite number, got inf"),
    (lambda: dik.get_joint_idx(GO2, "FL_calf"), "no moving joint 'FL_calf'; did you mean 'FL_calf_joint'"),
    (lambda: robots.load_urdf(urdf("panda"), locked=["panda_finger_joint2"]), "'panda_finger_joint2' mimics"),
    (lambda: dik.run_loop(5, 200.0, 1.0), "step must be a function of the scheduled time.*got 5"),
    *((lambda x=x: dik.run_loop(print, x, 1.0), "frequency must be") for x in (0.0, nan, "fast")),
    (lambda: dik.run_loop(print, 200.0, 5001.0), "duration must be above 0 and at most 5000"),
    *(
        (lambda t=tasks: dik.prioritized_rates(t), words)
        for tasks, words in (
            ([], "tasks must be a list of pairs"),
            ([(np.ones(3), [1.0])], "the Jacobian of task 1 must be a matrix of finite numbers"),
            ([(np.eye(3), np.zeros(2))], r"V of task 1 must have shape \(3,\), got \(2,\)"),
            ([(np.eye(3), [0, nan, 0])], "V of task 1 must be finite, got .*nan"),
            ([(np.full((1, 3), inf), [0])], "the Jacobian of task 1 must be a matrix of .*, got inf at 0, 0"),
            ([(np.eye(3), np.zeros(3)), (np.eye(2), np.zeros(2))], "Jacobian of task 2 must have 3 columns, .* got 2"),
        )
    ),
    (lambda: dik.prioritized_rates([(np.eye(3), np.zeros(3))], [1.0]), r"secondary must have shape \(3,\)"),
]
TASKS = [
    *(
        (lambda f=f: f.compute_error(AT), dik.TargetNotSet, "has no target; call set_target")
        for f in (
            *(frame(), dik.RelativeFrameTask("tool0", L, 1.0, 1.0), posture(), dik.ComTask(1.0), dik.PointTask(L)),
            *(dik.AxisTask(L, [1, 0, 0]), dik.FrameIntervalTask("tool0", (0,) * 6, 1.0, 1.0)),
            *(dik.JointVelocityTask(1.0), dik.FrameVelocityTask("tool0")),
        )
    ),
    (lambda: step([frame()]), dik.TargetNotSet, r"FrameTask\(.* has no target; call set_target\(…\) or set_target_"),
    (lambda: step([dik.JointVelocityTask(1.0)]), dik.TargetNotSet, r"has no target; call set_target\(…\) first"),
    (lambda: step([frame(name="tool", target=E4)]), FrameNotFound, "'tool0'"),
    (lambda: frame(name="tool", target=E4).compute_jacobian(AT), FrameNotFound, "'tool0'"),
    *(
        (lambda T=T: frame(target=T), TransformError, "the target of frame 'tool0'")
        for T in (np.eye(3), np.full((4, 4), nan), "here", SHRUNK)
    ),
    (lambda: frame(target=[0.1, 0.2, 0.3]), TransformError, r"got \(3,\); for a position p use lie.pose\(numpy.eye"),
    *(
        (lambda t=t: t.set_target_from_configuration(Q), ParameterError, "must be a Configuration.*ndarray")
        for t in (frame(), posture(), dik.ComTask(1.0), dik.PointTask("tool0"), dik.AxisTask("tool0", [0, 0, 1]))
    ),
    *(
        (lambda p=p, v=v, k=k: solve_with_modified_target(p, v, k), TransformError, f"target of frame 'tool0'.*{words}")
        for p, v, words in (((0, 0), 2.0, "not a rotation"), ((0, 3), nan, "finite"), ((3, 3), 2.0, "last row"))
        for k in ("error", "objective")
    ),
    *(
        (lambda t=t: posture(target=t), ConfigurationError, "target_q must be a vector of (finite )?numbers")
        for t in (np.full(6, nan), np.zeros((2, 3)), 1.0, "home")
    ),
    (lambda: step([posture(target=np.zeros(7))]), ConfigurationError, r"target_q must have shape \(6,\), .*\(7,\)"),
    (lambda: dik.JointVelocityTask(1.0).set_target("fast", 0.01), dik.TaskDefinitionError, "target_v must"),
    (lambda: dik.LinearHolonomicTask(np.ones((3, 4)), np.ones(5)), dik.TaskDefinitionError, "5"),
    (lambda: dik.LinearHolonomicTask([[nan]], [0.0]), dik.TaskDefinitionError, "finite"),
    (lambda: WIDE.compute_error(AT), dik.TaskJacobianNotSet, "A must have 6 columns, one for each rate of ur10, got 8"),
    (lambda: dik.ManipulabilityTask("tool", UR10), FrameNotFound, "no frame 'tool'"),
    (lambda: dik.RollingTask("tool0", "floor", 0.1, 1.0).compute_error(AT), FrameNotFound, "'floor'"),
]
LIMITS = [
    *(
        (lambda m=make, b=bounds: m(UR10, b), LimitsError, words)
        for make in (dik.VelocityLimit, dik.AccelerationLimit)
        for bounds, words in (
            (np.ones(5), r"must have shape \(6,\)|\(2, 6\), got \(5,\)"),
            (10.0, r"_limit of ur10 must have shape \(6,\), .* got \(\); for .* all joints use numpy.full\(6, 10\)"),
            (-np.ones(6), r"must be at least 0 \(inf for none\)"),
            ("fast", "must be 6 numbers, got 'fast'"),
        )
    ),
    (lambda: dik.VelocityLimit(UR10, [np.ones(6), -np.ones(6)]), LimitsError, "must not exceed"),
    (lambda: dik.LinearVelocityLimit(UR10, np.ones((1, 5)), 0, 1), LimitsError, r"shape \(k, 6\), got shape"),
    (lambda: dik.LinearVelocityLimit(UR10, np.ones((1, 6)), 1, 0), LimitsError, "lower must not exceed upper"),
    (lambda: dik.FrameVelocityLimit(UR10, "tool0", -1.0, 1.0), LimitsError, "max_linear_velocity must be"),
    (lambda: dik.FloatingBaseVelocityLimit(UR10, None, 1.0, 1.0), LimitsError, "load it with floating_base=True"),
    (lambda: dik.FloatingBaseVelocityLimit(GO2, "FL_foot", 1.0, 1.0), LimitsError, "relative to the floating base"),
    (lambda: dik.PositionBarrier("tool0"), dik.NoPositionLimitProvided, "needs p_min, p_max or both"),
    (lambda: dik.PositionBarrier("tool0", [0], p_min=[1.0], p_max=[1.0]), LimitsError, "p_min must be below p_max"),
    (lambda: dik.PositionBarrier("tool0", [0, 1], p_max=[1.0] * 3), LimitsError, r"p_max must have shape \(2,\), got"),
    (lambda: dik.BodySphericalBarrier(("a", "b"), -0.1), dik.NegativeMinimumDistance, "d_min must be at least 0"),
    (lambda: dik.SelfCollisionBarrier(1.5), dik.InvalidCollisionPairs, "n_collision_pairs must be"),
    *(
        (lambda b=b: body(b), UrdfError, words)
        for b, words in (
            ("<geometry><sphere/></geometry>", r"sizes of the sphere of body 'a_0' must be .*, got \[\]"),
            ('<geometry><box size="1 -1 1"/></geometry>', "sizes of the box of body 'a_0' must be zero or more"),
            ('<geometry><box size="1 1"/></geometry>', "size of its <box> must be three numbers"),
            ("<geometry/>", "body 'a_0' must have one box, .* got 0 shapes"),
            ('<geometry><mesh filename="package://a/b.stl"/></geometry>', "searched no folder; give some in package"),
        )
    ),
]
STEPS = [
    (lambda: step(at=dik.Configuration(UR10, OUTSIDE)), dik.NotWithinConfigurationLimits, "'elbow_joint' is outside"),
    (
        lambda: step(at=dik.Configuration(UR10, [0, 0, 90, 0, 0, 0])),
        dik.NotWithinConfigurationLimits,
        r"angles are in rad, 90° is 1\.5708: numpy\.radians",
    ),
    (lambda: dik.solve_ik(AT, [], 0.01, solver="nosuch"), dik.UnknownSolver, "is installed; installed are .*'daqp'"),
    (lambda: dik.solve_ik(AT, [], 0.01, damp=1.0), UnknownArgument, "options of the solver 'daqp', got damp"),
    *(
        (lambda q=q: dik.Configuration(UR10, q), ConfigurationError, words)
        for q, words in ((np.zeros(5), r"shape \(6,\), got \(5,\)"), (nan * Q, "must be finite"), ("here", "6 numbers"))
    ),
    (lambda: AT.get_frame_jacobian("tool"), FrameNotFound, "ur10 has no frame.*'tool0'"),
    (lambda: AT.get_velocity_jacobian(None), FrameNotFound, "ur10 has no frame"),
    (lambda: dik.custom_configuration_vector(GO2, FL_calf_joint=[1, 2]), ConfigurationError, "'FL_calf_joint' must"),
    (lambda: dik.custom_configuration_vector(GO2, root_joint=[0] * 6 + [2]), ConfigurationError, "length 1, got 2"),
    *((lambda q=q: dik.middle_cost(q, [[0, 1]] * 2), ConfigurationError, "q must") for q in ([1.0], [1.0, nan], "ab")),
    *((lambda x=x: dik.middle_gradient([0.0], x), LimitsError, r"rows \(lower, upper\)") for x in ([[2, 1]], [1, 2])),
]
REFUSED = [(call, ParameterError, words) for call, words in PARAMETERS]


@pytest.mark.parametrize(("call", "error", "words"), [*REFUSED, *TASKS, *LIMITS, *STEPS])
def test_an_invalid_argument_is_an_error(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_costs_and_gains_of_zero_are_allowed():
    task = frame(0, [0.0, 0.0, 1.0], target=E4, gain=0)
    assert task.gain == 0.0 and task.cost.tolist() == [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert not dik.solve_ik(AT, [task], 0.01).any()
