import numpy as np
from scipy.optimize import minimize


def stack(tasks, damping):
    n = tasks[0].jacobian.shape[1]
    rows, rests, added = [], [], damping
    for task in tasks:
        pull = task.gain * task.costs * task.error
        rows.append(task.costs[:, None] * task.jacobian)
        rests.append(-pull)
        added += task.lm_damping * pull @ pull
    A = np.vstack([*rows, np.sqrt(added) * np.eye(n)])
    return A, np.concatenate([*rests, np.zeros(n)])


def by_stacking(tasks, damping):
    return np.linalg.lstsq(*stack(tasks, damping), rcond=None)[0]


def by_minimiser(tasks, damping):
    A, b = stack(tasks, damping)
    return minimize(lambda step: 0.5 * np.sum((A @ step - b) ** 2), np.zeros(A.shape[1])).x


def by_search(task, H, c, allowed):
    """Double the cost until it is enough, and then halve what is not known of it."""
    J, e = task.jacobian[0], task.gain * task.error[0]

    def remaining(cost):
        return abs(J @ -np.linalg.solve(H + cost**2 * np.outer(J, J), c + cost**2 * J * e) + e)

    low, high = 0.0, 0.0
    while remaining(high) > allowed:
        low, high = high, 2 * high + 1
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if remaining(middle) <= allowed else (middle, high)
    return high


def without_abs(task, H, c, allowed):
    """Take a negative residual for one below the allowed one."""
    J, e = task.jacobian[0], task.gain * task.error[0]
    return by_search(task, H, c, allowed) if e - J @ np.linalg.solve(H, c) > 0 else 0.0


RIGHT = {name: {"shared_step": step} for name, step in (("stacked", by_stacking), ("SciPy's minimiser", by_minimiser))}
RIGHT |= {"search": {"cost_needed": by_search}}
WRONG = {
    "no absolute value": {"cost_needed": without_abs},
    "always 15 joints": {"shared_step": lambda tasks, damping: np.zeros(15) + by_stacking(tasks, damping)},
}
SLIPS = {
    "that is the weight; the cost is its square root": {"cost_needed": lambda *given: by_search(*given) ** 2},
    "a cost is not negative": {"cost_needed": lambda *given: -by_search(*given)},
}
