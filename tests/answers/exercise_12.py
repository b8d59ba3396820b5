"""Bounded sampling."""

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
WRONG = {
    function.__name__: {"best_start": function}
    for function in (position_alone, matrices_subtracted, without_the_guess, one_too_few)
}
