"""Follow a moving target without a lag."""

import numpy as np

from lessons_lib import lie


def in_space(chain, q, T_sd, V_d, gain):
    T_sb = chain.forward_kinematics(q)
    V_b = lie.log_se3(lie.inverse(T_sb) @ T_sd)
    twist = gain * lie.adjoint(T_sb) @ V_b + lie.adjoint(T_sd) @ V_d
    return np.linalg.lstsq(chain.space_jacobian(q), twist, rcond=None)[0]


def wanted(chain, q, T_sd, V_d, gain):
    T_bd = np.linalg.inv(chain.forward_kinematics(q)) @ T_sd
    return gain * lie.log_se3(T_bd) + lie.adjoint(T_bd) @ V_d


def normal_equations(chain, q, *rest):
    J = chain.body_jacobian(q)
    return J.T @ np.linalg.solve(J @ J.T, wanted(chain, q, *rest))


def from_the_target(chain, q, T_sd, V_d, gain):
    """In {d}: V_b is its own image there, for it lies along the logarithm."""
    T_bd = lie.inverse(chain.forward_kinematics(q)) @ T_sd
    J_d = lie.adjoint(lie.inverse(T_bd)) @ chain.body_jacobian(q)
    return np.linalg.pinv(J_d) @ (gain * lie.log_se3(T_bd) + V_d)


def feedback_alone(chain, q, T_sd, V_d, gain):
    return in_space(chain, q, T_sd, 0 * V_d, gain)


def in_the_wrong_frame(chain, q, T_sd, V_d, gain):
    V_b = lie.log_se3(lie.inverse(chain.forward_kinematics(q)) @ T_sd)
    return np.linalg.pinv(chain.body_jacobian(q)) @ (gain * V_b + V_d)


def damped(chain, q, *rest):
    J = chain.body_jacobian(q)
    return J.T @ np.linalg.solve(J @ J.T + 0.04 * np.eye(6), wanted(chain, q, *rest))


RIGHT = {
    "space frame": {"joint_rates": in_space},
    "normal equations": {"joint_rates": normal_equations},
    "in the target's frame": {"joint_rates": from_the_target},
}
WRONG = {
    "damped": {"joint_rates": damped},
}


def changed(change):
    return {"joint_rates": lambda chain, q, *rest: change(normal_equations(chain, q, *rest), q)}


def with_twist(twist):
    """Rates for a twist in {b} that is made of K, V_b, the pose of the target seen from the tip, and V_d."""

    def joint_rates(chain, q, T_sd, V_d, gain):
        T_bd = lie.inverse(chain.forward_kinematics(q)) @ T_sd
        return np.linalg.pinv(chain.body_jacobian(q)) @ twist(gain, lie.log_se3(T_bd), T_bd, V_d)

    return {"joint_rates": joint_rates}


SLIPS = {
    "the target's own velocity V_d is left out": {"joint_rates": feedback_alone},
    "V_d is added as it is": {"joint_rates": in_the_wrong_frame},
    "V_d is carried the wrong way": with_twist(lambda K, V, T, V_d: K * V + lie.adjoint(lie.inverse(T)) @ V_d),
    "its v lacks p × ω": with_twist(lambda K, V, T, V_d: K * V + np.kron(np.eye(2), T[:3, :3]) @ V_d),
    "V_b has the wrong sign": with_twist(lambda K, V, T, V_d: -K * V + lie.adjoint(T) @ V_d),
    "V_d has the wrong sign": with_twist(lambda K, V, T, V_d: K * V - lie.adjoint(T) @ V_d),
    "the gain is missing": with_twist(lambda K, V, T, V_d: V + lie.adjoint(T) @ V_d),
    "the gain multiplies V_d too": with_twist(lambda K, V, T, V_d: K * V + K * lie.adjoint(T) @ V_d),
    "you returned q + q̇": changed(lambda rates, q: q + rates),
    "the rates are in degrees a second": changed(lambda rates, q: np.degrees(rates)),
    "your answer is half the right one": changed(lambda rates, q: rates / 2),
    "your function returned None": {"joint_rates": lambda *_: None},
}
UNNAMED = {
    "a little off": changed(lambda rates, q: rates + 0.05),
    "off by half a thousandth": changed(lambda rates, q: rates + 5e-4),
}


def slowed_by(change):
    return {"slowed": change}


def by_seconds(rates, limits):
    """How long a second's motion takes at least."""
    return rates / np.concatenate([[1.0], np.abs(rates / limits)]).max()


def joint_after_joint(rates, limits):
    for i, limit in enumerate(limits):
        if abs(rates[i]) > limit:
            rates = rates * (limit / abs(rates[i]))
    return rates


RIGHT |= {
    "time that it takes": slowed_by(by_seconds),
    "joint after joint": slowed_by(joint_after_joint),
}
SLIPS |= {
    "each rate is clipped separately": slowed_by(lambda rates, limits: np.clip(rates, -limits, limits)),
    "their size counts": slowed_by(lambda rates, limits: rates / max(1.0, (rates / limits).max())),
    "even where nothing was too fast": slowed_by(lambda rates, limits: rates / np.abs(rates / limits).max()),
    "by the smallest limit": slowed_by(lambda rates, limits: rates * min(1.0, limits.min() / np.abs(rates).max())),
    "another one is farther beyond its own": slowed_by(
        lambda rates, limits: rates / max(1.0, (np.abs(rates) / limits)[np.abs(rates).argmax()])
    ),
    "by the length of the rates": slowed_by(lambda rates, limits: rates / max(1.0, np.linalg.norm(rates / limits))),
    "the signs are lost": slowed_by(lambda rates, limits: np.abs(by_seconds(rates, limits))),
    "these are the rates as they were": slowed_by(lambda rates, limits: rates),
}
UNNAMED["slower than it has to be"] = slowed_by(lambda rates, limits: 0.99 * by_seconds(rates, limits))
