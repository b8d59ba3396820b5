"""A robot that cannot move, or whose numbers look like degrees, is loaded with one warning at the caller's line."""

import warnings

import numpy as np
import pytest

from lessons_lib import robots

LIMITS = '<limit lower="{}" upper="{}" velocity="1" effort="1"/>'
URDF = """<robot name="toy"><link name="base"/><link name="arm"/><link name="hand"/>
<joint name="shoulder" type="{kind}"><parent link="base"/><child link="arm"/><origin rpy="{rpy}"/>{shoulder}</joint>
<joint name="elbow" type="revolute"><parent link="arm"/><child link="hand"/>{elbow}</joint></robot>"""
NO_BOUNDS = '<limit velocity="1" effort="1"/>'
WIDE = LIMITS.format(-1, 1)
ROWS = [(0.4, 0.0, 0.2), (0.3, 0.0, 0.0)]
SCREWS, HOME = robots.planar_2r().screws, robots.planar_2r().home
NAMES = ["shoulder", "elbow"]


def urdf(shoulder=WIDE, elbow=WIDE, kind="revolute", rpy="0 0 0"):
    return URDF.format(shoulder=shoulder, elbow=elbow, kind=kind, rpy=rpy)


def only_warning(load):
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        load()
    (warning,) = issued
    assert warning.filename == __file__, "it points at the caller, not into the library"
    return str(warning.message)


@pytest.mark.parametrize(
    "load",
    [
        lambda: robots.from_screws(SCREWS, HOME, [[-1, 1], [0.25, 0.25]], joint_names=NAMES),
        lambda: robots.from_dh(ROWS, limits=[[-1, 1], [0.25, 0.25]], joint_names=NAMES),
        lambda: robots.load_urdf(urdf(elbow=LIMITS.format(0.25, 0.25))),
        lambda: robots.from_urdf(urdf(elbow=LIMITS.format(0.25, 0.25))),
    ],
)
def test_limits_of_zero_width_cause_one_warning_with_joint_and_value(load):
    message = only_warning(load)
    assert "'elbow'" in message and "[0.25, 0.25] rad" in message and "'shoulder'" not in message


def test_a_joint_locked_by_with_limits_causes_no_warning():
    """In tests a warning is an error."""
    held = robots.planar_2r().with_limits(position=[[-1, 1], [0.25, 0.25]])
    assert held.limits[1].tolist() == [0.25, 0.25]
    assert robots.load_urdf(urdf(elbow=NO_BOUNDS), locked=["elbow"]).nv == 1
    assert robots.from_dh(ROWS, joint_types=["revolute", "fixed"], limits=[[-1, 1]]).dof == 1


@pytest.mark.parametrize("limit", [13.0, 45.0, 90.0, 172.5, 180.0, 355.0, 360.0, 720.0])
def test_limits_in_degrees_cause_one_warning(limit):
    limits = [[-limit, limit], [-1.0, 1.0]]
    loads = [
        lambda: robots.from_screws(SCREWS, HOME, limits, joint_names=NAMES),
        lambda: robots.from_dh(ROWS, limits=limits, joint_names=NAMES),
        lambda: robots.from_urdf(urdf(LIMITS.format(-limit, limit))),
        lambda: robots.load_urdf(urdf(LIMITS.format(-limit, limit))),
        lambda: robots.from_dh(ROWS, joint_names=NAMES).with_limits(position=limits),
    ]
    for load in loads:
        message = only_warning(load)
        assert "'shoulder'" in message and f"{np.rad2deg(limit):g}]°" in message and "deg2rad" in message


@pytest.mark.parametrize("limit", [np.pi, 2 * np.pi, 6.2832, 9.42, 10.0, 4 * np.pi, 62.83, 200 * np.pi, 1e16, np.inf])
def test_limits_in_rad_and_stand_ins_for_no_limit_cause_no_warning(limit):
    """9.42, 10 and 1e16 rad are in files of example-robot-data; 100 revolutions are the last joint of a Meca500."""
    robots.from_dh(ROWS, limits=[[-limit, limit]] * 2)
    robots.load_urdf(urdf(LIMITS.format(-limit, limit)))


@pytest.mark.parametrize(
    ("load", "named"),
    [
        (lambda: robots.from_dh([(0.4, 90, 0.2), (0.3, 0, 0)]), "α in row 1 of chain is 90 rad, that is 5156.62°"),
        (lambda: robots.from_dh([(0.4, 0, 0.2, 0), (0.3, 0, 0, -45)], "modified"), "θ in row 2 of chain is -45 rad"),
        (lambda: robots.from_urdf(urdf(rpy="0 0 180")), "yaw of joint 'shoulder' is 180 rad"),
    ],
)
def test_constant_angles_beyond_a_revolution_cause_one_warning(load, named):
    assert only_warning(load).startswith(named)


def test_lengths_in_millimetres_that_count_as_metres_cause_one_warning():
    rows = [(400.0, 0.0, 200.0), (300.0, 0.0, 0.0)]
    assert "longer than 250 m. If its lengths are in mi" in only_warning(lambda: robots.from_dh(rows, length_unit="m"))
    assert "longer than 250 m" in only_warning(lambda: robots.from_urdf(urdf(elbow='<origin xyz="0 500 0"/>' + WIDE)))
    robots.from_dh(rows, length_unit="mm")
    robots.from_dh(0.1 * np.array(rows), length_unit="m")  # a crane


@pytest.mark.parametrize(
    ("right", "wrong", "named"),
    [
        ("<origin", "<orgin", "joint 'shoulder' has <orgin>, which is not read; did you mean <origin>?"),
        ('rpy="', 'ryp="', "<origin> of joint 'shoulder' has ryp=, which is not read; did you mean rpy=?"),
        ('upper="', 'uper="', "<limit> of joint 'shoulder' has uper=, which is not read; did you mean upper=?"),
    ],
)
def test_a_misspelt_part_of_a_joint_causes_one_warning(right, wrong, named):
    text = urdf().replace(right, wrong, 1)
    assert only_warning(lambda: robots.from_urdf(text)) == named


def test_elements_and_attributes_for_other_programs_cause_no_warning():
    """In tests a warning is an error."""
    text = urdf().replace('effort="1"', 'effort="1" acceleration="2" jerk="3"')
    robots.load_urdf(text.replace("</joint>", '<dynamics damping="1"/><limits/><safety_controller/></joint>'))
