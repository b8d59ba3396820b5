"""Kernels: refused names and symbols, the program after CSE, and the provenance of generated functions."""

import pytest
import sympy as sp

from lessons_lib import lie
from lessons_lib.codegen import Kernel, source
from lessons_lib.codegen.provenance import Provenance, digest, provenance_of
from lessons_lib.errors import CodegenError
from lessons_lib.symbolic import se3, so3

a, b, c, step = sp.symbols("a b c step", real=True)
column = sp.Matrix([a, b])


def test_the_program_equals_the_expressions():
    outputs = {"u": sp.Matrix([sp.sin(a + b) ** 2 + step, step * b]), "w": sp.Matrix([[sp.exp(a + b), 7]])}
    kernel = Kernel("k", {"q": column}, outputs, [(step, sp.cos(a + b) * a)])
    results = sp.Matrix(kernel.program.results)
    for symbol, expression in reversed(kernel.program.assignments):
        results = results.subs(symbol, expression)
    expected = [entry.subs(step, sp.cos(a + b) * a) for matrix in outputs.values() for entry in matrix]
    assert results == sp.Matrix(expected)


def test_unused_steps_are_removed():
    kernel = Kernel("k", {"q": column}, {"u": sp.Matrix([a])}, [(step, sp.sin(b))])
    assert kernel.program.assignments == ()


TWICE = {
    "the key of input 'q' and the key of an output": ({"q": column}, {"q": column}, [], "q"),
    "the key of input 'a' and a symbol of input 'a'": ({"a": column}, {"u": column}, [], "a"),
    "a symbol of input 'p' and a symbol of input 'q'": ({"p": column, "q": column}, {"u": column}, [], "a"),
    "a step and a step": ({"q": column}, {"u": column}, [(step, a), (step, b)], "step"),
    "a module of the generated code and the key of an output": ({"q": column}, {"numpy": column}, [], "numpy"),
    "the kernel and the key of input 'k'": ({"k": column}, {"u": column}, [], "k"),
}
NAMED = "is not a valid Python name"
COMMENT = "becomes a comment in the source, so it must be one printable line without"
REFUSED = [
    *(((name, {"q": column}, {"u": column}), {}, NAMED) for name in ("", "1a", "a-b", "a b", "lambda", "a.b")),
    (("k", {"1a": column}, {"u": column}), {}, NAMED),
    (("k", {"q": column}, {"1a": column}), {}, NAMED),
    (("k", {"q": sp.Matrix([sp.Symbol("1a")])}, {"u": sp.Matrix([1])}), {}, NAMED),
    (("k", {"q": column}, {"u": column}, [(sp.Symbol("1a"), a)]), {}, NAMED),
    *(
        (("k", *given), {}, f"kernel 'k': {name!r} has two meanings, {twice}; rename one of them")
        for twice, (*given, name) in TWICE.items()
    ),
    (("k", {"q": column}, {"u": sp.Matrix([c + step])}), {}, "kernel 'k': output u uses c, step, neither an input"),
    (("k", {"q": column}, {"u": column}, [(step, c), (c, a)]), {}, "kernel 'k': step step uses c, neither"),
    (("k", {"q": [a]}, {"u": column}), {}, r"kernel 'k': 'q' must be a SymPy matrix, got \[a\]; write sp.Matrix"),
    (("k", [column], {"u": a}), {}, "kernel 'k': inputs must map names to SymPy matrices, got"),
    (("k", {"q": column}, {"u": a}), {}, "kernel 'k': 'u' must be a SymPy matrix, got a"),
    *(
        (("k", {"q": column}, {"u": column}), {where: ["Z", "u", "Q"]}, "kernel 'k': Q, Z is neither an input nor an")
        for where in ("stacked", "matrices")
    ),
    *(
        (("k", {"v": column}, {"y": column}), {"summary": summary}, COMMENT)
        for summary in ('ends with "', "two\nlines", "ends with \\", "closes */ it", "trigraph ??/", "\x00")
    ),
]


@pytest.mark.parametrize(("arguments", "options", "words"), REFUSED)
def test_an_invalid_kernel_is_refused(arguments, options, words):
    with pytest.raises(CodegenError, match=words):
        Kernel(*arguments, **options)


OMEGA = sp.Matrix(sp.symbols("omega0:3", real=True))
R = sp.Matrix(3, 3, sp.symbols("R0:9", real=True))


@pytest.mark.parametrize("target", ["scalar", "numpy", "javascript"])
def test_the_text_of_a_kernel_contains_its_provenance(target):
    kernel = Kernel("rotate", {"omega": OMEGA}, {"R": so3.exp(OMEGA)}, summary="R = exp [ω].")
    assert f"R = exp [ω]. Derived by so3.exp; expression {kernel.digest}." in source([kernel], target)


def test_the_provenance_is_empty_if_the_formula_of_an_output_is_unknown():
    outputs = {"w": so3.sine_vector(R), "c": sp.Matrix([so3.cosine(R)])}
    assert Kernel("parts", {"R": R}, outputs).provenance == Provenance("")
    named = Kernel("parts", {"R": R}, outputs, by=[so3.cosine]).provenance
    assert named.formulas == ("so3.cosine", "so3.sine_vector")


def test_by_accepts_only_formulas():
    with pytest.raises(CodegenError, match="by must be formulas of `symbolic`, got"):
        Kernel("rotate", {"omega": OMEGA}, {"R": so3.exp(OMEGA)}, by=[se3.pose])


def test_the_digest_depends_on_everything_except_names():
    other = sp.Matrix(sp.symbols("z y x", real=True))
    of = digest([OMEGA], [so3.exp(OMEGA)])
    assert of == digest([other], [so3.exp(other)])
    assert of != digest([OMEGA], [so3.exp(-OMEGA)])
    assert of != digest([OMEGA], [so3.left_jacobian(OMEGA)])
    step = sp.Symbol("step", real=True)
    less, more = OMEGA[0] - OMEGA[1], OMEGA[1] - OMEGA[0]
    assert digest([OMEGA], [sp.Matrix([step])], [(step, less)]) != digest([OMEGA], [sp.Matrix([step])], [(step, more)])


def test_the_digest_ignores_unused_symbols():
    """So a rotation and the same rotation within a pose have equal digests."""
    whole = sp.Matrix(3, 4, sp.symbols("t0:12", real=True))
    assert digest([whole], [so3.cosine(whole[:, :3])]) == digest([OMEGA, whole[:, :3]], [so3.cosine(whole[:, :3])])


def test_a_loaded_function_has_the_digest_of_its_formula():
    provenance = provenance_of(lie.kernels.module().exp_so3_kernel)
    assert provenance.formulas == ("so3.exp",)
    assert provenance.digest == digest([OMEGA], [so3.exp(OMEGA)])
