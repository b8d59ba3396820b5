import numpy as np
from independent_kinematics import RNG, Matrix, at, hat6, pose
from lesson_questions import Truth
from scipy.linalg import expm

from lessons_lib import robots
from lessons_lib.course import matlab_library
from lessons_lib.robots import PANDA_DH, PANDA_FLANGE, UR10_DH
from lessons_lib.robots.chain import Chain


def predict_believed() -> Truth:
    arm, model, targets = robots.ur10(), matlab_library.wrong_ur10(), matlab_library.ur10_waypoints()
    q, misses = np.zeros(6), []
    for T_sd in targets:
        q = matlab_library.path_to(model, T_sd, q, matlab_library.DAMPING, matlab_library.UR10_TOLERANCE)[-1]
        misses.append([np.linalg.norm(at(chain, q).T[:3, 3] - T_sd[:3, 3]) for chain in (model, arm)])
    of_model, of_arm = np.transpose(misses)
    assert np.allclose(of_arm, 0.3, atol=1e-4)  # m: what the solver would have to notice
    return [of_model.min() > 0.29, of_model.max() > 1e-4, of_model.max() < 1e-4]


def predict_exchange() -> Truth:
    row, column = expm(hat6([0, 0, 0.7, 0, 0, 0.2])), expm(hat6([0.4, 0, 0, 0.3, 0, 0]))
    one, other = row @ column, column @ row
    return [np.allclose(one, other), not np.allclose(one, other), np.allclose(one[:3, :3], other[:3, :3])]


def predict_misread() -> Truth:
    flange = pose(np.eye(3), [0, 0, PANDA_FLANGE])
    arm, misread = robots.panda(), robots.from_dh(PANDA_DH, "standard", flange)
    some = RNG.uniform(-1, 1, (5, 7))
    gaps = [np.linalg.norm(at(arm, q).T[:3, 3] - at(misread, q).T[:3, 3]) for q in some]
    return [max(gaps) < 1e-9, np.ptp(gaps) < 1e-9, not np.allclose(arm.screws, misread.screws)]


def predict_measure() -> Truth:
    rows = np.array(UR10_DH)
    rows[1:3, 0] += [0.1, -0.1]  # another a₂ and a₃ with the same sum
    arm, other = robots.ur10(), robots.from_dh(rows, "standard")
    seen_at_home = not np.allclose(arm.home, other.home)

    def motion(chain: Chain, joint: int) -> Matrix:
        return at(chain, 0.5 * np.eye(6)[joint]).T @ np.linalg.inv(chain.home)

    off = [not np.allclose(motion(arm, joint), motion(other, joint)) for joint in range(6)]
    return [False, seen_at_home, off.index(True) == 2]
