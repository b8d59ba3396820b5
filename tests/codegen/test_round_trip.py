"""The printed text of a kernel, run on symbols, is what it was printed from: so the printers are proven.

Each text is read by Python's own parser, with numbers as the fractions that their doubles are. What becomes vector
code, where a choice is a select, is a list of operations: that is the same text, operation by operation.
"""

import ast
import operator
from collections.abc import Callable, Iterable
from functools import cache, partial, reduce
from typing import Any

import pytest
import sympy as sp

from lessons_lib import robots
from lessons_lib.codegen import Kernel, lanes, scalar_target, vectors
from lessons_lib.codegen.cache import run
from lessons_lib.codegen.expressions import places
from lessons_lib.codegen.ir import Value
from lessons_lib.codegen.syntax import definition
from lessons_lib.lie import derivations as lie
from lessons_lib.pose_ik import LevenbergMarquardt, lane_kernels
from lessons_lib.pose_ik import derivations as pose_ik
from lessons_lib.pose_ik.damping import Chan, Constant, Sugihara, TrustRegion, Wampler
from lessons_lib.pose_ik.lanes import variant_of
from lessons_lib.pose_ik.methods import GaussNewton, Halley
from lessons_lib.pose_ik.model_kernels import error_kernel
from lessons_lib.pose_ik.step_kernels import advance_kernel
from lessons_lib.robots import kinematics, tree_derivation
from lessons_lib.symbolic.stumpff_functions import stumpff

SIGN: dict[Any, str] = dict(
    zip(
        (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq),
        ("+", "-", "*", "/", "**", "<", "<=", ">", ">=", "=="),
        strict=True,
    )
)


def choice(condition: Any, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    rest = second.args if isinstance(second, sp.Piecewise) else ((second, True),)
    return sp.Piecewise((first, condition), *rest)


OPERATION: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "negative": operator.neg,
    "select": choice,
    "<": sp.Lt,
    "<=": sp.Le,
    ">": sp.Gt,
    ">=": sp.Ge,
    "==": sp.Eq,
    "and": sp.And,
    "abs": sp.Abs,
} | {f"math.{name}": getattr(sp, name) for name in ("sqrt", "sin", "cos", "exp", "log")}


def sequential(choices: sp.Piecewise) -> sp.Expr:
    """Return the same choices, made of the last one first: SymPy joins those that it can."""
    *others, (last, _) = choices.args
    return reduce(lambda rest, pair: choice(pair[1], pair[0], rest), reversed(others), last)


def exact(expression: sp.Expr) -> sp.Expr:
    """Return an expression with the fractions that its doubles are."""
    expression = expression.xreplace({f: sp.Rational(float(f)) for f in expression.atoms(sp.Float)})
    return expression.replace(lambda part: isinstance(part, sp.Piecewise), sequential)


class Symbols:
    """What an operation does with SymPy's expressions."""

    def number(self, value: float, divided_by: float = 1) -> sp.Expr:
        return sp.Rational(value) / sp.Rational(divided_by)

    def operation(self, kind: str, *given: Any) -> Any:
        if kind.startswith("stumpff_"):
            return stumpff(int(kind.removeprefix("stumpff_")), *given)
        return OPERATION[kind](*given)


