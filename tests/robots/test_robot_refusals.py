"""Errors of the functions and methods of robots."""

import numpy as np
import pytest
from pinocchio_trees import BROKEN, ROBOTS
from urdf_texts import EVERY_KIND, TWO_LINKS, joint, link, robot

from lessons_lib import errors, robots
from lessons_lib.robots import Coupling
from lessons_lib.robots.urdf_text import MAX_BYTES

nan, inf, E4 = np.nan, np.inf, np.eye(4)
HINGE, SLIDER = [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]
TWO, ROW = np.array([HINGE, SLIDER], dtype=float).T, (0, 0, 1)
UR10, PANDA, PLANAR = robots.ur10(), robots.panda(), robots.planar_2r()
DOG = robots.load_urdf(robots.urdf_file("quadruped"), floating_base=True)
ARMS = robots.urdf_file("two_arms")
FAR, STRAIGHT = np.eye(4), PANDA.screws.copy()
FAR[1, 3], STRAIGHT[:, 3] = 1e120, STRAIGHT[:, 2]


def screws(*columns, **options):
    return lambda: robots.from_screws(np.array(columns, dtype=float).T, options.pop("home", E4), **options)


def dh(rows, *arguments, **options):
    return lambda: robots.from_dh(rows, *arguments, **options)


def serial(*arguments):
    return lambda: robots.from_urdf(*arguments)


def tree(source, **options):
    return lambda: robots.load_urdf(source, **options)


