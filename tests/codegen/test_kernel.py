"""Kernels: checks of names and symbols, and the program after CSE."""

from typing import Any

import pytest
import sympy as sp

from lessons_lib.codegen import Kernel
from lessons_lib.errors import CodegenError

a, b, c, step = sp.symbols("a b c step", real=True)
column = sp.Matrix([a, b])


def test_the_program_equals_the_expressions() -> None:
    outputs = {"u": sp.Matrix([sp.sin(a + b) ** 2 + step, step * b]), "w": sp.Matrix([[sp.exp(a + b), 7]])}
    kernel = Kernel("k", {"q": column}, outputs, [(step, sp.cos(a + b) * a)])
    results = sp.Matrix(kernel.program.results)
    for symbol, expression in reversed(kernel.program.assignments):
        results = results.subs(symbol, expression)
    expected = [entry.subs(step, sp.cos(a + b) * a) for matrix in outputs.values() for entry in matrix]
    assert results == sp.Matrix(expected)


def test_unused_steps_are_removed() -> None:
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
REFUSED: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    *(((name, {"q": column}, {"u": column}), {}, NAMED) for name in ("", "1a", "a-b", "a b", "lambda", "a.b")),
    (("k", {"1a": column}, {"u": column}), {}, NAMED),
    (("k", {"q": column}, {"1a": column}), {}, NAMED),
    (("k", {"q": sp.Matrix([sp.Symbol("1a")])}, {"u": sp.Matrix([1])}), {}, NAMED),
    (("k", {"q": column}, {"u": column}, [(sp.Symbol("1a"), a)]), {}, NAMED),
    *(
        (("k", *given), {}, f"kernel 'k': {name!r} has two meanings, {twice}; rename one of them")
        for twice, (*given, name) in TWICE.items()
    ),
    (
        ("k", {"q": column}, {"u": sp.Matrix([c + step])}),
        {},
        "kernel 'k': output u uses c, step, neither an input nor an earlier step",
    ),
    (("k", {"q": column}, {"u": column}, [(step, c), (c, a)]), {}, "kernel 'k': step step uses c, neither"),
    (("k", {"q": [a]}, {"u": column}), {}, r"kernel 'k': 'q' must be a SymPy matrix, got \[a\]; write sp.Matrix"),
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
def test_an_invalid_kernel_is_refused(arguments: tuple[Any, ...], options: dict[str, Any], words: str) -> None:
    with pytest.raises(CodegenError, match=words):
        Kernel(*arguments, **options)
