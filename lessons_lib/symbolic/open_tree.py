"""Kinematic trees: the formulas of one joint, for a loop over the joints of any robot."""
# A joint maps its parent's frame T to T P exp([S] q), with P its placement and S its axis in its own frame; its space
# twist is Ad(T P) S. Source: Lynch & Park, Modern Robotics (2017), §4.1 and §5.1.

import sympy as sp

from lessons_lib.symbolic import quaternion, se3, so3
from lessons_lib.symbolic.formulas import formula
from lessons_lib.symbolic.open_chain import joint_exp

REVOLUTE = sp.Matrix([0, 0, 1, 0, 0, 0])
"""A revolute joint rotates about the z-axis of its own frame; its placement rotates z to the joint's axis."""

PRISMATIC = sp.Matrix([0, 0, 0, 0, 0, 1])
"""A prismatic joint translates along the z-axis of its own frame."""


@formula
def transport(T: sp.Matrix, twist: sp.Matrix) -> sp.Matrix:
    """Return Ad_T ξ = (Rω, p × Rω + Rv)."""
    omega, v = se3.split(twist)
    rotated = se3.rotation(T) * omega
    return rotated.col_join(so3.hat(se3.position(T)) * rotated + se3.rotation(T) * v)


@formula
def into_frame(T: sp.Matrix, twist: sp.Matrix) -> sp.Matrix:
    """Return Ad(T⁻¹) ξ = (Rᵀω, Rᵀ(v − p × ω)), a space twist in the frame at T."""
    omega, v = se3.split(twist)
    R, p = se3.rotation(T), se3.position(T)
    return (R.T * omega).col_join(R.T * (v - so3.hat(p) * omega))


@formula
def joint_step(seat: sp.Matrix, screw: sp.Matrix, q: sp.Expr, ratio: sp.Expr) -> tuple[sp.Matrix, sp.Matrix]:
    """Return the pose after a joint at `seat` = T P, and its space twist per unit of its rate."""
    # ratio: change of the coordinate per unit of the rate: 1, or the multiplier of a mimic joint
    return seat * joint_exp(screw, q), ratio * transport(seat, screw)


@formula
def place(T: sp.Matrix, P: sp.Matrix) -> sp.Matrix:
    """Return T P, the pose of a frame at P in the frame at T."""
    return T * P


@formula
def free_pose(q: sp.Matrix) -> sp.Matrix:
    """Return T(q) of a free joint with q = (position, quaternion)."""
    return se3.pose(quaternion.rotation(sp.Matrix(q[3:])), sp.Matrix(q[:3]))


@formula
def free_step(seat: sp.Matrix, q: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:
    """Return the pose after a free joint with q = (position, quaternion), and its six space twists, 6×6."""
    T = seat * free_pose(q)
    return T, se3.adjoint(T)


@formula
def free_integral(q: sp.Matrix, xi: sp.Matrix) -> sp.Matrix:
    """Return the q of T(q) exp [ξ] for a free joint, a step along the body twist ξ = (ω, v), 7×1."""
    omega, v = se3.split(xi)
    turn = sp.Matrix(q[3:])
    position = sp.Matrix(q[:3]) + quaternion.rotation(turn) * so3.left_jacobian(omega) * v
    return position.col_join(quaternion.normalize(quaternion.product(turn, quaternion.exp(omega))))


@formula
def moment(T: sp.Matrix, body: sp.Matrix) -> sp.Matrix:
    """Return mass and first moment (m, m p) in {s} of a body (m, m c) in the frame at T, 4×1 each."""
    m, offset = body[0], sp.Matrix(body[1:])
    return sp.Matrix([m]).col_join(se3.rotation(T) * offset + m * se3.position(T))


@formula
def centre_column(twist: sp.Matrix, mass: sp.Expr, moment: sp.Matrix, total: sp.Expr) -> sp.Matrix:
    """Return ∂(centre of mass)/∂(rate) = (m/M) (v + ω × p_m) of a joint that carries mass m, with moment = m p_m."""
    omega, v = se3.split(twist)
    return (mass * v + so3.hat(omega) * moment) / total
