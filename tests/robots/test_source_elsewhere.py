"""The kinematics as C, JavaScript and array-API text, run by a compiler, Node and array-api-strict, against Python."""

import ctypes
import itertools
import re
import shutil
import subprocess

import array_api_strict
import numpy as np
import pytest
import sympy as sp
from node import in_node
from test_kinematics import run_interpreted

from lessons_lib import robots

NASTY = ("/* ??/", "*??/\n/", "**//*/\\")
"""Names of joints that would open or end a comment, or continue its line: with the trigraph for a backslash, too."""
SLIDER = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0.6, 0.8], [0, 1, 0, 0.2, 0, 0.1]], dtype=float).T
CHAINS = {
    "ur10": robots.ur10,
    "a slider": lambda: robots.from_screws(
        SLIDER, np.diag([-1.0, -1, 1, 1]), name='an "arm" */\n#include <none>', joint_names=NASTY
    ),
}
a, b = sp.symbols("a b", real=True)


HAS_C = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler, cc")


def compile_strictly(text, folder):
    """Compile the text without warnings and without contracted sums."""
    (folder / "kernels.c").write_text(text, encoding="utf8")
    flags = "-std=c99 -O2 -Wall -Wextra -Werror -pedantic -ffp-contract=off -shared -fPIC".split()
    command = ["cc", *flags, "-o", "kernels.so", "kernels.c", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "kernels.so"))


def call(function, q, *sizes):
    """Return the output arrays of a compiled function, flat."""
    found = [np.full(size, np.nan) for size in sizes]
    function(*(np.ascontiguousarray(array).ctypes.data_as(ctypes.c_void_p) for array in (q, *found)))
    return found


@HAS_C
@pytest.mark.parametrize("name", CHAINS)
def test_c_agrees_with_python(name, tmp_path):
    chain = CHAINS[name]()
    library, n = compile_strictly(chain.source("c"), tmp_path), chain.dof
    for q in np.random.default_rng(3).uniform(-3, 3, (20, n)):
        (T,) = call(library.pose_kernel, q, 16)
        np.testing.assert_allclose(T.reshape(4, 4), chain.forward_kinematics(q), rtol=0, atol=1e-12)
        for kernel, jacobian in (("space_kernel", chain.space_jacobian), ("chain_kernel", chain.body_jacobian)):
            T, J = call(library[kernel], q, 16, 6 * n)
            np.testing.assert_allclose(T.reshape(4, 4), chain.forward_kinematics(q), rtol=0, atol=1e-12)
            np.testing.assert_allclose(J.reshape(6, n), jacobian(q), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.parametrize("library", [array_api_strict, np])
def test_array_api_text_agrees_with_python(name, library):
    chain = CHAINS[name]()
    space = {}
    exec(chain.source("array_api"), space)
    q = np.random.default_rng(3).uniform(-3, 3, (2, 5, chain.dof))
    T = np.asarray(space["pose_kernel"](library.asarray(q)))
    J_s, J_b = (np.asarray(space[kernel](library.asarray(q))[1]) for kernel in ("space_kernel", "chain_kernel"))
    assert (T.shape, J_s.shape, J_b.shape) == ((2, 5, 4, 4), (2, 5, 6, chain.dof), (2, 5, 6, chain.dof))
    for place in itertools.product(range(2), range(5)):
        np.testing.assert_allclose(T[place], chain.forward_kinematics(q[place]), rtol=0, atol=1e-13)
        np.testing.assert_allclose(J_s[place], chain.space_jacobian(q[place]), rtol=0, atol=1e-13)
        np.testing.assert_allclose(J_b[place], chain.body_jacobian(q[place]), rtol=0, atol=1e-13)


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("target", ["c", "javascript"])
def test_no_name_ends_or_opens_a_comment_or_continues_a_line(target, solver):
    arm = robots.from_screws(SLIDER, np.eye(4), name="/*/ \x1b ????/\u202e\\", joint_names=NASTY)
    text = arm.source(target, solver)
    head, _, rest = text.partition("*/")
    assert not re.search(r"\?\?|\\|[^\n -~]", head) and "/*" not in head[2:]
    assert rest.lstrip().startswith(("#", '"use', "const"))
    assert all(line.startswith(" *") for line in f"{head}*/".splitlines()[1:])


TOLERANCE = 1e-12  # the demand; both engines round each of some hundred operations on lengths of a metre


@pytest.mark.parametrize("make", [robots.planar_2r, robots.ur10, robots.panda])
def test_it_computes_the_same_kinematics(make):
    chain, rng = make(), np.random.default_rng(41)
    q = np.array([chain.random_configuration(rng) for _ in range(20)] + [np.zeros(chain.dof)])
    numpy, text = run_interpreted(chain), chain.source("javascript")
    for kernel, jacobian in (("space_kernel", "J_s"), ("chain_kernel", "J_b")):
        expected_T, expected_J = numpy[kernel](q)
        found = in_node(text, kernel, q[:, None].tolist())
        assert np.abs(np.array([f["T"] for f in found]) - expected_T).max() <= TOLERANCE
        assert np.abs(np.array([f[jacobian] for f in found]) - expected_J).max() <= TOLERANCE
    poses = in_node(text, "pose_kernel", q[:, None].tolist())
    assert np.abs(np.array([f["T"] for f in poses]) - numpy["pose_kernel"](q)).max() <= TOLERANCE


def test_a_single_joint_has_a_jacobian_of_one_column():
    chain = robots.from_screws([[0], [0], [1], [0], [-1], [0]], np.eye(4))
    (found,) = in_node(chain.source("javascript"), "chain_kernel", [[[0.0]]])
    assert found["J_b"] == [[0], [0], [1], [0], [-1], [0]]