class Syntax:
    """What an operation does with the numbers of operations: the same one of the same numbers has the same number."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, value: float, divided_by: float = 1) -> int:
        return self.operation("number", value / divided_by)

    def operation(self, kind: str, *given: Any) -> int:
        return self.numbers.setdefault((kind, *given), len(self.numbers))


class Reader:
    """Runs a text. The names of a kernel's own steps stay symbols, if any are given; all others are worked out."""

    def __init__(self, algebra: Symbols | Syntax, known: dict[str, Any], steps: Iterable[sp.Symbol] = ()) -> None:
        self.number, self.operation, self.known = algebra.number, algebra.operation, dict(known)
        self.steps, self.found = {str(symbol): symbol for symbol in steps}, dict[Any, Any]()

    def value(self, node: Any) -> Any:
        match node:
            case ast.Constant(value=number):
                return self.number(number)
            case ast.Name(id=name):
                return self.known[name]
            case ast.Subscript():
                return self.known[ast.unparse(node)]
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=number)):
                return self.number(-number)
            case ast.UnaryOp(op=ast.USub(), operand=one):
                return self.operation("negative", self.value(one))
            case ast.BinOp(
                left=ast.Constant() | ast.UnaryOp(operand=ast.Constant()), op=ast.Div(), right=ast.Constant()
            ):
                return self.number(ast.literal_eval(node.left), node.right.value)
            case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.operation(SIGN[type(op)], self.value(left), self.value(right))
            case ast.BoolOp(op=ast.And(), values=parts):
                return reduce(partial(self.operation, "and"), map(self.value, parts))
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.operation("select", self.value(test), self.value(body), self.value(other))
            case ast.Call(func=function, args=given):
                name, values = ast.unparse(function), [self.value(one) for one in given]
                if name.startswith("sine_cosine"):
                    return self.operation("math.sin", *values), self.operation("math.cos", *values)
                return self.operation(name, *values)
        raise AssertionError(ast.unparse(node))

    def put(self, target: Any, value: Any) -> None:
        match target:
            case ast.Tuple(elts=[*parts]):
                for part, one in zip(parts, value, strict=True):
                    self.put(part, one)
            case ast.Name(id=name) if name in self.steps:
                self.found[self.steps[name]], self.known[name] = value, self.steps[name]
            case ast.Name(id=name):
                self.known[name] = value
            case _:
                self.found[ast.unparse(target)] = value

    def run(self, function: ast.FunctionDef) -> dict[Any, Any]:
        """Return what a text works out: by the symbol of a step, or by the entry that is written."""
        (*_, last) = function.body
        for line in last.body if isinstance(last, ast.For) else function.body[1:]:
            assert isinstance(line, ast.Assign)
            self.put(line.targets[0], self.value(line.value))
        return self.found


def plain(kernel: Kernel) -> tuple[ast.FunctionDef, dict[str, sp.Expr], dict[str, sp.Expr]]:
    """Return a kernel's text as a function of arrays, and its inputs and outputs by the words for their entries."""
    text = scalar_target.ScalarTarget().module_text([kernel], [])
    (function,) = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.name == kernel.name]
    given, wanted = (
        {
            f"{name}[{f'{name}_at, ' if name in kernel.stacked else ''}{place}]": entry
            for name in arrays
            for place, entry in places(kernel, name)
        }
        for arrays in (kernel.inputs, kernel.outputs)
    )
    return function, given, wanted


def over_lanes(kernel: Kernel) -> tuple[str, dict[int, sp.Expr], dict[int, sp.Expr]]:
    """Return a kernel's text over a single lane, and its inputs and outputs by their rows."""
    at, row = dict[str, int](), 0
    for name, matrix in [*kernel.inputs.items(), *kernel.outputs.items()]:
        at[name], row = row, row + len(matrix)
    given, wanted = (
        {at[name] + i: entry for name, matrix in arrays.items() for i, entry in enumerate(matrix)}
        for arrays in (kernel.inputs, kernel.outputs)
    )
    return lanes.function(kernel, at, 1).replace("sine_cosine_near(", "sine_cosine_anywhere("), given, wanted


def by_operations(name: str, text: str, rows: dict[int, int], syntax: Syntax) -> dict[int, int]:
    """Return what the operations of a text over lanes work out, by row."""
    header = "import math\nimport numpy\nfrom lessons_lib.codegen.native import vectorized\n"
    space: dict[str, Any] = {}
    run(f"{header}{lanes.anywhere_text()}\n\n{text}\n", f"<round trip {hash(text)}>", space)
    found = dict[int, int]()

    class Recorded(vectors.Loop):
        def instruction(self, kind: str, operands: tuple[Any, ...]) -> Any:
            if kind == "put":
                found[operands[0]] = operands[1].text
            if kind in ("put", "row"):
                return rows.get(operands[0])
            return syntax.operation(kind, *(one.text if isinstance(one, Value) else one for one in operands))

    Recorded(None, space[name], ("f2x1",), name).run(definition(space[name]).body[-1].body, {})  # type: ignore[attr-defined]
    return found


def stated(kernel: Kernel, kept: set[sp.Symbol]) -> Callable[[sp.Expr], sp.Expr]:
    """Return what puts in, for a step that the text has no name for, its expression."""
    inside: dict[sp.Symbol, sp.Expr] = {}
    for symbol, expression in kernel.definitions:
        if symbol not in kept:
            inside[symbol] = exact(expression).xreplace(inside)
    return lambda expression: exact(expression).xreplace(inside)


