import numpy as np
from independent_kinematics import RNG
from lesson_questions import Places, Truth

from lessons_lib import pose_ik, robots
from lessons_lib.course.live import PathFigure
from lessons_lib.robots import UR10_DH

UR10 = robots.ur10()


def predict_jump() -> Truth:
    paths = PathFigure().paths
    alone, steady = paths["from home"].q, paths["decoupled"].q
    jump = int(np.argmax(np.abs(np.diff(alone, axis=0)).max(axis=1)))
    before, after = alone[jump : jump + 2]
    target = UR10.forward_kinematics(after)
    near = pose_ik.solve(UR10, target, before, starts=pose_ik.Restarts(0))
    has_near = near.converged and np.abs(near.q - before).max() < 0.1
    one, other = (UR10.forward_kinematics(np.array(way[jump : jump + 2])) for way in (alone, steady))
    both = np.allclose(one, other, atol=1e-5)
    other = bool(np.any(np.sign(np.sin(before[[2, 4]])) != np.sign(np.sin(after[[2, 4]]))))  # elbow and wrist
    return [not has_near, not both, other]


def predict_stable() -> Truth:
    dt = 1 / 100
    return [2 / dt, 1 / dt, 2 * dt]


def predict_straight() -> Places:
    first, turn = UR10.forward_kinematics(np.radians([-130, -70, 95, -115, -90, 0]))[:3, 3], np.radians(120)
    d_1, d_4, d_5, d_6 = (UR10_DH[i][2] for i in (0, 3, 4, 5))
    arm, s = -UR10_DH[1][0] - UR10_DH[2][0], np.linspace(0, 1, 41)

    def rotate(angle: float, p: np.ndarray) -> np.ndarray:
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ p

    def on_the_screw(shift: np.ndarray) -> np.ndarray:
        """The tip moves around a vertical axis, and uniformly up."""
        beyond = (first + shift)[:2] - rotate(turn, first[:2])
        axis = np.linalg.solve(np.eye(2) - rotate(turn, np.eye(2)), beyond)
        arc = [axis + rotate(angle, first[:2] - axis) for angle in turn * s]
        return np.column_stack([arc, first[2] + s * shift[2]])

    def is_reached(tips: np.ndarray) -> bool:
        """The hand points down, which gives its wrist: joint 2 reaches it, or the arm is too short."""
        far = np.hypot(*tips[:, :2].T)
        level, height = np.sqrt(np.maximum(far**2 - d_4**2, 0)) - d_5, tips[:, 2] + d_6 - d_1
        return bool(far.min() > d_4 and np.hypot(level, height).max() < arm)

    places = RNG.uniform((-1.6, -1.6, -0.3), (0.8, 0.8, 0.8), (150, 3))
    places[:90, :2] = RNG.uniform(-0.3, 0.3, (90, 2)) * RNG.uniform(0, 1, (90, 1))
    places[90:100, :2] = -0.9, -0.1
    for shift in places.round(2):
        tips, level = on_the_screw(shift), np.linalg.norm(shift[:2])
        off = np.linalg.norm(np.cross(tips - first, shift), axis=1).max() / np.linalg.norm(shift)
        assert off <= 0.29 * level + 1e-9, "29 % of the level distance"
        words = "directly above" if off <= 0.01 else "less than 0.35 m" if off <= 0.1 else "anywhere else"
        if words == "anywhere else" and np.allclose(shift[:2], (-0.9, -0.1)):
            words = "at its initial position"
        if not is_reached(tips):
            words = "where some poses"
        if np.linalg.norm(shift) < 0.099:  # a millimetre is given
            words = "where the tip began"
        yield dict(zip(("dx", "dy", "dz"), shift.tolist(), strict=True)), words
