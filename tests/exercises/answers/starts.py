import numpy as np

from lessons_lib import lie


def energy(chain, target, q):
    V = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target)
    return V @ V / 2


def of_a_list(chain, target, q_0, k, rng):
    candidates = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    return min(candidates, key=lambda q: energy(chain, target, q))


def without_the_guess(chain, target, q_0, k, rng):
    candidates = [chain.random_configuration(rng) for _ in range(k)] or [q_0]
    return min(candidates, key=lambda q: energy(chain, target, q))


def one_too_few(chain, target, q_0, k, rng):
    return of_a_list(chain, target, q_0, max(k - 1, 0), rng)


RIGHT = {
    "list": {"best_start": of_a_list},
}


def candidates(chain, q_0, k, rng):
    return [q_0, *(chain.random_configuration(rng) for _ in range(k))]


SLIPS = {
    "although q_0 solves the pose exactly": {"best_start": without_the_guess},
    "target 9 m away)": {"best_start": one_too_few},
}


def with_change(change):
    return {"starts_needed": lambda p, c: change(p, c) if p < 1 else float(c > 0)}


def by_logarithms(p, c):
    return int(c > 0) if p == 1 else int(np.ceil(np.log1p(-c) / np.log1p(-p)))


RIGHT |= {
    "logarithms": {"starts_needed": by_logarithms},
}
UNNAMED = {"three too many": with_change(lambda p, c: by_logarithms(p, c) + 3)}
