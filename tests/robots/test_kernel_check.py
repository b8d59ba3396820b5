"""Errors in the derivation or in compiled code of a chain are detected before use."""

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pinocchio_models
import pytest

from lessons_lib import pose_ik, robots, symbolic
from lessons_lib.errors import KinematicsError
from lessons_lib.pose_ik import lane_kernels, lanes
from lessons_lib.pose_ik.arguments import check_problem
from lessons_lib.robots import chain_module, kernel_check
from lessons_lib.robots.kernel_check import product, sample_configurations
from lessons_lib.symbolic import tip_to_base

Z, X = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
TURN, SLIDE = (*Z, 0.0, -0.4, 0.0), (0.0, 0.0, 0.0, *X)
PITCH = 1e-6  # m per rad: an error in it moves the tip by as little as the default tolerance
HELIX = (*X, PITCH, 0.3, 0.0)
HOME = np.array([[0.0, 0.0, 1.0, 0.7], [1.0, 0.0, 0.0, 0.2], [0.0, 1.0, 0.0, 0.5], [0.0, 0.0, 0.0, 1.0]])
ERRORS = {
    "a slide the other way": ("self.t + q * along", "self.t - q * along"),
    "a slide's column the other way": ("col_join(self.A.T * along)", "col_join(-self.A.T * along)"),
    "a pitch the other way": ("self.t + pitch * q * axis", "self.t - pitch * q * axis"),
    "a pitch's column the other way": ("* self.t + pitch * axis)", "* self.t - pitch * axis)"),
    "a turn the other way": ("sign * sp.sin(angle))", "-sign * sp.sin(angle))"),
    "a shift the other way": ("self.frame.T * (self.point - point)", "self.frame.T * (point - self.point)"),
    "a common normal the other way": ("self.t[self.axis] -= ahead", "self.t[self.axis] += ahead"),
}


def screws():
    return np.array([TURN, HELIX, SLIDE, TURN, (0.0, 0.6, 0.8, 0.1, -0.08, 0.06)]).T


def with_error(error):
    """Return tip_to_base with an error in its text."""
    right, wrong = ERRORS[error]
    source = Path(str(tip_to_base.__file__)).read_text("utf8")
    assert source.count(right) == 1
    module = ModuleType("lessons_lib.symbolic.slipped")
    exec(compile(source.replace(right, wrong), "slipped", "exec"), vars(module))
    return module


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_in_the_derivation_is_refused(error, monkeypatch):
    chain = robots.from_screws(screws(), HOME, name="arm")
    monkeypatch.setattr(symbolic, "tip_to_base", with_error(error))
    with pytest.raises(KinematicsError, match="differs from the product of exponentials by"):
        chain_module.recipe("arm", chain.screws, chain.home).text()
    with pytest.raises(KinematicsError, match="of pose_and_jacobian differs from the product of exponentials by"):
        lane_kernels.pose_text(chain, width=1)


@pytest.mark.check
def test_an_error_in_compiled_code_is_refused(monkeypatch):
    home = HOME.copy()
    home[0, 3] += 0.01  # another arm, so that no other test loads the wrong code from the cache
    chain = robots.from_screws(screws(), home)
    right = pose_ik.solve(chain, product(chain.screws, chain.home, np.full(5, 0.3)).T)
    assert right.converged
    right_source = lane_kernels.pose_text

    def wrong_source(*arguments):
        whole = right_source(*arguments)
        wrong = re.sub(r"(w\[\d+, lane\]) = (t\d+)\b", r"\1 = 1.0000001*\2", whole)
        assert wrong != whole
        return wrong

    monkeypatch.setattr(lane_kernels, "pose_text", wrong_source)
    monkeypatch.setattr(lanes, "_modules", type(lanes._modules)())
    again = robots.from_screws(screws(), home, name="again")
    object.__setattr__(again, "home", home)
    monkeypatch.setattr(type(again), "recipe", property(lambda chain: "a slip after printing"))
    for entry in ("solve_pose", "solve_rows"):
        with pytest.raises(KinematicsError, match=f"the derived kinematics of {entry} differ from the product of"):
            lanes.entry_for(check_problem(again, None, None, None), entry)


@pytest.mark.parametrize("method", ["forward_kinematics", "space_jacobian", "body_jacobian", "pose_and_jacobian"])
def test_a_loaded_kernel_is_checked_before_its_first_use(method):
    chain, other = robots.ur10(), robots.ur10()
    shifted = other.home.copy()
    shifted[1, 3] += 1e-9
    object.__setattr__(chain, "kernels", other.kernels)
    object.__setattr__(chain, "home", shifted)
    if method == "space_jacobian":  # it does not depend on the home pose
        turned = other.screws.copy()
        turned[3, 2] += 1e-9
        object.__setattr__(chain, "screws", turned)
    for _ in range(2):
        with pytest.raises(KinematicsError, match="product of exponentials"):
            getattr(chain, method)(np.zeros(6))


@pytest.mark.parametrize("joints", [1, 6, 60, 200])
def test_the_product_is_pinocchios_and_its_bound_holds(joints):
    rng = np.random.default_rng(joints)
    kinds = rng.choice(["revolute", "prismatic", "helical"], size=joints)
    axis, pitch, seats, columns, T = np.array(Z), 0.1, [], [], np.eye(4)
    for kind in kinds:
        seat = product(np.array([[*X, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, *X]]).T, np.eye(4), rng.uniform(-1, 1, 2)).T
        T = T @ seat
        seats.append((pinocchio_models.joint(kind, axis, pitch), seat))
        own = (0.0, T[:3, 2]) if kind == "prismatic" else (1.0, np.cross(T[:3, 3], T[:3, 2]))
        advance = pitch * T[:3, 2] if kind == "helical" else 0.0
        columns.append(np.concatenate([own[0] * T[:3, 2], own[1] + advance]))
    judge, S = pinocchio_models.build(seats, np.eye(4)), np.column_stack(columns)
    for q in sample_configurations(np.full(joints, -3.0), np.full(joints, 3.0)):
        known = product(S, T, q)
        expected, J_s, J_b = judge.kinematics(q)
        kernel_check.check_kernel(known, expected, J_s, J_b)
        assert known.distance < 1e-9
