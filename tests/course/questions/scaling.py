import numpy as np
from lesson_questions import Truth


def predict_half() -> Truth:
    def size(part: float) -> float:
        """The size at which a batch of k poses in 300 + k µs reaches a fraction of its highest rate."""
        return part * 300 / (1 - part)

    return [size(1 / 2), size(1 / 3), size(2 / 3)]


def predict_ceiling() -> Truth:
    def speed_up(cores: float) -> float:
        return 1 / (0.1 + 0.9 / cores)

    return [speed_up(1e12), 1 / (1 - 0.1), (1 - 0.1) / 0.1]


def predict_vain() -> Truth:
    poses = np.array([1.2, 21.0])  # starts of a pose that is reached, and of one that is not
    return [100 * poses[1] / poses.sum(), 100 / poses.size, 100 * poses[1] / poses.sum() / 2]
