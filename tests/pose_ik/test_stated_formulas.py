"""What a formula of a method may be, what is said where it is none, and that its compiled code is its own."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

from lessons_lib.codegen.linker import Recipe
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik import (
    GaussNewton,
    Halley,
    LevenbergMarquardt,
    Method,
    NewtonRaphson,
    Restarts,
    Status,
    TrustRegion,
    Wampler,
    evaluate,
    lanes,
    pose,
    position_only,
    solve,
    solve_batch,
)
from lessons_lib.pose_ik.methods import exact_derivative, least_squares
from lessons_lib.pose_ik.one_pose import solve_in_python
from lessons_lib.pose_ik.stated_step import key_of
from lessons_lib.pose_ik.variants import variant_of
from lessons_lib.robots import Chain
from lessons_lib.symbolic.stated_step import stated

J2, V6 = sp.Matrix(6, 2, sp.symbols("J:12", real=True)), sp.Matrix(sp.symbols("V:6", real=True))


def taken(part: float) -> Callable[..., Any]:
    """Return a formula that takes so large a part of Newton's step, another function each time."""

    def formula(J: Any, V: Any, solve: Callable[..., Any]) -> Any:
        return sp.Float(part) * solve(J, V)

    return formula


def wide(J: Any, V: Any, solve: Any) -> Any:
    return solve(J.T, V)


def short(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V[:3, :])


def listed(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V)[:1, :]


def idle(J: Any, V: Any, solve: Any) -> Any:
    return J.T * V


def strange(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) * sp.Symbol("gain") + solve(J, V) * sp.Symbol("bias")


def strange_inside(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V * sp.Symbol("gain"))


def bessel(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) * sp.besselj(0, V[0])


def turned(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) * sp.I


def broken(J: Any, V: Any, solve: Any) -> Any:
    return solve(J, V) / len(J[99, 99])


def forgetful(J: Any, V: Any, solve: Any) -> Any:
    solve(J, V)


def two_arguments(J: Any, V: Any) -> Any:
    return J.T * V


ODD: dict[Callable[..., Any], str] = {
    wide: r"wide solves A d = e with A \(2, 6\) and e \(6, 1\); they are \(6, 2\) and \(6, 1\)",
    short: r"short solves A d = e with A \(6, 2\) and e \(3, 1\); they are \(6, 2\)",
    listed: r"listed returns shape \(1, 1\); a step has one entry a joint, shape \(2, 1\)",
    idle: r"idle solves no linear problem; a step comes of solve\(A, e\)",
    strange: "strange holds bias, gain; it is made of J, V and what solve returns",
    strange_inside: "strange_inside holds gain; it is made of J, V and what solve returns",
    bessel: "bessel holds besselj, which the solver has not; it has sp.sqrt, exp",
    turned: "turned holds .*, which is not real; a step has real entries",
    broken: r"no step comes of broken\(J, V, solve\): .*[Ii]ndex",
    forgetful: r"no step comes of forgetful\(J, V, solve\)|forgetful returns shape",
    two_arguments: r"no step comes of two_arguments\(J, V, solve\): .* takes 2 positional arguments but 3 were given",
}


@pytest.mark.parametrize("formula", ODD, ids=lambda formula: formula.__name__)
def test_what_is_no_formula_is_told_of_by_its_name(planar_2r: Chain, formula: Callable[..., Any]) -> None:
    with pytest.raises(ParameterError, match=ODD[formula]):
        stated(formula, J2, V6)
    target, method = planar_2r.forward_kinematics([0.3, 0.9]), Method(formula)
    for call in (
        lambda: solve(planar_2r, target, [0.2, 0.8], method=method),
        lambda: solve(planar_2r, target, [0.2, 0.8], method=method, trace=True),
        lambda: solve_in_python(planar_2r, target, [0.2, 0.8], method=method),
        lambda: solve_batch(planar_2r, [target] * 9, [0.2, 0.8], method=method),
    ):
        with pytest.raises(ParameterError, match=ODD[formula]):
            call()


