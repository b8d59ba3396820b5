"""Every solver behind one signature: (target, start) to (q, whether it reports convergence).

Each factory takes the arm and returns such a function, which also reads the result, so that no solver can defer work.
Peers have the best setting that their documentation offers, named beside it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lessons_lib import pose_ik
from lessons_lib.arrays import Array
from lessons_lib.robots import Chain
from tools.benchmarks.models import PinocchioArm, check_equal, elementary_transforms, mjcf, write_urdf
from tools.benchmarks.poses import TOLERANCE, errors

Side = Callable[[Array, Array], tuple[Array, bool]]

ITERATIONS, SEARCHES = 30, 100
"""The toolbox's own bounds: iterations of a search, and searches."""

RESIDUAL = TOLERANCE**2
"""The toolbox stops when (|v|² + |ω|²)/2 is below this, which it is wherever |v| and |ω| are both within TOLERANCE."""

CHAN = 0.1
"""The toolbox's damping: its documentation offers 1.0 to 0.01 and takes 1.0; 0.1 is quicker on both arms."""

PINOCCHIO_STEPS, PINK_STEPS = 1000, 200


def ours(chain: Chain) -> Side:
    """Return pose_ik.solve with all its defaults, compiled beforehand: the search too, which few poses need."""
    chain.compile()

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        result = pose_ik.solve(chain, target, start)
        return result.q, result.converged

    return side


def toolbox_chan(chain: Chain) -> Side:
    """Return the robotics toolbox's ik_LM in C++ with Chan's damping at its best."""
    return _toolbox(chain, "ik_LM", k=CHAN, method="chan")


def toolbox_chan_default(chain: Chain) -> Side:
    """Return the same with the damping that the toolbox takes by itself."""
    return _toolbox(chain, "ik_LM", method="chan")


def toolbox_newton(chain: Chain) -> Side:
    """Return the robotics toolbox's ik_NR in C++; six joints by the inverse, more by the pseudoinverse."""
    return _toolbox(chain, "ik_NR", pinv=False)


def _toolbox(chain: Chain, name: str, **choices: Any) -> Side:
    sequence = elementary_transforms(chain)
    check_equal(chain, "robotics toolbox", sequence.eval)
    solve = getattr(sequence, name)
    choices |= {"ilimit": ITERATIONS, "slimit": SEARCHES, "tol": RESIDUAL, "joint_limits": True}

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        solution = solve(target, start, **choices)
        return solution.q, solution.success

    return side


def trac_ik(chain: Chain) -> Side:
    """Return TRAC-IK (Speed) through its binding; 50 ms instead of 5 ms, so that a busy machine fails no pose."""
    from trac_ik import TracIK

    with tempfile.TemporaryDirectory() as folder:
        urdf = write_urdf(chain, Path(folder) / "arm.urdf")
        solver = TracIK("base", "tip", str(urdf), timeout=0.05, epsilon=TOLERANCE, solver_type="Speed")

    def place(q: Array) -> Array:
        T = np.eye(4)
        T[:3, 3], T[:3, :3] = solver.fk(q)
        return T

    check_equal(chain, "TRAC-IK", place)

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        q = solver.ik(target[:3, 3], target[:3, :3], start)
        return (start, False) if q is None else (np.array(q), True)

    return side


def modern_robotics(chain: Chain) -> Side:
    """Return Modern Robotics' IKinSpace."""
    import modern_robotics as book

    screws, home = np.array(chain.screws), np.array(chain.home)
    check_equal(chain, "modern_robotics", lambda q: book.FKinSpace(home, screws, q))

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        q, success = book.IKinSpace(screws, home, target, start, TOLERANCE, TOLERANCE)
        return q, success

    return side


def pinocchio_loop(chain: Chain) -> Side:
    """Return the closed loop of Pinocchio's documentation, with whole steps (it takes tenths) and our tolerance."""
    import pinocchio

    arm = PinocchioArm(chain)
    check_equal(chain, "Pinocchio", arm.forward_kinematics)
    model, data, tip, damping = arm.model, arm.data, arm.tip, 1e-12 * np.eye(6)

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        goal, q = pinocchio.SE3(target), start.copy()
        for _ in range(PINOCCHIO_STEPS):
            pinocchio.framesForwardKinematics(model, data, q)
            to_goal = data.oMf[tip].actInv(goal)
            error = pinocchio.log6(to_goal).vector
            if np.linalg.norm(error) <= TOLERANCE:
                return q, True
            J = -pinocchio.Jlog6(to_goal.inverse()) @ pinocchio.computeFrameJacobian(model, data, q, tip)
            step = -J.T @ np.linalg.solve(J @ J.T + damping, error)
            q = pinocchio.integrate(model, q, step)
        return q, False

    return side


