"""Damp a step, and say whether it arrived."""

import both_ways
import numpy as np
import sympy as sp


def tip(arm, q):
    return arm.forward_kinematics(q)[:2, 3]


def tip_jacobian(arm, q):
    return (arm.forward_kinematics(q)[:3, :3] @ arm.body_jacobian(q)[3:])[:2]


def loop_of(damped_step, damping=1.0, answer=lambda q, reached: (q, reached), reached=None, near=1e-6, shortest=1e-10):
    def nearest(arm, p_d, q):
        k, step = 0, np.ones(2)
        while np.linalg.norm(step) >= shortest and k < 1000:
            step = damped_step(tip_jacobian(arm, q), p_d - tip(arm, q), damping)
            q, k = q + step, k + 1
        return answer(q, np.linalg.norm(p_d - tip(arm, q)) < near if reached is None else reached)

    return {"damped_step": damped_step, "nearest": nearest}


def stacked(J, e, damping):
    return np.linalg.lstsq(np.vstack([J, damping * np.eye(2)]), np.append(e, [0.0, 0.0]), rcond=None)[0]


def by_svd(J, e, damping):
    U, s, Yt = np.linalg.svd(J)
    return Yt.T @ (s / (s**2 + damping**2) * (U.T @ e))


def outer(J, e, damping):
    return J.T @ np.linalg.inv(J @ J.T + damping**2 * np.eye(2)) @ e


def plain(J, e, damping):
    return J.T @ np.linalg.solve(J @ J.T + damping * np.eye(2), e)


RIGHT = {
    "stacked": loop_of(stacked),
    "SVD": loop_of(by_svd),
    "JJᵀ": loop_of(outer),
    "a verdict of 1 or 0": loop_of(outer, answer=lambda q, reached: (q.tolist(), int(reached))),
    "a list": loop_of(outer, answer=lambda q, reached: [q, bool(reached)]),
}


def changed(change):
    return loop_of(lambda J, e, damping: change(outer(J, e, damping)))


def none(*_):
    return None


SLIPS = {
    "you add λ, and the equation has λ²": loop_of(plain),
    "the sign is flipped": changed(np.negative),
    "your answer is in degrees": changed(np.degrees),
    "your answer is twice the right one": changed(lambda step: 2 * step),
    "your answer is half the right one": changed(lambda step: step / 2),
    "this is Newton's step": loop_of(lambda J, e, damping: np.linalg.pinv(J) @ e),
    "you add 2λ²": loop_of(lambda J, e, damping: outer(J, e, np.sqrt(2) * damping)),
    "you use JJᵀ instead of JᵀJ": loop_of(
        lambda J, e, damping: np.linalg.solve(J @ J.T + damping**2 * np.eye(2), J.T @ e)
    ),
    "this is Jᵀe": loop_of(lambda J, e, damping: J.T @ e),
    "the result for λ = 0.5 m": loop_of(outer, damping=0.5),
    "the result for λ = 2 m": loop_of(outer, damping=2.0),
    "a loop that stops after a single step": {
        "damped_step": outer,
        "nearest": lambda arm, p_d, q: (q + outer(tip_jacobian(arm, q), p_d - tip(arm, q), 1.0), False),
    },
    "the steps change a copy of q": {
        "damped_step": outer,
        "nearest": lambda arm, p_d, q: (q, loop_of(outer)["nearest"](arm, p_d, q.copy())[1]),
    },
    "go on until it is shorter than 1e-10 rad": loop_of(outer, shortest=1e-9),
    "compare |e| with 1e-6 m": loop_of(outer, reached=False),
    "you report success": loop_of(outer, reached=True),
    "the tip is 1 mm short at best": loop_of(outer, near=0.2),
    "your function returned None": {"damped_step": none, "nearest": none},
}
WRONG = {"λ of 0.1 m": loop_of(outer, damping=0.1)}
UNNAMED = {"a little off": changed(lambda step: step + 1e-3)}
RIGHT |= {
    "stated 1": {"least_damping": lambda g: sp.Rational(1, 2) / g},
    "stated 2": {"least_damping": lambda g: sp.sqrt(1 / g**2) / 2},
}
SLIPS |= {
    "the gain is 1/(2λ)": {"least_damping": lambda g: 1 / g},
    "the gain is largest at σ = λ": {"least_damping": lambda g: 1 / (4 * g)},
    "this is λ²; expected λ": {"least_damping": lambda g: 1 / (4 * g**2)},
    "a smaller gain needs more damping": {"least_damping": lambda g: g / 2},
}
UNNAMED["another formula"] = {"least_damping": lambda g: 1 + 1 / g}

RIGHT |= both_ways.RIGHT
SLIPS |= both_ways.UNFILLED
UNNAMED |= both_ways.UNNAMED