def differ(first: sp.Expr, second: sp.Expr) -> bool:
    """Return whether two expressions were not shown to be one."""
    if first == second:
        return False
    if isinstance(first, sp.Piecewise) and isinstance(second, sp.Piecewise) and len(first.args) == len(second.args):
        pairs = zip(first.args, second.args, strict=True)
        return any(a[1] != b[1] or differ(a[0], b[0]) for a, b in pairs)
    return sp.expand(first - second) != 0


def check(kernel: Kernel, found: dict[Any, sp.Expr], wanted: dict[str, sp.Expr]) -> None:
    """Hold each step that the text names, and each entry that it writes, to what the kernel states."""
    put_in = stated(kernel, {one for one in found if isinstance(one, sp.Symbol)})
    claims = {symbol: expression for symbol, expression in kernel.definitions if symbol in found} | wanted
    assert claims.keys() == found.keys()
    assert {str(name): found[name] for name, e in claims.items() if differ(put_in(e), found[name])} == {}


@cache
def arm(name: str) -> robots.Chain:
    return getattr(robots, name)()


def kernels_of_the_library() -> dict[str, Callable[[], Iterable[Kernel]]]:
    return {
        "SE(3)": lie.kit,
        "quaternions": lie.quaternions,
        "Jacobians of SE(3)": lie.jacobians,
        "trees": tree_derivation.derive,
        "split error": pose_ik.split,
    } | {
        f"{name}, {what}": make
        for name in ("planar_2r", "ur10", "panda")
        for what, make in {
            "body": lambda name=name: kinematics.tip_kernels(arm(name).screws, arm(name).home, {}),
            "space": lambda name=name: kinematics.space_kernels(arm(name).screws, arm(name).home),
        }.items()
    }


@pytest.mark.parametrize("which", kernels_of_the_library())
def test_the_text_of_a_kernel_is_what_it_was_printed_from(which: str) -> None:
    for kernel in kernels_of_the_library()[which]():
        function, given, wanted = plain(kernel)
        check(kernel, Reader(Symbols(), given, [symbol for symbol, _ in kernel.definitions]).run(function), wanted)


METHODS = {
    "Gauss-Newton": GaussNewton(),
    "Halley": Halley(),
    "space": LevenbergMarquardt(Chan(), frame="space"),
    "exact": LevenbergMarquardt(Constant(), derivative="exact"),
    "trust region": LevenbergMarquardt(TrustRegion()),
    "Wampler": LevenbergMarquardt(Wampler()),
    "Sugihara": LevenbergMarquardt(Sugihara()),
}
"""What the kernels from error to step are derived for: each error, each derivative, each kind of damping."""


@pytest.mark.parametrize(("name", "method"), [("planar_2r", one) for one in METHODS] + [("ur10", "trust region")])
def test_the_text_of_a_method_over_lanes_is_what_it_was_printed_from_with_choices_and_with_selects(
    name: str, method: str
) -> None:
    variant = variant_of(METHODS[method])
    for kernel in [lane_kernels.chain_kernel(arm(name), variant)[0], *lane_kernels.step_kernels(arm(name), variant)]:
        check_over_lanes(kernel)


def test_the_text_of_what_hangs_on_no_arm_is_what_it_was_printed_from() -> None:
    for kernel in (error_kernel(), advance_kernel(2), advance_kernel(7)):
        check_over_lanes(kernel)


def check_over_lanes(kernel: Kernel) -> None:
    """Hold the text of a kernel over lanes to what it states, and the operations read off that to the text."""
    text, rows, wanted = over_lanes(kernel)
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    given, entries = ({f"w[{row}, lane]": entry for row, entry in some.items()} for some in (rows, wanted))
    steps = [symbol for symbol, _ in kernel.definitions]
    check(kernel, Reader(Symbols(), given, steps).run(function), entries)
    syntax = Syntax()
    numbers = {row: syntax.operation("row", row) for row in rows}
    whole = Reader(syntax, {f"w[{row}, lane]": number for row, number in numbers.items()}).run(function)
    selects = by_operations(kernel.name, text, numbers, syntax)
    assert {f"w[{row}, lane]": number for row, number in selects.items()} == whole
