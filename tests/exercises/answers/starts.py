"""Draw a start in a bounded number of tries."""

import numpy as np

from lessons_lib import lie, pose_ik


def energy(chain, target, q):
    V = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target)
    return V @ V / 2


def of_a_list(chain, target, q_0, k, rng):
    candidates = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    return min(candidates, key=lambda q: energy(chain, target, q))


def of_an_array(chain, target, q_0, k, rng):
    candidates = np.array([q_0] + [chain.random_configuration(rng) for _ in range(k)])
    return candidates[np.argmin([np.linalg.norm(pose_ik.evaluate(chain, target, q).error) for q in candidates])].copy()


def position_alone(chain, target, q_0, k, rng):
    candidates = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    return min(candidates, key=lambda q: np.linalg.norm(chain.forward_kinematics(q)[:3, 3] - target[:3, 3]))


def matrices_subtracted(chain, target, q_0, k, rng):
    candidates = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    return min(candidates, key=lambda q: np.linalg.norm(chain.forward_kinematics(q) - target))


def without_the_guess(chain, target, q_0, k, rng):
    candidates = [chain.random_configuration(rng) for _ in range(k)] or [q_0]
    return min(candidates, key=lambda q: energy(chain, target, q))


def one_too_few(chain, target, q_0, k, rng):
    return of_a_list(chain, target, q_0, max(k - 1, 0), rng)


RIGHT = {"list": {"best_start": of_a_list}, "array": {"best_start": of_an_array}}


def candidates(chain, q_0, k, rng):
    return [q_0, *(chain.random_configuration(rng) for _ in range(k))]


def taking(choice):
    return {"best_start": lambda chain, target, q_0, k, rng: choice(candidates(chain, q_0, k, rng), chain, target)}


def endless(chain, target, q_0, k, rng):
    while True:
        chain.random_configuration(rng)


SLIPS = {
    "whose position is best": {"best_start": position_alone},
    "it is the one whose matrix differs least": {"best_start": matrices_subtracted},
    "it is the one with the largest E": taking(lambda c, chain, target: max(c, key=lambda q: energy(chain, target, q))),
    "it is the last one that was drawn": taking(lambda c, chain, target: c[-1]),
    "it is q_0 itself, whatever is drawn": taking(lambda c, chain, target: c[0]),
    "[position-drawn]": taking(
        lambda c, chain, target: min(
            c[1:] or c, key=lambda q: np.linalg.norm(chain.forward_kinematics(q)[:3, 3] - target[:3, 3])
        )
    ),
    "q_0 solves the pose exactly": {"best_start": without_the_guess},
    "and a target 9 m away, your function draws": {"best_start": one_too_few},
    "it has no bound": {"best_start": endless},
    "your function returned None": {"best_start": lambda *_: None},
    "which is neither q_0 nor one of": taking(lambda c, chain, target: c[0] + 0.1),
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


def by_failures(p, c):
    k, left = 0, 1.0
    while left > 1 - c + 1e-12:
        k, left = k + 1, left * (1 - p)
    return k


RIGHT |= {
    "logarithms": {"starts_needed": by_logarithms},
    "failures that are left": {"starts_needed": by_failures},
}
SLIPS |= {
    "and log(1 − p) is −∞": {"starts_needed": by_logarithms_of_zero},
    "it is rounded down": needed(lambda p, c: np.floor(np.log(1 - c) / np.log(1 - p))),
    "no half of a start can be made": needed(lambda p, c: np.log(1 - c) / np.log(1 - p)),
    "p and 1 − p are exchanged": needed(lambda p, c: np.ceil(np.log(1 - c) / np.log(p))),
    "c and 1 − c are exchanged": needed(lambda p, c: np.ceil(np.log(c) / np.log(1 - p))),
    "after which a start solves it on average": needed(lambda p, c: np.ceil(1 / p)),
    "as if chances added up": needed(lambda p, c: np.ceil(c / p)),
}
UNNAMED["three too many"] = needed(lambda p, c: by_logarithms(p, c) + 3)