@pytest.mark.parametrize("inside", [False, True])
def test_a_formula_that_divides_by_zero_ends_its_starts(planar_2r: Chain, inside: bool) -> None:
    """The planar arm turns about z alone, so that V0 is zero."""

    def divided(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V / V[0]) if inside else solve(J, V) / V[0]

    target, asked = planar_2r.forward_kinematics([0.3, 0.9]), {"method": Method(divided), "starts": Restarts(2)}
    for found in (
        solve(planar_2r, target, [0.2, 0.8], **asked),
        solve(planar_2r, target, [0.2, 0.8], **asked, trace=True),
        solve_in_python(planar_2r, target, [0.2, 0.8], **asked),
    ):
        assert found.status is Status.NOT_FINITE and found.restarts == 2 and np.isfinite(found.q).all()


def test_what_a_formula_states_is_its_problems_in_order_and_its_step() -> None:
    def formula(J: Any, V: Any, solve: Any) -> Any:
        half = solve.named(V / 2)
        first = solve(J, half)
        return first + 2 * solve(2 * J, V - J * first)

    found = stated(formula, J2, V6)
    one, other = found.problems
    assert [expression for _, expression in one.definitions] == list(V6 / 2) and not other.definitions
    assert (one.A, other.A) == (J2, 2 * J2) and list(one.e) == [symbol for symbol, _ in one.definitions]
    assert sp.simplify(other.e - (V6 - J2 * one.d)) == sp.zeros(6, 1)
    assert found.d == one.d + 2 * other.d


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Method("newton"), "formula must be a function of J, V and solve that returns d, got 'newton'"),
        (lambda: Method(damping=0.1), r"damping must be a policy such as Constant\(damping=0.125\).*, got 0.1"),
        (lambda: Halley(0.1), "damping must be a policy"),
        (
            lambda: Method(taken(1.0), TrustRegion()),
            r"damping is TrustRegion.*; for a user-defined formula choose a damping w",
        ),
        (lambda: Halley(TrustRegion()), "needs a method of one linear problem"),
        (lambda: Method(frame="target"), "frame must be 'body' or 'space', got 'target'"),
        (lambda: Method(derivative="numeric"), "derivative must be None, 'geometric' or 'exact', got 'numeric'"),
        (lambda: Method(taken(1.0), frame="space", derivative="exact"), "use it with frame='body'"),
        (lambda: Method(name=3), "name must be a string, got 3"),
    ],
)
def test_what_is_no_method_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_the_methods_of_the_field_are_methods_with_a_name() -> None:
    made = {
        "<Newton-Raphson (body)>": NewtonRaphson(),
        "<Newton-Raphson (space), frame='space'>": NewtonRaphson("space"),
        "<Gauss-Newton, derivative='exact'>": GaussNewton(),
        "<Levenberg-Marquardt, Wampler (space), damping=Wampler(damping=0.1), frame='space'>": LevenbergMarquardt(
            Wampler(0.1), "space"
        ),
        "<Halley, derivative='geometric'>": Halley(),
        "<wide (space), frame='space'>": Method(wide, frame="space"),
    }
    for text, method in made.items():
        assert type(method) is Method and repr(method) == text
    assert NewtonRaphson() == Method(name="Newton-Raphson (body)") and Method() != NewtonRaphson()
    assert (
        Method(damping=TrustRegion()).is_single_linear_solve
        and Method(least_squares).is_single_linear_solve
        and not Halley().is_single_linear_solve
    )
    assert Method(taken(1.0)) != Method(taken(1.0)), "whether two functions are the same nobody knows"


