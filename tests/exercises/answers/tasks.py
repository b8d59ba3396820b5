import numpy as np


def objective(tasks, damping, cost_power=2):
    n = tasks[0].jacobian.shape[1]
    H, c = damping * np.eye(n), np.zeros(n)
    for task in tasks:
        W, e = np.diag(task.costs**cost_power), task.gain * task.error
        H += task.jacobian.T @ W @ task.jacobian + task.lm_damping * (e @ W @ e) * np.eye(n)
        c += task.jacobian.T @ W @ e
    return H, c


def by_inverse(tasks, damping):
    H, c = objective(tasks, damping)
    return -np.linalg.inv(H) @ c


def by_stacking(tasks, damping):
    n = tasks[0].jacobian.shape[1]
    rows, rests, added = [], [], damping
    for task in tasks:
        pull = task.gain * task.costs * task.error
        rows.append(task.costs[:, None] * task.jacobian)
        rests.append(-pull)
        added += task.lm_damping * pull @ pull
    A = np.vstack([*rows, np.sqrt(added) * np.eye(n)])
    return np.linalg.lstsq(A, np.concatenate([*rests, np.zeros(n)]), rcond=None)[0]


RIGHT = {f.__name__: {"shared_step": f} for f in (by_inverse, by_stacking)}


def left_of(task, H, c, cost):
    J, e = task.jacobian[0], task.gain * task.error[0]
    return J @ -np.linalg.solve(H + cost**2 * np.outer(J, J), c + cost**2 * J * e) + e


def by_search(task, H, c, allowed):
    """Double the cost until it is enough, and then halve what is not known of it."""
    low, high = 0.0, 0.0
    while abs(left_of(task, H, c, high)) > allowed:
        low, high = high, 2 * high + 1
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if abs(left_of(task, H, c, middle)) <= allowed else (middle, high)
    return high


def in_one_formula(task, H, c, allowed):
    J, e = task.jacobian[0], task.gain * task.error[0]
    alone = e - J @ np.linalg.solve(H, c)
    return np.sqrt(max(abs(alone) / allowed - 1, 0) / (J @ np.linalg.solve(H, J)))


def costing(change):
    return {"cost_needed": change}


RIGHT |= {f.__name__: costing(f) for f in (by_search, in_one_formula)}
SLIPS = {
    "that is the weight; the cost is its square root": costing(lambda *given: in_one_formula(*given) ** 2),
}
