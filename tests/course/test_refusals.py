"""Invalid arguments of the course's functions raise errors that say what is allowed."""

import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

from lessons_lib import course, extras, lie, robots
from lessons_lib import errors as er
from lessons_lib.course import haviland_corke
from lessons_lib.course.floating_base.standing import standing
from lessons_lib.course.floating_base.support import support_margin
from lessons_lib.course.starts.basins import basins, methods
from lessons_lib.course.tasks import two_hands

inf, nan = np.inf, np.nan
EYE, ZEROS = np.eye(4), np.zeros
UR10, PANDA, PLANAR, BODY = robots.ur10(), robots.panda(), robots.planar_2r(), two_hands.body()
ENDLESS = robots.from_screws(robots.planar_3r().screws, EYE, name="endless")
PINNED = ENDLESS.with_limits(position=[(-1, 1), (0.5, 0.5), (-1, 1)])
NEWTON = methods()["Newton-Raphson"]
POSE = np.array([lie.exp_se3([0.0, 0.0, 0.2, 0.5, 0.1, 0.0])] * 2)
BENT, READY = [0.3, 0.8, 0.7], np.array([0, -0.3, 0, -2.2, 0, 2.0, np.pi / 4])
FATES, SOLUTIONS = np.array([[0, 1], [1, 2]]), np.array([[0.5, 1.5], [2.0, -1.5]])
WAYS = np.linspace(0.0, 2.0, 50)
SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
CIRCLES = {"target": ZEROS((4, 2)), "hand": ZEROS((2, 3))}
FOOT = "foot"

