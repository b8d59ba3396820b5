"""Methods by name, and errors for unknown names."""

import re

import pytest
import sympy as sp

from lessons_lib import cli, pose_ik
from lessons_lib.course.live.search import _numbers
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.rule import Rule
from lessons_lib.studies import METHODS, method


def test_every_name_builds_its_method_with_its_number():
    assert method("newton") == pose_ik.NewtonRaphson("body")
    assert method("newton-space") == pose_ik.NewtonRaphson("space")
    assert method("gauss-newton") == pose_ik.GaussNewton()
    assert method("constant").damping == pose_ik.Constant(0.125)
    assert method("wampler", 1e-6).damping == pose_ik.Wampler(1e-6)
    assert method("chan", 1.0).damping == pose_ik.Chan(1.0)
    assert method("sugihara", 1e-4).damping == pose_ik.Sugihara(1e-4)
    assert method("trust-region", 0.01).damping == pose_ik.TrustRegion(0.01)


@pytest.mark.parametrize("name", METHODS)
def test_the_figures_offer_a_damping_only_if_they_can_run_it(name):
    policy = getattr(method(name), "damping", None)
    if isinstance(policy, Rule) and METHODS[name].in_figures:
        fits = policy.affine is not None and len(policy.parameters) == 1
        assert fits, (
            f"pass in_figures=False to the Choice for {name!r}: the figures need D = a + b E with one parameter"
        )


def test_a_damping_that_the_figures_cannot_run_is_refused_with_the_remedy():
    root = pose_ik.Damping(lambda E, c: c * sp.sqrt(E), c=0.1)
    with pytest.raises(
        ParameterError, match=r"need damping of the form a \+ b E with one parameter, .*in_figures=False"
    ):
        _numbers("root", root, sp.Symbol("p"))


def test_the_command_line_lists_all_methods(capsys):
    with pytest.raises(SystemExit):
        cli.main(["solve", "--help"])
    assert f"oneof{','.join(METHODS)}(" in "".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nelder-mead",), "method must be one of newton, newton-space, gauss-newton"),
        (("newton", 0.1), "damping must be omitted for Newton-Raphson, body, got 0.1"),
        (("chan", -1.0), "Chan.damping must be finite, zero or more, got -1.0"),
    ],
)
def test_an_invalid_method_is_refused_with_the_valid_ones(words, message):
    with pytest.raises(ParameterError, match=re.escape(message)):
        method(*words)
