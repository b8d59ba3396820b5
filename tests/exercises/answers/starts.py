"""Draw a start in a bounded number of tries."""

import numpy as np

from lessons_lib import lie


def energy(chain, target, q):
    V = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target)
    return V @ V / 2


def of_a_list(chain, target, q_0, k, rng):
    candidates = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    return min(candidates, key=lambda q: energy(chain, target, q))


def position_alone(chain, target, q_0, k, rng):
    candidates = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    return min(candidates, key=lambda q: np.linalg.norm(chain.forward_kinematics(q)[:3, 3] - target[:3, 3]))


def without_the_guess(chain, target, q_0, k, rng):
    candidates = [chain.random_configuration(rng) for _ in range(k)] or [q_0]
    return min(candidates, key=lambda q: energy(chain, target, q))


def sum_of_norms(chain, target, q_0, k, rng):
    def norms(q):
        V = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target)
        return np.linalg.norm(V[:3]) + np.linalg.norm(V[3:])

    return min([q_0, *(chain.random_configuration(rng) for _ in range(k))], key=norms)


def one_too_few(chain, target, q_0, k, rng):
    return of_a_list(chain, target, q_0, max(k - 1, 0), rng)


RIGHT = {
    "list": {"best_start": of_a_list},
}


def candidates(chain, q_0, k, rng):
    return [q_0, *(chain.random_configuration(rng) for _ in range(k))]


def taking(choice):
    return {"best_start": lambda chain, target, q_0, k, rng: choice(candidates(chain, q_0, k, rng), chain, target)}


SLIPS = {
    "with the best position": {"best_start": position_alone},
    "although q_0 solves the pose exactly": {"best_start": without_the_guess},
    "target 9 m away)": {"best_start": one_too_few},
    "with the smallest ‖ω‖ + ‖v‖": {"best_start": sum_of_norms},
}
UNNAMED = {
    "the second best": taking(
        lambda c, chain, target: sorted(c, key=lambda q: energy(chain, target, q))[min(1, len(c) - 1)]
    )
}


def needed(change):
    return {"starts_needed": lambda p, c: change(p, c) if p < 1 else float(c > 0)}


def by_logarithms(p, c):
    return int(c > 0) if p == 1 else int(np.ceil(np.log1p(-c) / np.log1p(-p)))


def by_logarithms_of_zero(p, c):
    with np.errstate(all="ignore"):
        return np.ceil(np.log(1 - c) / np.log(1 - p))


RIGHT |= {
    "logarithms": {"starts_needed": by_logarithms},
}
SLIPS |= {
    "and log(1 − p) is −∞": {"starts_needed": by_logarithms_of_zero},
}
UNNAMED["three too many"] = needed(lambda p, c: by_logarithms(p, c) + 3)
