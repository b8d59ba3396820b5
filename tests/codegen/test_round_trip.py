"""The printed text of a kernel, executed with symbols, equals the kernel's expressions.

Python parses each text, and each double is replaced by its exact fraction.
"""

import ast
import itertools
from collections.abc import Callable, Iterable
from functools import cache, reduce
from types import SimpleNamespace
from typing import Any

import pytest
import sympy as sp

from lessons_lib import robots
from lessons_lib.codegen import Kernel, lanes, scalar_target
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


def choice(condition: Any, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    rest = second.args if isinstance(second, sp.Piecewise) else ((second, True),)
    return sp.Piecewise((first, condition), *rest)


def exact(expression: sp.Expr) -> sp.Expr:
    """Replace doubles by exact fractions, and nest choices from the last one."""

    def nest(choices: sp.Piecewise) -> sp.Expr:
        *others, (last, _) = choices.args
        return reduce(lambda rest, pair: choice(pair[1], pair[0], rest), reversed(others), last)

    expression = expression.xreplace({f: sp.Rational(float(f)) for f in expression.atoms(sp.Float)})
    return expression.replace(lambda part: isinstance(part, sp.Piecewise), nest)


class Symbolic(ast.NodeTransformer):
    """Transform a text to run with symbols: exact numbers, Piecewise choices, and `keep` for each assigned name."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return (
            ast.parse(f"exact_number({node.value!r})", mode="eval").body if type(node.value) in (int, float) else node
        )

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self.call("choice", node.test, node.body, node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        assert isinstance(node.op, ast.And)
        return self.call("both", *node.values)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        return (
            self.call("equal", node.left, *node.comparators)
            if isinstance(node.ops[0], ast.Eq)
            else self.generic_visit(node)
        )

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.value = self.visit(node.value)
        if isinstance(node.targets[0], ast.Name):
            name = ast.Constant(node.targets[0].id)
            node.value = ast.Call(ast.Name("keep", ast.Load()), [name, node.value], [])
        return node

    def call(self, name: str, *given: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(name, ast.Load()), [self.visit(one) for one in given], [])


class Entries(dict[Any, Any]):
    """An array of a text; assignments are stored in `written`."""

    def __init__(self, entries: dict[Any, sp.Expr], written: dict[Any, Any]) -> None:
        super().__init__(entries)
        self.written = written

    def __setitem__(self, place: Any, value: sp.Expr) -> None:
        self.written[place] = value


def run(text: str, kernel: Kernel, arrays: list[Any]) -> dict[str, sp.Expr]:
    """Run the text of a kernel with symbols, and return the expressions assigned to its steps, which stay symbols."""
    symbols, found = {str(symbol): symbol for symbol, _ in kernel.definitions}, dict[str, sp.Expr]()

    def keep(assigned: str, value: Any) -> Any:
        if assigned not in symbols:
            return value
        found[assigned] = value
        return symbols[assigned]

    (function,) = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef) and one.name == kernel.name]
    function.decorator_list = []
    module = ast.fix_missing_locations(ast.Module([Symbolic().visit(function)], []))
    space: dict[str, Any] = {f"stumpff_{n}": lambda x, n=n: stumpff(n, x) for n in range(12)}
    pair = lambda x: (sp.sin(x), sp.cos(x))  # noqa: E731
    space |= {"sine_cosine": pair, "sine_cosine_bounded": pair, "keep": keep, "exact_number": sp.Rational}
    space |= {"Array": object, "choice": choice, "both": sp.And, "equal": sp.Eq}
    space["math"] = SimpleNamespace(**{one: getattr(sp, one) for one in ("sqrt", "sin", "cos", "exp", "log")})
    exec(compile(module, "<symbols>", "exec"), space)
    space[kernel.name](*arrays)
    return found


def differ(first: sp.Expr, second: sp.Expr) -> bool:
    """Return whether two expressions could not be shown to be equal."""
    if first == second:
        return False
    if isinstance(first, sp.Piecewise) and isinstance(second, sp.Piecewise) and len(first.args) == len(second.args):
        pairs = zip(first.args, second.args, strict=True)
        return any(a[1] != b[1] or differ(a[0], b[0]) for a, b in pairs)
    return sp.expand(first - second) != 0


def check(kernel: Kernel, steps: dict[str, sp.Expr], written: dict[Any, Any], wanted: dict[Any, sp.Expr]) -> None:
    """Compare named steps and written entries of a text with the kernel's expressions."""
    inside: dict[sp.Symbol, sp.Expr] = {}  # steps without a name in the text
    for symbol, expression in kernel.definitions:
        expression = exact(expression).xreplace(inside)
        if str(symbol) not in steps:
            inside[symbol] = expression
        else:
            assert not differ(expression, steps[str(symbol)]), symbol
    assert written.keys() == wanted.keys()
    assert [place for place in wanted if differ(exact(wanted[place]).xreplace(inside), written[place])] == []


def entries_of(kernel: Kernel, name: str) -> dict[Any, sp.Expr]:
    """Return the entries of an array by the indices in the text."""
    matrix = {**kernel.inputs, **kernel.outputs}[name]
    found = {}
    for i, j in itertools.product(*map(range, matrix.shape)):
        place = (*[0] * (name in kernel.stacked), i, *[j] * (not kernel.is_column(name)))
        found[place if len(place) > 1 else i] = matrix[i, j]
    return found


def check_scalar(kernel: Kernel) -> None:
    written: dict[str, dict[Any, Any]] = {name: {} for name in kernel.outputs}
    arrays: list[Any] = []
    for name in (*kernel.inputs, *kernel.outputs):
        given = entries_of(kernel, name) if name in kernel.inputs else {}
        arrays += [Entries(given, written.get(name, {})), *[0] * (name in kernel.stacked)]
    steps = run(scalar_target.ScalarTarget().module_text([kernel], []), kernel, arrays)
    wanted = {(name, place): e for name in kernel.outputs for place, e in entries_of(kernel, name).items()}
    check(kernel, steps, {(name, place): e for name, some in written.items() for place, e in some.items()}, wanted)


def check_lanes(kernel: Kernel) -> None:
    """Check a kernel's text for a single lane, whose rows are its inputs and then its outputs."""
    at, row = dict[str, int](), 0
    for name, matrix in [*kernel.inputs.items(), *kernel.outputs.items()]:
        at[name], row = row, row + len(matrix)
    given, wanted = (
        {(at[name] + i, 0): entry for name, matrix in arrays.items() for i, entry in enumerate(matrix)}
        for arrays in (kernel.inputs, kernel.outputs)
    )
    written: dict[Any, Any] = {}
    check(kernel, run(lanes.function(kernel, at, 1), kernel, [Entries(given, written)]), written, wanted)


@cache
def arm(name: str) -> robots.Chain:
    return getattr(robots, name)()


KERNELS: dict[str, Callable[[], Iterable[Kernel]]] = {
    "SE(3)": lie.se3_kernels,
    "quaternions": lie.quaternions,
    "Jacobians of SE(3)": lie.jacobians,
    "trees": tree_derivation.derive,
    "split error": pose_ik.split,
    "UR10, body": lambda: kinematics.tip_kernels(arm("ur10").screws, arm("ur10").home, {}),
    "UR10, space": lambda: kinematics.space_kernels(arm("ur10").screws, arm("ur10").home),
}


@pytest.mark.parametrize("which", KERNELS)
def test_the_text_of_a_kernel_equals_its_expressions(which: str) -> None:
    for kernel in KERNELS[which]():
        check_scalar(kernel)


METHODS = {
    "Gauss-Newton": GaussNewton(),
    "Halley": Halley(),
    "space": LevenbergMarquardt(Chan(), frame="space"),
    "exact": LevenbergMarquardt(Constant(), derivative="exact"),
    "trust region": LevenbergMarquardt(TrustRegion()),
    "Wampler": LevenbergMarquardt(Wampler()),
    "Sugihara": LevenbergMarquardt(Sugihara()),
}
"""Methods that cover each error, each derivative and each kind of damping."""


@pytest.mark.parametrize("method", METHODS)
def test_the_simd_text_of_a_method_equals_its_expressions(method: str) -> None:
    variant, chain = variant_of(METHODS[method]), arm("planar_2r")
    for kernel in [lane_kernels.chain_kernel(chain, variant)[0], *lane_kernels.step_kernels(chain, variant)]:
        check_lanes(kernel)


def test_the_simd_text_common_to_all_arms_equals_its_expressions() -> None:
    for kernel in (error_kernel(), advance_kernel(2)):
        check_lanes(kernel)
