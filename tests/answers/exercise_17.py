"""Two hands."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def objective(tasks, damping, cost_power=2):
    n = tasks[0].jacobian.shape[1]
    H, c = damping * np.eye(n), np.zeros(n)
    for task in tasks:
        W, e = np.diag(task.costs**cost_power), task.gain * task.error
        H += task.jacobian.T @ W @ task.jacobian + task.lm_damping * (e @ W @ e) * np.eye(n)
        c += task.jacobian.T @ W @ e
    return H, c


def inverted(tasks, damping):
    H, c = objective(tasks, damping)
    return -np.linalg.inv(H) @ c


def cholesky(tasks, damping):
    H, c = objective(tasks, damping)
    return cho_solve(cho_factor(H), -c)


def stacked(tasks, damping):
    n = tasks[0].jacobian.shape[1]
    rows, rests, added = [], [], damping
    for task in tasks:
        pull = task.gain * task.costs * task.error
        rows.append(task.costs[:, None] * task.jacobian)
        rests.append(-pull)
        added += task.lm_damping * pull @ pull
    A = np.vstack([*rows, np.sqrt(added) * np.eye(n)])
    return np.linalg.lstsq(A, np.concatenate([*rests, np.zeros(n)]), rcond=None)[0]


def costs_once(tasks, damping):
    H, c = objective(tasks, damping, cost_power=1)
    return -np.linalg.solve(H, c)


def steps_added(tasks, damping):
    return sum(inverted([task], damping) for task in tasks)


def first_alone(tasks, damping):
    return inverted(tasks[:1], damping)


RIGHT = {f.__name__: {"shared_step": f} for f in (inverted, cholesky, stacked)}


def changed(change):
    return {"shared_step": lambda tasks, damping: change(inverted(tasks, damping))}


def in_place(tasks, damping):
    answer = inverted(tasks, damping)
    tasks[0].costs[:] = 0
    return answer


def without_rho(tasks, damping):
    H, c = objective(tasks, 0.0)
    return -np.linalg.lstsq(H, c, rcond=None)[0]


SLIPS = {
    "its sign is turned round": changed(np.negative),
    "it is twice the right one": changed(lambda step: 2 * step),
    "it is half of the right one": changed(lambda step: step / 2),
    "it is in degrees": changed(np.degrees),
    "the costs are not squared": {"shared_step": costs_once},
    "each task has its own step, and you add the steps": {"shared_step": steps_added},
    "only the first task is in it": {"shared_step": first_alone},
    "ρ is missing": {"shared_step": without_rho},
    "ρ counts squared": {"shared_step": lambda tasks, damping: inverted(tasks, damping**2)},
    "the sum is divided by the number of tasks": {
        "shared_step": lambda tasks, damping: inverted(tasks, damping) / len(tasks)
    },
    "your function returns None": {"shared_step": lambda *_: None},
    "your function changes an array of a task": {"shared_step": in_place},
}
UNNAMED = {"a little off": changed(lambda step: step + 0.0123)}
