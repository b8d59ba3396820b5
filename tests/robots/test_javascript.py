"""The generated JavaScript, run by Node, whose engine is that of a browser, against the vectorised NumPy functions."""

from typing import Any

import numpy as np
import pytest
import sympy as sp
from node import in_node
from test_kinematics import interpreted

from lessons_lib import codegen, robots
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic import se3, stumpff

TOLERANCE = 1e-12  # the demand; both engines round each of some hundred operations on lengths of a metre


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10, robots.panda])
def test_it_computes_the_same_kinematics(make: Any) -> None:
    chain, rng = make(), np.random.default_rng(41)
    q = np.array([chain.random_configuration(rng) for _ in range(20)] + [np.zeros(chain.dof)])
    numpy, text = interpreted(chain), chain.source("javascript")
    for kernel, jacobian in (("space_kernel", "J_s"), ("chain_kernel", "J_b")):
        expected_T, expected_J = numpy[kernel](q)
        found = in_node(text, kernel, q[:, None].tolist())
        assert np.abs(np.array([f["T"] for f in found]) - expected_T).max() <= TOLERANCE
        assert np.abs(np.array([f[jacobian] for f in found]) - expected_J).max() <= TOLERANCE
    poses = in_node(text, "pose_kernel", q[:, None].tolist())
    assert np.abs(np.array([f["T"] for f in poses]) - numpy["pose_kernel"](q)).max() <= TOLERANCE


def test_it_knows_the_stumpff_functions() -> None:
    xi = sp.Matrix(sp.symbols("omega0:3 v0:3", real=True))
    kernel = codegen.Kernel("exp_kernel", {"xi": xi}, {"T": se3.exp(xi)}, summary="exp [ξ].")
    space: dict[str, Any] = {}
    exec(codegen.source([kernel], "numpy"), space)
    rng = np.random.default_rng(42)
    twists = np.array([scale * rng.normal(size=6) for scale in (0, 1e-9, 1e-4, 0.3, 1, 3)])
    found = in_node(codegen.source([kernel], "javascript"), "exp_kernel", twists[:, None].tolist())
    assert np.abs(np.array([f["T"] for f in found]) - space["exp_kernel"](twists)).max() <= TOLERANCE


def test_matrices_vectors_and_numbers() -> None:
    a, b, c = sp.symbols("a b c", real=True)
    outputs = {
        "u": sp.Matrix([a * b, sp.Rational(1, 3), sp.pi]),
        "w": sp.Matrix([[b**2, sp.sqrt(c)], [sp.Abs(a), 1e-9]]),
    }
    kernel = codegen.Kernel(
        "k", {"M": sp.Matrix([[a, b], [0, c]]), "q": sp.Matrix([sp.Symbol("d", real=True)])}, outputs
    )
    text = codegen.source([kernel], "javascript")
    (found,) = in_node(text, "k", [[[[-2, 3], [0, 4]], [1]]])
    np.testing.assert_allclose(found["u"], [-6, 1 / 3, np.pi], rtol=1e-15)
    np.testing.assert_allclose(found["w"], [[9, 2], [2, 1e-9]], rtol=1e-15)


def test_a_single_joint_has_a_jacobian_of_one_column() -> None:
    chain = robots.from_screws([[0], [0], [1], [0], [-1], [0]], np.eye(4))
    (found,) = in_node(chain.source("javascript"), "chain_kernel", [[[0.0]]])
    assert found["J_b"] == [[0], [0], [1], [0], [-1], [0]]


@pytest.mark.parametrize("name", ["var", "function", "new", "let", "typeof", "Math", "this"])
def test_words_of_javascript_are_no_names(name: str) -> None:
    kernel = codegen.Kernel("k", {"q": sp.Matrix([sp.Symbol(name, real=True)])}, {"u": sp.Matrix([stumpff(2, 1)])})
    with pytest.raises(CodegenError, match=f"kernel 'k': '{name}' is a word of JavaScript; rename it"):
        codegen.source([kernel], "javascript")
