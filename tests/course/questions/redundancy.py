import numpy as np
from lesson_questions import Places, Truth, figure_of, find_printed

from lessons_lib import robots
from lessons_lib.differential_ik import Configuration, ManipulabilityTask, middle_gradient, prioritized_rates


def predict_laps() -> Truth:
    angles = [float(angle) for angle in find_printed("redundancy", r"lap +\d+: hand off by .* mm, joint 2 at +(\S+)°")]
    drifts = abs(angles[-1] - angles[0]) > 10
    return [not drifts, not drifts, drifts]


def predict_promise() -> Truth:
    passes = find_printed("redundancy", r"to the middle: joint \d passes its limit after (\S+) s")
    return [not passes, bool(passes), not passes]


def predict_same() -> Places:
    arm, tree = robots.panda(), robots.load_urdf(robots.urdf_file("panda"))
    ready = np.array([0, -0.3, 0, -2.2, 0, 2, np.pi / 4])
    T, uphill = arm.forward_kinematics(ready), ManipulabilityTask("panda_link8", tree)
    shown = figure_of("redundancy", "same")

    def turn(q: np.ndarray, z: np.ndarray) -> float:
        """Rate of the arm angle with a fixed tip, °/s."""
        step = 1e-6 * prioritized_rates([(arm.body_jacobian(q), np.zeros(6))], z)
        return float(np.degrees(robots.arm_angle(arm, q + step) - robots.arm_angle(arm, q - step)) / 2e-6)

    turning = {sign * (at + off) for sign in (1, -1) for at in (28, 94, 124) for off in (-1, 0, 1, 2)}
    for angle in sorted({*range(-150, 151, 5), *range(-5, 6), *turning}):
        shown.swing = float(angle)
        q = shown.q
        assert np.allclose(arm.forward_kinematics(q), T) and np.isclose(np.degrees(robots.arm_angle(arm, q)), angle)
        down = turn(q, -3 * middle_gradient(q, arm.limits))
        up = turn(q, 100 * uphill.compute_jacobian(Configuration(tree, q))[0])
        same = "with the elbow near the top" if abs(angle) < 29 else "beyond a maximum"
        alike = down * up > 1e-9  # at the top one of them is a rounding error
        assert alike is (abs(angle) > 94 or (abs(angle) < 29 and angle not in (-1, 0))), "as the reasons say"
        words = same if alike else "anywhere else"
        if min(abs(down), abs(up)) <= 0.7:
            words = "where one of them hardly moves"
        if (q < arm.limits[:, 0]).any() or (q > arm.limits[:, 1]).any():
            words = "past a joint limit"
        yield {"swing": float(angle)}, words