PARAMETERS = [
    (lambda: UR10.random_configuration(5), "rng must be a generator"),
    (screws(HINGE, coupling=np.eye(1)), r"must be a robots.Coupling\(matrix, offset, limits\)"),
    (lambda: robots.load_dh("0 0 1"), "must be the path of a file"),
    (lambda: robots.arm_angle("panda", np.zeros(7)), "chain must be a chain, got a str; make one with"),
    (lambda: robots.arm_angle(UR10, np.zeros(6)), "the arm angle needs seven revolute"),
    (
        lambda: robots.arm_angle(robots.from_screws(STRAIGHT, E4, name="stick"), np.ones(7)),
        "stick has no arm angle: the axes of joints 3 and 4 are parallel",
    ),
    *(
        (lambda f=make, x=x: f(x), "length_2 of the planar .R must be positive and finite, in")
        for x in (0.0, -1.0, nan, inf, "long", None)
        for make in (
            lambda x: robots.planar_2r_solutions((1, 0), length_2=x),
            lambda x: robots.planar_2r_corners((1, 0), length_2=x),
            lambda x: robots.planar_2r(1.0, x),
            lambda x: robots.planar_3r(1.0, x),
        )
    ),
    (lambda: robots.manipulability(np.eye(6), "linear"), "unknown part .*; valid are 'all', 'rota"),
    (lambda: robots.manipulability(np.ones((5, 6)), "rotation"), r"a Jacobian must have shape \(6, n\), .*; got \(5"),
    (lambda: robots.singular_values(np.ones(6)), r"a Jacobian must be a matrix, shape \(6,"),
    (lambda: robots.condition_number(nan * np.eye(6)), "a Jacobian must be finite, got .*nan"),
    (lambda: robots.manipulability("six by six"), "a Jacobian must be a matrix of numbers"),
    *(
        (tree(ARMS, **{flag: value}), f"{flag} must be True or False, got")
        for flag in ("floating_base", "mimic", "planar_base")
        for value in ("no", None, 1)
    ),
    (tree(EVERY_KIND, locked=["plane"]), "r has no revolute or prismatic joint 'plane'"),
    (lambda: robots.urdf_file("quadriped"), "is named 'quadriped'; did you mean 'quadruped'"),
    (lambda: DOG.random_configuration(5), "rng must be a generator"),
    (
        lambda: robots.load_urdf(robot(link("a", 3.0, "0 0 0") + '<link name="b"/>' + joint())).centre_of_mass([0.0]),
        "r has no centre of mass; at least one moving link must have an",
    ),
]
CASES = [
    *(
        (lambda x=x: robots.from_screws(x, E4), errors.ScrewError, words)
        for x, words in (
            (np.zeros(6), r"must have shape \(6, n\), n ≥ 1, a column \(ω, v\) for each joint; got \(6,\)"),
            (np.zeros((6, 0)), r"got \(6, 0\)"),
            ([["a"]] * 6, "screws must be numbers"),
            ([[0], [0], [1], [inf], [0], [0]], "screws must be finite"),
            ([[0], [0], [1 + 1e-8], [0], [0], [0]], r"screw 1 must have ‖ω‖ = 1 \(0 if prismatic\), got 1\.00000001"),
            (np.array([HINGE, [0, 0, 0, 0, 3, 0]]).T, "screw 2 must have ‖v‖ = 1 because ω = 0, got 3; normalise it"),
            ([[1e-200], [0], [0], [1], [0], [0]], r"screw 1 must have ‖ω‖ = 1 \(0 if prismatic\),"),
            ([[0], [0], [0.5], [0], [0], [1]], r"‖ω‖ = 1 \(0 if prismatic\), got 0\.5"),
        )
    ),
    (screws(HINGE, SLIDER, joint_names=["a"]), errors.ScrewError, "2 screws need 2 joint names, got 1"),
    *(
        (screws(HINGE, SLIDER, joint_names=names), errors.ScrewError, "joint_names must be 2 ")
        for names in (5, "ab", ["a", "a"], ["a", 1])
    ),
    (screws(HINGE, home=np.eye(3)), errors.TransformError, r"^home must have shape \(4, 4\), got \(3, 3\)"),
    (screws(HINGE, home=FAR), errors.TransformError, r"home must be at most 1e\+100 length .* \{s\}, got 1e\+120"),
    (screws([0, 0, 1, 1e150, 0, 0]), errors.ScrewError, r"lengths in screws must be at most 1e\+100, got 1e\+150"),
    *(
        (screws(HINGE, SLIDER, limits=limits), errors.LimitsError, words)
        for limits, words in (
            ([(1, -1), (0, 1)], r"limits of 'joint 1' must have lower ≤ upper, got \[1, -1\]"),
            ([(0, 1), (nan, 1)], r"limits of 'joint 2' must not be NaN, got \[nan, 1\]; use ±inf for no limit"),
            ([(0, 1)], r"limits must have shape \(2, 2\), a row \(lower, upper\) for each joint; got \(1, 2\)"),
            ([("low", "high")] * 2, r"limits must be numbers of shape \(2, 2\), got "),
            ([(inf, inf), (0, 1)], r"limits of 'joint 1' must contain a finite value, got \[inf, inf\]"),
            ([(-inf, -inf), (0, 1)], "limits of 'joint 1' must contain a finite"),
        )
    ),
    (lambda: PLANAR.with_limits(velocity=[1, 0]), errors.LimitsError, r"velocity limit of 'joint 2' must be .*got 0"),
    (lambda: UR10.with_limits(acceleration=[1, 1]), errors.LimitsError, r"one number, or have shape .*got \(2,\)"),
    *(
        (lambda m=method, q=q: getattr(PLANAR, m)(q), errors.ConfigurationError, words)
        for method in "forward_kinematics pose_and_jacobian space_jacobian body_jacobian check_configuration".split()
        for q, words in (
            ([0.0], r"q of planar 2R must have shape \(2,\), got \(1,\)"),
            (np.zeros((2, 1)), r"must have shape \(2,\)(, or \(k, 2\) for many)?, got \(2, 1\)"),
            (np.array(0.0), r"must have shape \(2,\), got \(\)"),
            (np.array([0.0, nan]), r"q of planar 2R must be finite, got \[0\.0, nan\]"),
            ([[0.0], [0.0, 1.0]], "q of planar 2R must be 2 numbers"),
            (np.zeros(2, complex), "must be 2 numbers"),
            (None, "must be 2 numbers"),
        )
    ),
    (lambda: PLANAR.body_jacobian([[0, 0], [0, nan]]), errors.ConfigurationError, "row 1 of q of planar 2R must be"),
    (lambda: PLANAR.body_jacobian(np.zeros((1, 2, 2))), errors.ConfigurationError, r"got \(1, 2, 2\)"),
    (lambda: PLANAR.source("fortran"), errors.CodegenError, "target must be 'numpy', 'scalar', .*, got 'fortran'"),
    *(
        (lambda a=arguments: Coupling(*a), errors.CouplingError, words)
        for arguments, words in (
            (([1.0, 2.0],), r"shape \(m, n\).*got \(2,\)"),
            ((np.ones((1, 2)),), r"m ≥ n ≥ 1; got \(1, 2\)"),
            ((np.ones((3, 2)),), r"must have rank 2.*moving q along \[.*\] moves no joint. Leave out a coordinate"),
            (([[nan]],), "must be finite"),
            (([[1e7]],), "at most 1e.06"),
            ((np.eye(2), [1.0]), r"shape \(2,\), one for each joint; got \(1,\)"),
            ((np.eye(2), [1.0, inf]), "must be finite"),
            (("no numbers",), "must be numbers"),
        )
    ),
    (screws(HINGE, coupling=Coupling(np.eye(2))), errors.CouplingError, r"must have 1 rows, .*, got shape \(2, 2\)"),
    (
        screws(HINGE, SLIDER, joint_names=["a", "b"], coupling=Coupling([[1], [1]])),
        errors.ScrewError,
        "1 coordinates need 1 joint names, got 2",
    ),
    *(
        (dh([ROW], convention), errors.ConventionError, "unknown DH convention .*; valid are 'standard' and 'modified'")
        for convention in ("", "Standard", None, 3, np.array(["standard", "modified"]))
    ),
    *(
        (dh(rows), errors.ConventionError, words)
        for rows, words in (
            ([], r"must have shape \(n, 3\) or \(n, 4\).*got \(0,\)"),
            ([(0, 0)], r"got \(1, 2\)"),
            (ROW, r"got \(3,\)"),
            ([ROW, (0, 0, 1, 0)], r"DH rows must be numbers \(a, α, d\) or \(a, α, d, θ\), got "),
            ([(0, nan, 1)], "DH rows must be finite, got .*nan"),
            (None, "got None"),
        )
    ),
    *(
        (dh([ROW] * 2, joint_types=types), errors.ConventionError, "joint_types must be 'revolute', .* for each of")
        for types in (["revolute"], ["revolute", "Prismatic"])
    ),
    (dh([ROW], tool=[0, 0, 0.1]), errors.TransformError, r"tool must have .*, got \(3,\); for a position p use lie.po"),
    (dh([ROW], tool=np.eye(4)[None]), errors.TransformError, r"got \(1, 4, 4\)$"),
    (dh("table.txt"), errors.ConventionError, "DH rows must be numbers, got 'table.txt'; robots.load_dh reads them"),
    (lambda: UR10.with_tool(FAR[:3, :3]), errors.TransformError, r"got \(3, 3\); for a rotation R use .*0\]\)$"),
    (lambda: robots.from_screws([HINGE], E4), errors.ScrewError, r"got \(1, 6\); pass the transpose of rows"),
    (dh([ROW], tool=np.diag([1.0, 1, 2, 1])), errors.TransformError, "the rotation part of tool is not a rotation"),
    (dh([ROW], limits=[(1, -1)], joint_names=["elbow"]), errors.LimitsError, "limits of 'elbow'"),
    (dh([[1e308, 0.0, 0.0, 0.0]] * 2), errors.ArgumentError, ".+"),
    (lambda: robots.arm_angle(PANDA, np.zeros(6)), errors.ConfigurationError, r"shape \(7,\)"),
    (lambda: robots.arm_angle(PANDA, np.zeros(7)), errors.ConfigurationError, "Panda has no arm angle at .*straight"),
    *(
        (lambda t=tip: robots.planar_2r_solutions(t), errors.TransformError, words)
        for tip, words in (
            ((nan, 0.0), r"tip must be finite, got \[nan, 0.0\]"),
            ((1.0, 2.0, 3.0), r"tip must have shape \(2,\), the point \(x, y\); got \(3,\)"),
            ("ab", r"tip must be 2 numbers \(x, y\), got 'ab'"),
        )
    ),
    (lambda: robots.planar_2r_corners([1.0]), errors.ConfigurationError, r"must have shape \(\.\.\., 2\), got \(1,\)"),
    (lambda: robots.planar_2r_corners([0.0, nan]), errors.ConfigurationError, r"must be finite, got \[0.0, nan\]"),
    (serial(ARMS), errors.UrdfError, "'two_arms' has 3 leaves; give tip, one of 'head', 'left_hand', 'right_hand'"),
    (serial(ARMS, "left_hnd"), errors.FrameNotFound, "two_arms has no frame 'left_hnd'; did you mean 'left_hand'"),
    (serial(EVERY_KIND, "a", "b"), errors.UrdfError, "joint 'float' is floating, but joints of a chain have one"),
    (serial(EVERY_KIND, "a", "i"), errors.UrdfError, "at least one joint of 'r' must move 'i' relative to .*got none"),
    *((tree(ROBOTS / urdf), errors.UrdfError, words) for urdf, words in BROKEN.items()),
    (tree("a: 1\n" * 2000), errors.UrdfError, "path must be the path of a file .*, which does not exist"),
    (tree("<robot name='r'>"), errors.UrdfError, "the string is not well-formed XML: no element found"),
    (tree("<" + "a" * MAX_BYTES), errors.UrdfError, r"the string must have at most 8\.4 MB, got more"),
    (tree(7), errors.UrdfError, "path must be that of a URDF file, or a URDF as a string that"),
    (tree(robot(TWO_LINKS + joint('<origin xyz="0,4 0 1,5"/>'))), errors.UrdfError, "decimal comma is not allowed"),
    (
        tree(robot(TWO_LINKS + joint(name="root_joint")), floating_base=True),
        errors.UrdfError,
        "joints of 'r' must not have the name of the base's joint 'root_joint'",
    ),
    *(
        (lambda m=method, q=q: getattr(DOG, m)(q), errors.ConfigurationError, words)
        for method in ("state", "centre_of_mass")
        for q, words in (
            ([0.0], r"q of quadruped must have shape \(19,\), got \(1,\)"),
            (["a"] * 19, "q of quadruped must be 19 numbers"),
            ([nan] * 19, "q of quadruped must be finite"),
            ([0.0] * 6 + [1.00001] + [0.0] * 12, r"the quaternion q\[3:7\] of quadruped must have .*got 1\.00001"),
        )
    ),
    *(
        (lambda v=v: DOG.integrate(DOG.q0, v), errors.ConfigurationError, "v of quadruped must")
        for v in (np.zeros(19), [inf] * 18, "v")
    ),
    (lambda: DOG.frame("front_left_toe"), errors.FrameNotFound, "'front_left_toe'; did you mean 'front_left_foot' or"),
    (lambda: DOG.body_jacobian(DOG.q0, "Q"), errors.FrameNotFound, r"no frame 'Q'; it has 'trunk', .* … \(17 in all\)"),
    (lambda: DOG.frame(None), errors.FrameNotFound, "quadruped has no frame"),
]
REFUSED = [(call, errors.ParameterError, words) for call, words in PARAMETERS]


@pytest.mark.parametrize(("call", "error", "words"), [*REFUSED, *CASES])
def test_wrong_arguments_are_refused_by_name(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert len(str(caught.value)) < 400
