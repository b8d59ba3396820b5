"""Kernels: checks of names and symbols, and the program after CSE."""

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


@pytest.mark.parametrize("name", ["", "1a", "a-b", "a b", "lambda", "a.b"])
@pytest.mark.parametrize("place", ["kernel", "input", "output", "symbol", "step"])
def test_invalid_python_names_are_refused(place: str, name: str) -> None:
    symbol = sp.Symbol(name) if name else sp.Symbol("?")
    with pytest.raises(CodegenError, match="is not a valid Python name"):
        if place == "kernel":
            Kernel(name, {"q": column}, {"u": column})
        elif place == "input":
            Kernel("k", {name: column}, {"u": column})
        elif place == "output":
            Kernel("k", {"q": column}, {name: column})
        elif place == "symbol":
            Kernel("k", {"q": sp.Matrix([symbol])}, {"u": sp.Matrix([1])})
        else:
            Kernel("k", {"q": column}, {"u": column}, [(symbol, a)])


@pytest.mark.parametrize(
    ("inputs", "outputs", "steps", "name", "meanings"),
    [
        ({"q": column}, {"q": column}, [], "q", "the key of input 'q' and the key of an output"),
        ({"a": column}, {"u": column}, [], "a", "the key of input 'a' and a symbol of input 'a'"),
        ({"p": column, "q": column}, {"u": column}, [], "a", "a symbol of input 'p' and a symbol of input 'q'"),
        ({"q": column}, {"u": column}, [(step, a), (step, b)], "step", "a step and a step"),
        ({"q": column}, {"numpy": column}, [], "numpy", "a module of the generated code and the key of an output"),
        ({"k": column}, {"u": column}, [], "k", "the kernel and the key of input 'k'"),
    ],
)
def test_a_name_with_two_meanings_is_refused(
    inputs: dict, outputs: dict, steps: list, name: str, meanings: str
) -> None:
    with pytest.raises(CodegenError, match=f"kernel 'k': '{name}' has two meanings, {meanings}; rename one of them"):
        Kernel("k", inputs, outputs, steps)


def test_unknown_symbols_are_refused() -> None:
    with pytest.raises(CodegenError, match="kernel 'k': output u uses c, step, neither an input nor an earlier step"):
        Kernel("k", {"q": column}, {"u": sp.Matrix([c + step])})
    with pytest.raises(CodegenError, match="kernel 'k': step step uses c, neither"):
        Kernel("k", {"q": column}, {"u": column}, [(step, c), (c, a)])


def test_inputs_and_outputs_must_be_matrices() -> None:
    with pytest.raises(CodegenError, match=r"kernel 'k': 'q' must be a SymPy matrix, got \[a\]; write sp.Matrix"):
        Kernel("k", {"q": [a]}, {"u": column})
    with pytest.raises(CodegenError, match="kernel 'k': 'u' must be a SymPy matrix, got a"):
        Kernel("k", {"q": column}, {"u": a})


@pytest.mark.parametrize("where", ["stacked", "matrices"])
def test_stacked_and_matrices_must_name_inputs_or_outputs(where: str) -> None:
    with pytest.raises(CodegenError, match="kernel 'k': Q, Z is neither an input nor an output"):
        Kernel("k", {"q": sp.Matrix([a])}, {"u": sp.Matrix([a])}, **{where: ["Z", "u", "Q"]})


@pytest.mark.parametrize(
    "summary",
    [
        'ends with "',
        "two\nlines",
        "ends with \\",
        "closes */ it",
        "trigraph ??/",
        "\x00",
    ],
)
def test_a_summary_that_would_end_a_comment_is_refused(summary: str) -> None:
    x = sp.Symbol("x", real=True)
    with pytest.raises(CodegenError, match="becomes a comment in the source, so it must be one printable line without"):
        Kernel("k", {"v": sp.Matrix([x])}, {"y": sp.Matrix([x])}, summary=summary)
