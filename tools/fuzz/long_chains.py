"""Serial URDFs of up to 200 joints: what one joint leaves of rounding must not grow with every further one."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pinocchio

from lessons_lib import codegen, pose_ik, robots
from lessons_lib.arrays import Array
from lessons_lib.codegen.plain_python import functions_of
from lessons_lib.errors import LessonsError
from lessons_lib.robots import Chain, kinematics
from tools.fuzz.tally import Tally, generator

QUESTION = "Does a serial arm of up to 200 joints stand where Pinocchio puts it, and is what counts as solved solved?"
JUDGE = "Pinocchio, from the same URDF"
UNIT = "poses"
CASES = 20


SOLVED_JOINTS, DERIVED_JOINTS = (8, 41), (60, 201)
"""How many joints an even case has, whose solver is compiled, and an odd one, whose derivation alone is looked at."""

ROUNDING = 7e-15
"""Of a joint, and of a metre of the arm: 1e-12 m for 100 joints with a third of a metre between them."""

PATIENCE = 900.0
"""Seconds of the processor that deriving an arm may take: ten times what 200 joints take."""


def fuzz(cases: range, seed: int, tally: Tally) -> None:
    """Run the cases of these numbers."""
    for case in cases:
        rng = generator(seed, case)
        joints = int(rng.integers(*(DERIVED_JOINTS if case % 2 else SOLVED_JOINTS)))
        text = urdf(rng, joints)
        judge = Judge(text, joints)
        begun = time.process_time()
        try:
            chain = loaded(text)
            (_derived if case % 2 else _solved)(chain, judge, rng, case, tally)
        except (LessonsError, ArithmeticError) as error:
            tally.fail(case, f"{joints} joints: {error!r}"[:300])
        seconds = time.process_time() - begun
        tally.measure("seconds of the processor a joint", seconds / joints)
        if seconds > PATIENCE:
            tally.fail(case, f"{joints} joints took {seconds:.0f} s of the processor")


def urdf(rng: np.random.Generator, joints: int) -> str:
    """Return a random serial arm: its kinds of joints, its tilts and its axes change from arm to arm."""
    tilt = rng.choice([0.01, 0.1, 0.4, 3.1])
    kinds = [["revolute"], ["revolute", "continuous"], ["revolute", "prismatic", "fixed"]][int(rng.integers(3))]
    parts = ['<link name="l0"/>']
    for i in range(joints):
        kind = "revolute" if i == 0 else rng.choice(kinds)
        xyz, rpy = _words(rng.uniform(-0.3, 0.3, 3)), _words(rng.uniform(-tilt, tilt, 3))
        axis = _words(np.eye(3)[int(rng.integers(3))] if rng.random() < 0.7 else rng.normal(size=3))
        parts.append(
            f'<link name="l{i + 1}"/><joint name="j{i:03d}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/>'
            f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>'
            '<limit lower="-3" upper="3" velocity="1" effort="1"/></joint>'
        )
    return f'<robot name="long">{"".join(parts)}</robot>'


def loaded(text: str) -> Chain:
    """Return the chain of a URDF's text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.urdf"
        path.write_text(text, encoding="utf8")
        return robots.from_urdf(path)


class Judge:
    """Pinocchio's model of the arm."""

    def __init__(self, text: str, joints: int) -> None:
        """Build the model; the joints' names are in the order of the arm."""
        self.model = pinocchio.buildModelFromXML(text)
        self.data, self.tip = self.model.createData(), self.model.getFrameId(f"l{joints}")
        self.length = sum(float(np.linalg.norm(place.translation)) for place in self.model.jointPlacements)

    def kinematics(self, q: Array) -> tuple[Array, Array]:
        """Return T_sb and J_b, rows (ω, v)."""
        theirs = np.concatenate(
            [
                [np.cos(x), np.sin(x)] if joint.nq == 2 else [x]
                for x, joint in zip(q, self.model.joints[1:], strict=True)
            ]
        )
        J = pinocchio.computeFrameJacobian(self.model, self.data, theirs, self.tip, pinocchio.LOCAL)
        pinocchio.framesForwardKinematics(self.model, self.data, theirs)
        return self.data.oMf[self.tip].homogeneous, np.vstack([J[3:], J[:3]])

    def allowed(self, q: Array) -> float:
        """Return what rounding may do to a pose."""
        slides = sum(abs(x) for x, joint in zip(q, self.model.joints[1:], strict=True) if "P" in joint.shortname()[-2:])
        return float(ROUNDING * (len(q) + self.length + slides))


def _derived(chain: Chain, judge: Judge, rng: np.random.Generator, case: int, tally: Tally) -> None:
    """Hold the text of the derived kernels to the judge, without compiling it."""
    kernel = functions_of(codegen.source([kinematics.tip_kernels(chain.screws, chain.home)[-1]], "scalar"))[
        "chain_kernel"
    ]
    T, J_b = np.empty((4, 4)), np.empty((6, chain.dof))
    for q in rng.uniform(-3.0, 3.0, (5, chain.dof)):
        kernel(q, T, J_b)
        _compare(chain, judge, q, T, J_b, case, tally)


def _solved(chain: Chain, judge: Judge, rng: np.random.Generator, case: int, tally: Tally) -> None:
    """Hold the compiled kernels to the judge, and what the search says of its answers."""
    starts = rng.uniform(-2.5, 2.5, (40, chain.dof))
    for q in starts[:5]:
        _compare(chain, judge, q, *chain.pose_and_jacobian(q), case, tally)
    goals = starts + rng.uniform(-0.4, 0.4, starts.shape)
    targets = np.array([judge.kinematics(q)[0] for q in goals])
    stop = pose_ik.Stop()
    found = pose_ik.solve_batch(chain, targets, starts, stop=stop)
    tally.tried += len(targets)
    if not found.converged.any():
        tally.fail(case, f"{chain.dof} joints: none of {len(targets)} near targets was solved")
    for q, target in zip(found.q[found.converged], targets[found.converged], strict=True):
        T, _ = judge.kinematics(q)
        distance = float(np.linalg.norm(T[:3, 3] - target[:3, 3]))
        angle = float(np.linalg.norm(pinocchio.log3(T[:3, :3].T @ target[:3, :3])))
        # |v| of the logarithm is at least the distance, and the angle is that of the logarithm
        if distance > stop.position + judge.allowed(q) or angle > stop.orientation + judge.allowed(q):
            tally.fail(case, f"{chain.dof} joints: converged, and {distance:.2g} m and {angle:.2g} rad away")


def _compare(chain: Chain, judge: Judge, q: Array, T: Array, J_b: Array, case: int, tally: Tally) -> None:
    expected, expected_J_b = judge.kinematics(q)
    errors = {
        "error of a pose [rad, m]": float(np.abs(T - expected).max()),
        "error of a Jacobian [1, m]": float(np.abs(J_b - expected_J_b).max()),
    }
    tally.tried += 1
    for name, error in errors.items():
        tally.measure(name, error)
        if not error <= judge.allowed(q):
            tally.fail(case, f"{chain.dof} joints: {name} is {error:.2g}, rounding explains {judge.allowed(q):.2g}")


def _words(numbers: Array) -> str:
    return " ".join(repr(float(x)) for x in numbers)
