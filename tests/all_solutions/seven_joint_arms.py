"""Arms of seven revolute joints without a closed form, with the origins of their joints from published URDF files.

Sources: xarm_ros (UFACTORY), flexiv_description (Flexiv), yumi (Örebro University), rm_models
(RealMan), kr_ros2 (Kassow), all on GitHub. An angle of 1.5708 is a rounded right angle: their axes miss a closed form.
"""

from lessons_lib import robots

Z, Y = "0 0 1", "0 1 0"
UP, DOWN, BACK = "1.5708 0 0", "-1.5708 0 0", "0 0 -3.141592654"
EXACT_UP, EXACT_DOWN = "1.57079632679 0 0", "-1.57079632679 0 0"
REALMAN_RM75 = [
    ("0 0 0.2405", "0 0 0", 3.106),
    ("0 0 0", DOWN, 2.2689),
    ("0 -0.256 0", UP, 3.106),
    ("0 0 0", DOWN, 2.356),
    ("0 -0.21 0", UP, 3.106),
    ("0 0 0", DOWN, 2.234),
    ("0 -0.144 0", UP, 6.28),
]
"""Rows: origin xyz in m, rpy in rad, upper limit or both limits, rad; axis z if there is no other."""
REALMAN_GEN72 = [
    ("0 0 0.218", "0 0 0", 3.0014),
    ("0 0 0", DOWN, 1.8323),
    ("0 -0.28 0", UP, 3.0014),
    ("0.04 0 0", UP, (-2.8792, 0.9597)),
    ("-0.019 0.2525 0", DOWN, 3.0014),
    ("0 0 0", UP, (-1.707, 1.783)),
    ("0.0905 0.067 0", "1.5708 0 1.5708", 3.0014),
]
XARM7 = [
    ("0 0 0.267", "0 0 0", 6.2832),
    ("0 0 0", DOWN, (-2.059, 2.0944)),
    ("0 -0.293 0", UP, 6.2832),
    ("0.0525 0 0", UP, (-0.19198, 3.927)),
    ("0.0775 -0.3425 0", UP, 6.2832),
    ("0 0 0", UP, (-1.69297, 3.1416)),
    ("0.076 0.097 0", DOWN, 6.2832),
]
FLEXIV_RIZON4 = [
    ("0 0 0.155", BACK, 2.8798),
    ("0 0.03 0.21", "0 0 0", 2.3562, Y),
    ("0 0.035 0.205", "0 0 0", 3.0543),
    ("-0.02 -0.03 0.19", BACK, (-1.9548, 2.7751), Y),
    ("-0.02 0.025 0.195", BACK, 3.0543),
    ("0 0.03 0.19", "0 0 0", (-1.4835, 4.6251), Y),
    ("-0.015 0.073 0.11", "0 -1.570796327 0", 3.0543),
]
YUMI = [
    ("0.03 0 0.1", EXACT_UP, (-2.50454747661, 0.759218224618)),
    ("-0.03 0.17283 0", EXACT_DOWN, 2.94087978961),
    ("-0.04188 0 0.07873", "1.57079632679 -1.57079632679 0", (-2.15548162621, 1.3962634016)),
    ("0.0405 0.16461 0", EXACT_DOWN, 5.06145483078),
    ("-0.027 0 0.10039", EXACT_UP, (-1.53588974176, 2.40855436775)),
    ("0.027 0.029 0", EXACT_DOWN, 3.99680398707),
]
KASSOW_KR810 = [
    ("0 0 0.035", "0 0 0", 6.2832),
    ("0.05 0 0.2737", "0 0 0", (-1.2217, 3.1416), Y),
    ("-0.05 -0.0857 0.274", "0 0 0", 6.2832),
    ("0.04 0 0.1429", "0 0 0", (-1.2217, 3.1416), Y),
    ("-0.04 0.08405 0.271", "0 0 0", 6.2832),
    ("0 0 0.1035", "0 0 0", 6.2832, Y),
    ("0 0.111 0.108", "0 0 0", 6.2832),
]
TABLES = {
    "xArm7": XARM7,
    "Rizon 4": FLEXIV_RIZON4,
    "YuMi left": [("0.05355 0.0725 0.41492", "0.9781 -0.5716 2.3180", 2.94087978961), *YUMI],
    "GEN72": REALMAN_GEN72,
    "RM75": REALMAN_RM75,
    "KR810": KASSOW_KR810,
}


def urdf_of(name):
    """Return the URDF of an arm."""
    lines = [f'<robot name="{name}"><link name="link_0"/>']
    for k, (xyz, rpy, limits, *axis) in enumerate(TABLES[name], 1):
        low, high = limits if isinstance(limits, tuple) else (-limits, limits)
        lines += [
            f'<link name="link_{k}"/><joint name="joint_{k}" type="revolute"><parent link="link_{k - 1}"/>',
            f'<child link="link_{k}"/><origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis[0] if axis else Z}"/>',
            f'<limit lower="{low}" upper="{high}" effort="1" velocity="1"/></joint>',
        ]
    return "\n".join([*lines, "</robot>"])


def seven_joint_arm(name, exact=False):
    """Return an arm of the tables; `exact` restores the right angles."""
    text = urdf_of(name)
    text = text.replace("1.5708", "1.5707963267948966") if exact else text
    return robots.from_urdf(text, base="link_0", tip="link_7")
