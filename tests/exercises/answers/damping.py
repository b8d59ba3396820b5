import numpy as np


def tip(arm, q):
    return arm.forward_kinematics(q)[:2, 3]


def tip_jacobian(arm, q):
    return (arm.forward_kinematics(q)[:3, :3] @ arm.body_jacobian(q)[3:])[:2]


def by_stacking(J, e, damping):
    return np.linalg.lstsq(np.vstack([J, damping * np.eye(2)]), np.append(e, [0.0, 0.0]), rcond=None)[0]


def loop_of(damping=1.0, sign=1.0, most=1000, within=1e-6):
    def nearest(arm, p_d, q):
        k, step = 0, np.ones(2)
        while np.linalg.norm(step) >= 1e-10 and k < most:
            step = by_stacking(tip_jacobian(arm, q), sign * (p_d - tip(arm, q)), damping)
            q, k = q + step, k + 1
        return q, np.linalg.norm(p_d - tip(arm, q)) < within

    return {"damped_step": by_stacking, "nearest": nearest}


def by_svd_without_transpose(J, e, damping):
    U, sigmas, V = np.linalg.svd(J)
    return V @ (sigmas / (sigmas**2 + damping**2) * (U.T @ e))


RIGHT = {"stacked": loop_of()}
WRONG = {
    "λ of 0.1 m": loop_of(0.1),
    "a verdict for 1e-9 m": loop_of(within=1e-9),
    "Vᵀ in place of V": {"damped_step": by_svd_without_transpose},
}
SLIPS = {
    "the result for λ = 1/8 m": loop_of(0.125),
    "the result for λ = 0.5 m": loop_of(0.5),
    "the result for λ = 2 m": loop_of(2.0),
    "without the limit of 1000 steps": loop_of(most=10**6),
    "steps in the opposite direction": loop_of(sign=-1.0),
    "you report success with the tip 5e-06 m away": loop_of(within=1e-5),
    "the gain is 1/(2λ)": {"least_damping": lambda g: 1 / g},
    "the gain is largest at σ = λ": {"least_damping": lambda g: 1 / (4 * g)},
}