def pink_loop(chain: Chain) -> Side:
    """Return Pink's closed loop with DAQP: one frame task of gain 1 within the arm's limits, whole steps.

    A tenth of the way to a limit in one step, instead of half of it, and a little damping solve the most poses.
    """
    import pinocchio
    from pink import Configuration, solve_ik
    from pink.exceptions import PinkError
    from pink.limits import ConfigurationLimit
    from pink.tasks import FrameTask

    arm = PinocchioArm(chain)
    check_equal(chain, "Pink", arm.forward_kinematics)
    limits = [ConfigurationLimit(arm.model, config_limit_gain=0.1)]
    task = FrameTask("tip", position_cost=1.0, orientation_cost=1.0, gain=1.0, lm_damping=1e-3)

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        configuration = Configuration(arm.model, arm.data, start)
        task.set_target(pinocchio.SE3(target))
        try:
            for _ in range(PINK_STEPS):
                if np.linalg.norm(task.compute_error(configuration)) <= TOLERANCE:
                    return configuration.q, True
                velocity = solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits)
                configuration.integrate_inplace(velocity, 1.0)
        except PinkError:  # a step out of the limits, or a program without a solution
            pass
        return configuration.q, False

    return side


def scipy_least_squares(chain: Chain) -> Side:
    """Return SciPy's least_squares (LM, MINPACK) on Pinocchio's kinematics, with the exact derivative of the log.

    MINPACK wants no more unknowns than equations, so more than six joints get equations that read 0 = 0.
    """
    import pinocchio
    from scipy.optimize import least_squares

    arm = PinocchioArm(chain)
    model, data, tip, rows = arm.model, arm.data, arm.tip, max(6, chain.dof)

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        goal, twist, slope = pinocchio.SE3(target), np.zeros(rows), np.zeros((rows, chain.dof))

        def error(q: Array) -> Array:
            pinocchio.framesForwardKinematics(model, data, q)
            twist[:6] = pinocchio.log6(goal.actInv(data.oMf[tip])).vector
            return twist

        def derivative(q: Array) -> Array:
            J = pinocchio.computeFrameJacobian(model, data, q, tip)
            slope[:6] = pinocchio.Jlog6(goal.actInv(data.oMf[tip])) @ J
            return slope

        fit = least_squares(error, start, derivative, method="lm", ftol=1e-15, xtol=1e-12, gtol=1e-15)
        return fit.x, bool(np.linalg.norm(fit.fun) <= TOLERANCE)

    return side


def mink_loop(chain: Chain) -> Side:
    """Return mink's closed loop with DAQP, as Pink's: one frame task within the limits, whole steps."""
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf(chain))
    configuration = mink.Configuration(model)

    def place(q: Array) -> Array:
        configuration.update(q)
        T: Array = configuration.get_transform_frame_to_world("tip", "site").as_matrix()
        return T

    check_equal(chain, "mink", place)
    task = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=1.0, gain=1.0, lm_damping=1e-3)
    limits = [mink.ConfigurationLimit(model, gain=0.1)]

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        configuration.update(start)
        task.set_target(mink.SE3.from_matrix(target))
        try:
            for _ in range(PINK_STEPS):
                if np.linalg.norm(task.compute_error(configuration)) <= TOLERANCE:
                    return configuration.q.copy(), True
                velocity = mink.solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits)
                configuration.integrate_inplace(velocity, 1.0)
        except mink.MinkError:
            pass
        return configuration.q.copy(), False

    return side


def ikpy_chain(chain: Chain) -> Side:
    """Return ikpy with its least squares on position and the whole orientation; it claims nothing, so we look."""
    from ikpy.chain import Chain as Links

    with tempfile.TemporaryDirectory() as folder:
        urdf = write_urdf(chain, Path(folder) / "arm.urdf")
        active = [False, *(chain.dof * [True]), False]
        links = Links.from_urdf_file(str(urdf), base_elements=["base"], active_links_mask=active)

    def place(q: Array) -> Array:
        T: Array = links.forward_kinematics([0.0, *q, 0.0])
        return T

    check_equal(chain, "ikpy", place)

    def side(target: Array, start: Array) -> tuple[Array, bool]:
        full = links.inverse_kinematics_frame(target, initial_position=[0.0, *start, 0.0], orientation_mode="all")
        q = np.asarray(full)[1:-1]
        return q, max(errors(place(q), target)) <= TOLERANCE

    return side
