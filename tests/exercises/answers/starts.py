import numpy as np

from lessons_lib import lie


def of_a_list(chain, target, q_0, k, rng, guess=True):
    drawn = [chain.random_configuration(rng) for _ in range(k)]
    twists = {tuple(q): lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target) for q in [q_0] * guess + drawn}
    return np.array(min(twists, key=lambda q: twists[q] @ twists[q], default=q_0))


def by_logarithms(p, c):
    return int(c > 0) if p == 1 else int(np.ceil(np.log1p(-c) / np.log1p(-p)))


def halve_linear(chain, target, q_0, k, rng):
    drawn = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    twists = [lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target) / [1, 1, 1, 2, 2, 2] for q in drawn]
    return min(zip(drawn, twists, strict=True), key=lambda one: one[1] @ one[1])[0]


def ignore_small_gains(chain, target, q_0, k, rng):
    drawn = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    twists = [lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target) for q in drawn]
    return drawn[int(np.argmin([round(twist @ twist, 2) for twist in twists]))]


def give_up_out_of_reach(chain, target, q_0, k, rng):
    best = of_a_list(chain, target, q_0, k, rng)
    return q_0 if np.linalg.norm(target[:3, 3]) > 3 else best


def ignore_one_per_cent(chain, target, q_0, k, rng):
    best, lowest = q_0, np.inf
    for q in [q_0, *(chain.random_configuration(rng) for _ in range(k))]:
        twist = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target)
        if twist @ twist < 0.99 * lowest:
            best, lowest = q, twist @ twist
    return best


def prefer_near(chain, target, q_0, k, rng):
    drawn = [q_0, *(chain.random_configuration(rng) for _ in range(k))]
    twists = [lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ target) for q in drawn]
    return min(
        zip(drawn, twists, strict=True), key=lambda one: one[1] @ one[1] / 2 + 0.01 * np.linalg.norm(one[0] - q_0)
    )[0]


RIGHT = {"list": {"best_start": of_a_list}, "logarithms": {"starts_needed": by_logarithms}}
SLIPS = {
    "although q_0 solves the pose exactly": {"best_start": lambda *given: of_a_list(*given, guess=False)},
    "the nearest whole number": {"starts_needed": lambda p, c: round(np.log1p(-c) / np.log1p(-min(p, 0.9999)) + 1e-6)},
    "other than its argument rng": {"best_start": lambda *given: of_a_list(*given[:4], np.random.default_rng(0))},
    "for c = 0, no start is needed": {"starts_needed": lambda p, c: 1 if p == 1 else by_logarithms(p, c)},
    "but it draws 0": {"best_start": lambda *given: of_a_list(*given[:3], max(given[3] - 1, 0), given[4])},
}
UNNAMED = {
    "zeros without a draw": {"best_start": lambda *given: of_a_list(*given) * (given[3] > 0)},
    "position weighted by a half": {"best_start": halve_linear},
    "three too many": {"starts_needed": lambda p, c: by_logarithms(p, c) + 3 if p < 1 else float(c > 0)},
    "at most a hundred": {"starts_needed": lambda p, c: min(by_logarithms(p, c), 100)},
    "at most a thousand": {"starts_needed": lambda p, c: min(by_logarithms(p, c), 1000)},
    "one if p > 0.9": {"starts_needed": lambda p, c: by_logarithms(p, c) if p <= 0.9 else int(c > 0)},
    "a hundredth ignored": {"starts_needed": lambda p, c: int(np.ceil(np.log1p(-c) / np.log1p(-min(p, 0.99)) - 0.01))},
    "small gains ignored": {"best_start": ignore_small_gains},
    "gains of one per cent ignored": {"best_start": ignore_one_per_cent},
    "a penalty on the distance from q_0": {"best_start": prefer_near},
    "no choice if out of reach": {"best_start": give_up_out_of_reach},
}
