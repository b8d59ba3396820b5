"""Provenance: a generated function names its formulas and the digest of its expression."""

import pytest
import sympy as sp

from lessons_lib import lie
from lessons_lib.codegen import Kernel, source
from lessons_lib.codegen.provenance import Provenance, digest, provenance_of
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic import se3, so3

OMEGA = sp.Matrix(sp.symbols("omega0:3", real=True))
R = sp.Matrix(3, 3, sp.symbols("R0:9", real=True))


@pytest.mark.parametrize("target", ["scalar", "numpy", "javascript"])
def test_the_text_of_a_kernel_contains_its_provenance(target: str) -> None:
    kernel = Kernel("rotate", {"omega": OMEGA}, {"R": so3.exp(OMEGA)}, summary="R = exp [ω].")
    assert f"R = exp [ω]. Derived by so3.exp; expression {kernel.digest}." in source([kernel], target)


def test_the_provenance_is_empty_if_the_formula_of_an_output_is_unknown() -> None:
    outputs = {"w": so3.sine_vector(R), "c": sp.Matrix([so3.cosine(R)])}
    assert Kernel("parts", {"R": R}, outputs).provenance == Provenance("")
    named = Kernel("parts", {"R": R}, outputs, by=[so3.cosine]).provenance
    assert named.formulas == ("so3.cosine", "so3.sine_vector")


def test_by_accepts_only_formulas() -> None:
    with pytest.raises(CodegenError, match="by must be formulas of `symbolic`, got"):
        Kernel("rotate", {"omega": OMEGA}, {"R": so3.exp(OMEGA)}, by=[se3.pose])


def test_the_digest_depends_on_everything_except_names() -> None:
    other = sp.Matrix(sp.symbols("z y x", real=True))
    of = digest([OMEGA], [so3.exp(OMEGA)])
    assert of == digest([other], [so3.exp(other)])
    assert of != digest([OMEGA], [so3.exp(-OMEGA)])
    assert of != digest([OMEGA], [so3.left_jacobian(OMEGA)])
    step = sp.Symbol("step", real=True)
    less, more = OMEGA[0] - OMEGA[1], OMEGA[1] - OMEGA[0]
    assert digest([OMEGA], [sp.Matrix([step])], [(step, less)]) != digest([OMEGA], [sp.Matrix([step])], [(step, more)])


def test_the_digest_ignores_unused_symbols() -> None:
    """So a rotation and the same rotation within a pose have equal digests."""
    whole = sp.Matrix(3, 4, sp.symbols("t0:12", real=True))
    assert digest([whole], [so3.cosine(whole[:, :3])]) == digest([OMEGA, whole[:, :3]], [so3.cosine(whole[:, :3])])


def test_a_loaded_function_has_the_digest_of_its_formula() -> None:
    provenance = provenance_of(lie.kernels.module().exp_so3_kernel)
    assert provenance.formulas == ("so3.exp",)
    assert provenance.digest == digest([OMEGA], [so3.exp(OMEGA)])