PLANE = [
    (lambda ax: course.draw_reach(ax, (1.0, 0.0), 1.0, 0.0), "length_2 of the planar 2R must be positive .* got 0.0"),
    (lambda ax: course.draw_stages(ax, {}), "each stage needs a positive, finite time"),
    (lambda ax: course.draw_stages(ax, {"a": 0.0}), "each stage needs a positive, finite time"),
    (lambda ax: course.draw_stages(ax, {"a": inf}), "each stage needs a positive, finite time"),
    (lambda ax: course.draw_ellipsoid(ax, PLANAR, [0.1, 0.2], scale=0.0), "scale must be positive"),
    (lambda ax: course.draw_ellipsoid(ax, PLANAR, [0.1, 0.2], scale=inf), "scale must be positive"),
    (lambda ax: course.draw_ellipsoid(ax, UR10, READY[:6]), "UR10 needs 3D axes"),
    (lambda ax: course.draw_basins(ax, FATES[:1], SOLUTIONS), r"led_to must have shape \(m, m\)"),
    (lambda ax: course.draw_basins(ax, FATES + 1, SOLUTIONS), r"0 \(nowhere\), 1 and 2, got \[1.0, 2.0, 3.0\]"),
    (lambda ax: course.draw_basins(ax, FATES, SOLUTIONS[:1]), r"solutions must have shape \(2, 2\)"),
    (lambda ax: course.draw_steps(ax, np.empty((0, 0)), SOLUTIONS), r"must have shape \(m, m\)"),
    (lambda ax: course.draw_steps(ax, FATES, SOLUTIONS, most=0), "at least 1, got 0"),
    (lambda ax: course.draw_compromises(ax, UR10, EYE, {"a": ZEROS(6)}), "out of the x-y plane"),
    (lambda ax: course.draw_compromises(ax, PLANAR, EYE, dict.fromkeys("abcd", [0.0, 0.0])), "one to 3, got 4"),
    (lambda ax: course.draw_exchange(ax, [1.0], [1.0], {}), "one to 3, got 0"),
    (lambda ax: course.draw_exchange(ax, [1.0], [1.0, 2.0], {"a": 0}), "both errors must have shape"),
    (lambda ax: course.draw_exchange(ax, [1.0, 2.0], [1.0, 2.0], {"a": 2}), "indices from 0 to 1"),
    (lambda ax: course.draw_ranges(ax, PANDA, [0.0], [READY, READY]), "to match the configurations"),
    (lambda ax: course.draw_paths(ax, CIRCLES, 1.0), r"'hand' must have shape \(k, 2\), got \(2, 3\)"),
    (lambda ax: course.draw_paths(ax, {}, 1.0), "at least the target"),
    (lambda ax: course.draw_body(ax, BODY, two_hands.LIMBS, {}, two_hands.sides()), "at least one configuration"),
    (lambda ax: course.draw_body(ax, BODY, two_hands.LIMBS, {"now": two_hands.ready()}, ZEROS((3, 3))), "2 points"),
    (lambda ax: course.draw_decay(ax, {}), "one to 4 gains, got 0"),
    (lambda ax: course.draw_cost_and_constraint(ax, [1.0, 2.0], [0.1], hard=0.0), "must both have shape"),
    (lambda ax: course.draw_walk(ax, 1.0, {}), "one or two paths, got 0"),
    (lambda ax: course.draw_walk(ax, 1.0, dict.fromkeys("abc", [[0, 0, 0]])), "one or two paths, got 3"),
    (lambda ax: course.draw_walk(ax, 1.0, {"a": [[0, 0]]}), r"got \(1, 2\)"),
    (lambda ax: course.draw_map_of_reach(ax, [0, 1], [0, 1, 2], ZEROS((2, 3))), "shares must have shape"),
    (lambda ax: course.draw_enclosures(ax, SQUARE, [0.1], [0.1], [0, 0]), r"alone must match centers \(4, 2\)"),
    (lambda ax: course.draw_radii(ax, [0.1], [0.1, 0.2], [0.1]), r"got \(1,\), \(2,\) and \(1,\)"),
    (lambda ax: course.draw_phase_plane(ax, WAYS, {"one": [1.0]}, [0, 1], [0, 0], 1.0), "must have the shape of"),
    (lambda ax: course.draw_phase_plane(ax, WAYS, {}, [0.0, 1.0], [0.0], 1.0), "must have the shape of"),
    (lambda ax: course.draw_room(ax, WAYS, WAYS[1:], [0, 1], [0.03, 0.03]), "at and room must both have shape"),
]
NUMBERS = [
    (lambda _: basins(NEWTON, size=1), "size must be an integer of at least 2, got 1"),
    (lambda _: basins(NEWTON, size=10.0), "got 10.0"),
    (lambda _: basins(NEWTON, tip=(2.0, 0.0)), "must have two solutions, .* has 1"),
    (lambda _: basins(NEWTON, tip=(3.0, 0.0)), "has 0"),
    (lambda _: haviland_corke.repeat(0), "poses must be a positive integer, got 0"),
    (lambda _: haviland_corke.repeat(1.5), "got 1.5"),
    (lambda _: course.wilson_interval(0, 0), "trials must be positive and successes between 0 and trials, got 0 of 0"),
    (lambda _: course.wilson_interval(11, 10), "got 11 of 10"),
    (lambda _: course.damped_gain(1.0, -0.1), "damping must be finite and nonnegative"),
    (lambda _: course.damped_gain(1.0, inf), "damping must be finite and nonnegative"),
    (lambda _: course.relative_places(PANDA, "ready"), "configurations of Panda must be numbers"),
    (lambda _: course.relative_places(PANDA, BENT), r"shape \(..., 7\), got \(3,\)"),
    (lambda _: course.speed_up(1.5, 2.0), r"share must be in \[0, 1\], got 1\.5"),
    (lambda _: course.speed_up(0.5, 0.5), r"cores must be at least 1, got 0\.5"),
    (lambda _: course.joints_on_line([0.0], 0.0), "d must be positive and all"),
    (lambda _: course.joints_on_line([2.0], 0.1), "d must be positive and all"),
    (lambda _: course.joints_on_line(0.3, 0.1), "d must be positive and all"),
    (lambda _: course.sampled_joints(UR10, POSE, ZEROS(6), rate=inf), "rate must be positive and finite, got inf"),
    (lambda _: course.sampled_joints(UR10, POSE, ZEROS(6), interval="1"), "got '1'"),
    (lambda _: course.sampled_joints(UR10, POSE, ZEROS(6), duration=0), "duration must be positive and finite, got 0"),
    (lambda _: course.sampled_joints(UR10, lambda t: POSE[0], ZEROS(6)), "duration must be given"),
    (lambda _: course.self_motion(PANDA, READY, FOOT), "got 'foot'"),
    (lambda _: course.self_motion(PANDA, READY, step=0.0), "0 < step ≤ longest"),
    (lambda _: course.self_motion(PANDA, READY, "position"), "exactly one redundant joint"),
    (lambda _: course.self_motion(UR10, READY[:6] + 0.2), "exactly one redundant joint"),
    (lambda _: standing(0.0), r"height must be in \(0, 0\.4\] m"),
    (lambda _: standing(0.401), r"height must be in \(0, 0\.4\] m"),
    (lambda _: course.PointTask("front_left_foot", [1.0, 2.0]), "one number or 3, got shape"),
    (lambda _: course.stand_at(course.trunk_pose(), lifted="tail"), "got 'tail'"),
    (lambda _: support_margin(SQUARE[:2], [0, 0]), "at least three feet, got 2"),
    (lambda _: support_margin([[0, 0], [1, 1], [2, 2]], [0, 0]), "the 3 feet must not lie on one line"),
    (lambda _: support_margin([[0, 0], [1, inf], [2, 2]], [0, 0]), "feet must be finite points"),
    (lambda _: support_margin(ZEROS((3, 4)), [0, 0]), r"got shape \(3, 4\)"),
    (lambda _: support_margin(SQUARE, [0, 0, 0, 0]), "point must be two or three finite numbers"),
    (lambda _: support_margin(SQUARE, [0, nan]), "point must be two or three finite numbers"),
    (lambda _: course.misses(1.1, 3), r"chance must be in \[0, 1\], got 1.1"),
    (lambda _: course.misses(0.1, -1), "samples must be a nonnegative integer, got -1"),
    (lambda _: course.tip_program([0.4, 1.0], [1.0]), "velocity must be two finite numbers"),
    (lambda _: course.tip_program([0.4, 1.0], [nan, 0.0]), "velocity must be two finite numbers"),
    (lambda _: course.Servo(delay=-1), "delay"),
    (lambda _: two_hands.hand_tasks(gain=1.5), "gain must be"),
]
OTHER_ERRORS = [
    (lambda ax: course.draw_reach(ax, (nan, 0.0)), er.TransformError, "tip must be finite"),
    (lambda ax: course.draw_interpolations(ax, {"one": POSE[0]}), er.TransformError, "must be an array of poses"),
    (lambda ax: course.draw_interpolations(ax, {"one": POSE[:1]}), er.TransformError, r"got \(1, 4, 4\)"),
    (lambda ax: course.draw_interpolations(ax, {"one": 2 * POSE}), er.TransformError, "pose 0 of one: the last row"),
    (
        lambda ax: course.draw_body(ax, BODY, [["tail", "torso"]], {"now": two_hands.ready()}, two_hands.sides()),
        er.FrameNotFound,
        "tail",
    ),
    (lambda _: course.relative_places(ENDLESS, BENT), er.LimitsError, "each joint of endless must have two limits"),
    (lambda _: course.relative_places(PINNED, BENT), er.LimitsError, "must have a positive width"),
    (lambda _: course.sampled_joints(UR10, POSE, ZEROS(5)), er.ConfigurationError, r"shape \(6,\), got \(5,\)"),
    (lambda _: course.self_motion(PANDA, ZEROS(7) + 3.0), er.ConfigurationError, "outside its limits"),
    (lambda _: course.stand_at(np.ones((4, 4))), er.TransformError, "the last row"),
    (lambda _: course.tip_program([0.4, 1.0, 0.2], [0.0, 0.0]), er.ConfigurationError, r"shape \(2,\)"),
    (lambda _: course.follow_commands([READY[:5]]), er.ConfigurationError, "commands must be finite"),
    (lambda _: course.follow_commands([READY[:6] * nan]), er.ConfigurationError, "commands must be finite"),
    (lambda _: two_hands.sides([0.0, 1.0]), er.ConfigurationError, r"centre must have shape \(3,\)"),
    (lambda _: two_hands.sides([0.0, 0.0, nan]), er.ConfigurationError, "centre must be finite"),
]
IN_SPACE = [
    (lambda ax: course.draw_ellipsoid(ax, PLANAR, [0.1, 0.2]), er.ParameterError, "planar 2R needs 2D axes"),
    (lambda ax: course.draw_ellipsoid(ax, UR10, READY[:6], hand="fixed"), er.ParameterError, "got 'fixed'"),
    (lambda ax: course.draw_ellipsoid(ax, UR10, [0.0]), er.ConfigurationError, r"must have shape \(6,\)"),
]


PARAMETERS = [(call, er.ParameterError, words) for call, words in (*PLANE, *NUMBERS)]


@pytest.mark.parametrize("refusal", [*PARAMETERS, *OTHER_ERRORS, *IN_SPACE])
def test_an_invalid_argument_raises_an_error_that_says_what_is_allowed(refusal):
    call, error, words = refusal
    projection = "3d" if refusal in IN_SPACE else None
    with pytest.raises(error, match=words):
        call(Figure().add_subplot(projection=projection))


def test_without_mujoco_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(extras.MissingExtra, match=r"lessons-lib\[simulation\]"):
        course.follow_commands([READY[:6]])
