"""Serve several tasks in one step."""

import both_ways
import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import brentq


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


def without_rho(tasks, damping):
    H, c = objective(tasks, 0.0)
    return -np.linalg.lstsq(H, c, rcond=None)[0]


SLIPS = {
    "the sign is flipped": changed(np.negative),
    "your answer is twice the right one": changed(lambda step: 2 * step),
    "your answer is half the right one": changed(lambda step: step / 2),
    "your answer is in degrees": changed(np.degrees),
    "the costs are not squared": {"shared_step": costs_once},
    "each task has its own step, and you add the steps": {"shared_step": steps_added},
    "only the first task is in it": {"shared_step": first_alone},
    "ρ is missing": {"shared_step": without_rho},
    "ρ counts squared": {"shared_step": lambda tasks, damping: inverted(tasks, damping**2)},
    "the sum is divided by the number of tasks": {
        "shared_step": lambda tasks, damping: inverted(tasks, damping) / len(tasks)
    },
    "your function returned None": {"shared_step": lambda *_: None},
}
UNNAMED = {"a little off": changed(lambda step: step + 0.0123)}


def left_of(task, H, c, cost):
    J, e = task.jacobian[0], task.gain * task.error[0]
    return J @ -np.linalg.solve(H + cost**2 * np.outer(J, J), c + cost**2 * J * e) + e


def searched(task, H, c, allowed):
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


def by_root_finding(task, H, c, allowed):
    def too_much(cost):
        return np.log(abs(left_of(task, H, c, cost)) / allowed)

    return brentq(too_much, 0, 1e6, xtol=1e-10) if too_much(0) > 0 else 0


def costing(change):
    return {"cost_needed": change}


def from_parts(law):
    """The formula with something else in it: from what is left alone, JH⁻¹Jᵀ, and what is allowed."""

    def cost_needed(task, H, c, allowed):
        J = task.jacobian[0]
        moved = -J @ np.linalg.solve(H, c)
        return np.sqrt(max(law(task, moved, J @ np.linalg.solve(H, J), allowed), 0))

    return costing(cost_needed)


def parts(task, moved):
    return abs(moved + task.gain * task.error[0])


RIGHT |= {f.__name__: costing(f) for f in (searched, in_one_formula, by_root_finding)}
SLIPS |= {
    "that is the weight, and the cost is its root": costing(lambda *given: in_one_formula(*given) ** 2),
    "it is 1/κ": costing(lambda *given: 1 / (in_one_formula(*given) or np.inf)),
    "without a cost of its own there is JΔq + αe": from_parts(
        lambda task, moved, g, allowed: (abs(task.gain * task.error[0]) / allowed - 1) / g
    ),
    "the residual is that with αe, and not with e": from_parts(
        lambda task, moved, g, allowed: (abs(moved + task.error[0]) / allowed - 1) / g
    ),
    "and not by gκ²": from_parts(lambda task, moved, g, allowed: parts(task, moved) / allowed / g),
    "the compliance of the row is missing": from_parts(
        lambda task, moved, g, allowed: parts(task, moved) / allowed - 1
    ),
    "and not by JJᵀ": from_parts(
        lambda task, moved, g, allowed: (parts(task, moved) / allowed - 1) / np.sum(task.jacobian**2)
    ),
    "and you take it for mm": costing(lambda task, H, c, a: in_one_formula(task, H, c, a / 1e3)),
    "Hint [sign]: the sign is": costing(lambda *given: -in_one_formula(*given)),
    "it need not cost anything": from_parts(lambda task, moved, g, allowed: abs(parts(task, moved) / allowed - 1) / g),
}
UNNAMED["a cost a little off"] = costing(lambda *given: 1.1 * in_one_formula(*given))
RIGHT |= {
    "stated 1": {"agreed": lambda a, b, w_1, w_2: a + (b - a) * w_2 / (w_1 + w_2)},
    "stated 2": {"agreed": lambda a, b, w_1, w_2: a / (1 + w_2 / w_1) + b / (1 + w_1 / w_2)},
}
SLIPS |= {
    "the heavier task gets less": {"agreed": lambda a, b, w_1, w_2: (w_2 * a + w_1 * b) / (w_1 + w_2)},
    "as if both weighed the same": {"agreed": lambda a, b, w_1, w_2: (a + b) / 2},
    "not divided by their sum": {"agreed": lambda a, b, w_1, w_2: w_1 * a + w_2 * b},
    "the weights are squared": {"agreed": lambda a, b, w_1, w_2: (w_1**2 * a + w_2**2 * b) / (w_1**2 + w_2**2)},
}
UNNAMED["another formula"] = {"agreed": lambda a, b, w_1, w_2: a + w_2 * b}

RIGHT |= both_ways.RIGHT
SLIPS |= both_ways.SLIPS
UNNAMED |= both_ways.UNNAMED