def test_formulas_that_differ_have_code_of_their_own_and_the_same_again_is_not_derived(
    planar_2r: Chain, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, start = planar_2r.forward_kinematics([0.3, 0.9]), [0.2, 0.8]
    halves, thirds = Method(taken(0.5)), Method(taken(0.25))
    steps = [solve(planar_2r, target, start, method=method).iterations for method in (halves, thirds)]
    assert 15 < steps[0] < 30 and solve_in_python(planar_2r, target, start, method=halves).iterations == steps[0]
    assert steps[1] != steps[0]
    modules = [lanes.module_for(planar_2r, variant_of(method)) for method in (halves, thirds)]
    assert modules[0] is not modules[1]
    monkeypatch.setattr(Recipe, "text", lambda recipe: pytest.fail(f"{recipe.name} is derived again"))
    again = Method(taken(0.5))
    assert lanes.module_for(planar_2r, variant_of(again)) is modules[0]
    assert solve(planar_2r, target, start, method=again).iterations == steps[0]


def test_a_key_is_of_what_a_formula_states(planar_2r: Chain) -> None:
    def same(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V) * sp.Float(0.5)

    assert key_of(same, 2) == key_of(taken(0.5), 2) != key_of(taken(0.25), 2)
    assert key_of(same, 2) != key_of(same, 6)

    def whole(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V)

    def of_half_the_error(J: Any, V: Any, solve: Any) -> Any:
        return solve(J, V / 2)

    assert key_of(whole, 2) != key_of(of_half_the_error, 2), "the same of another linear problem"


AGAIN = """
import numpy as np
import sympy as sp
from lessons_lib import pose_ik, robots
from lessons_lib.codegen.native import Native
compiled, make = [], Native._made
Native._made = lambda self, types: compiled.append(self.__name__) or make(self, types)
method = pose_ik.Method(lambda J, V, solve: solve(J, V) * sp.Float(0.5))
arm = robots.planar_2r()
for trace in (False, True):
    pose_ik.solve(arm, arm.forward_kinematics([0.3, 0.9]), [0.2, 0.8], method=method, trace=trace)
print(compiled)
"""


@pytest.mark.check
def test_another_process_loads_what_was_compiled_for_the_formula(planar_2r: Chain) -> None:
    for traced in (False, True):
        solve(planar_2r, planar_2r.forward_kinematics([0.3, 0.9]), [0.2, 0.8], method=Method(taken(0.5)), trace=traced)
    done = subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, text=True, timeout=600)
    assert (done.stdout, done.stderr) == ("[]\n", "")


class Seen:
    """A method of the reader's own that notes what it is given."""

    def __init__(self, **attributes: object) -> None:
        self.given: list[tuple[np.ndarray, np.ndarray]] = []
        self.__dict__.update(attributes)

    def step(self, jacobian: np.ndarray, error: np.ndarray) -> np.ndarray:
        self.given.append((jacobian, error))
        return np.linalg.lstsq(jacobian, error, rcond=None)[0]


@pytest.mark.parametrize("frame", ["body", "space"])
def test_for_a_goal_a_method_of_the_readers_own_is_given_the_weighed_model(planar_2r: Chain, frame: str) -> None:
    """√W J and √W V of the whole pose; where components are left out, with the exact derivative of the body twist."""
    target, q = planar_2r.forward_kinematics([0.3, 0.9]), np.array([0.1, 0.6])
    here, weights = evaluate(planar_2r, target, q, frame), np.array([1, 1, 4, 9, 9, 2.25])
    method = Seen(frame=frame, name="mine")
    weighed = pose(weights).of(method)
    assert (weighed.name, weighed.frame) == ("mine", frame) and pose().of(method) is method
    assert solve(planar_2r, target, q, goal=pose(weights), method=method).converged
    np.testing.assert_array_equal(method.given[0][0], np.sqrt(weights)[:, None] * here.jacobian)
    np.testing.assert_array_equal(method.given[0][1], np.sqrt(weights) * here.error)


def test_for_a_position_it_is_given_the_exact_derivative(planar_2r: Chain) -> None:
    target, q = planar_2r.forward_kinematics([0.3, 0.9]), np.array([0.1, 0.6])
    target[:2, :2] = np.eye(2)  # which the arm cannot have there
    here, method = evaluate(planar_2r, target, q), Seen()
    found = solve(planar_2r, target, q, goal=position_only(), method=method, starts=Restarts(0))
    assert found.converged and found.orientation_error > 0.1
    mask = np.array([0, 0, 0, 1, 1, 1.0])
    np.testing.assert_allclose(method.given[0][0], mask[:, None] * exact_derivative(here.jacobian, here.error))
    np.testing.assert_array_equal(method.given[0][1], mask * here.error)
    assert solve_batch(planar_2r, [target], q, goal=position_only(), method=Seen()).status[0] is Status.CONVERGED
