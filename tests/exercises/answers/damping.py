import numpy as np


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


def by_stacking(J, e, damping):
    return np.linalg.lstsq(np.vstack([J, damping * np.eye(2)]), np.append(e, [0.0, 0.0]), rcond=None)[0]


def outer(J, e, damping):
    return J.T @ np.linalg.inv(J @ J.T + damping**2 * np.eye(2)) @ e


RIGHT = {
    "stacked": loop_of(by_stacking),
}


SLIPS = {
    "the result for λ = 1/8 m": loop_of(outer, damping=0.125),
    "the result for λ = 0.5 m": loop_of(outer, damping=0.5),
    "the result for λ = 2 m": loop_of(outer, damping=2.0),
}
WRONG = {"λ of 0.1 m": loop_of(outer, damping=0.1)}
SLIPS |= {
    "the gain is 1/(2λ)": {"least_damping": lambda g: 1 / g},
    "the gain is largest at σ = λ": {"least_damping": lambda g: 1 / (4 * g)},
}
