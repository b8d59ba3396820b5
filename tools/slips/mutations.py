"""Small changes of a solution, one at a time: what a reader might have written instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
TAKEN_FOR = {
    "cos": "sin",
    "sin": "cos",
    "arccos": "arcsin",
    "arctan": "tan",
    "pinv": "inv",
    "argmax": "argmin",
    "max": "min",
    "min": "max",
    "Max": "Min",
    "space_jacobian": "body_jacobian",
    "body_jacobian": "space_jacobian",
    "get_frame_jacobian": "get_velocity_jacobian",
    "get_velocity_jacobian": "get_frame_jacobian",
}
"""A function to the one that is written in its place."""

FORGOTTEN = "inverse sqrt abs swap_halves sort adjoint sign".split()
"""Functions that are left out, so that their argument remains."""

ORDERED = "zip solve column_stack reshape zeros isinstance".split()
"""Functions whose first two arguments nobody exchanges, or where only the shape tells."""

AROUND = {
    "sign": "-({})",
    "unit": "np.degrees({})",
    "twice": "2 * ({})",
    "half": "({}) / 2",
    "shift": "({}) + 0.0123",
    "precision": "np.float32({})",
    "rounding": "({}) * (1 + 1e-6)",
    "nan": "np.array({}) * np.nan",
    "nested": "[{}]",
    "transposed": "np.transpose({})",
    "reversed": "np.asarray({})[..., ::-1]",
    "printed": "print({})",
    "nothing": "None",
}
"""What is made of a returned value, by kind."""


@dataclass(frozen=True)
class Mutant:
    """A solution with one change.

    Attributes:
        change: Its kind, and what becomes what: "term: a + b -> a".
        text: The whole changed solution.
    """

    change: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Yield every solution that differs from this one by a single change, each text once."""
    tree = ast.parse(text)
    seen = {ast.unparse(tree)}
    around = {part: whole for whole in ast.walk(tree) for part in ast.iter_child_nodes(whole)}
    for i, node in enumerate(ast.walk(tree)):
        for kind, new in edits(node):
            changed = with_node(tree, i, new)
            if changed not in seen:
                seen.add(changed)
                where = f" in {one_line(around[node])}" if isinstance(node, (ast.Constant, ast.Slice)) else ""
                yield Mutant(f"{kind}: {one_line(node)} -> {one_line(new)}{where}", changed)


def with_node(tree: ast.AST, place: int, new: ast.AST) -> str:
    """Return the text of a tree with another node at a place of `ast.walk`."""
    tree = deepcopy(tree)
    old = list(ast.walk(tree))[place]
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if one is old else one for one in value]
    return ast.unparse(ast.fix_missing_locations(tree))


def one_line(node: ast.AST) -> str:
    """Return the text of a node, on one line and not too long."""
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split())[:100]


def edits(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the kind of each change of a node, and what takes its place."""
    match node:
        case ast.BinOp():
            yield from of_operation(node)
        case ast.Call():
            yield from of_call(node)
        case ast.Slice():
            yield from of_slice(node)
        case ast.Attribute(value=value, attr="T"):
            yield "transpose dropped", value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield "minus dropped", operand
        case ast.Compare(ops=[op], left=left, comparators=right) if type(op) in COMPARISONS:
            yield "comparison", ast.Compare(left, [COMPARISONS[type(op)]()], right)
        case ast.Constant(value=value) if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield "constant", ast.Constant(value + 1)
            if value not in (0, 1):
                yield "constant", ast.Constant(value // 2 if value % 2 == 0 else value / 2)
        case ast.AugAssign():
            yield "statement dropped", ast.Pass()
        case ast.If(body=body, orelse=orelse):
            yield "never", ast.If(ast.Constant(False), body, orelse)
            yield "always", ast.If(ast.Constant(True), body, orelse)
        case ast.Return(value=ast.expr() as value):
            for kind, around in AROUND.items():
                yield kind, ast.parse(f"return {around.format(ast.unparse(value))}").body[0]


def of_operation(node: ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
    """Yield the changes of a sum, product or power."""
    left, op, right = node.left, node.op, node.right
    if type(op) in OPERATORS:
        kind = "sign of a term" if isinstance(op, (ast.Add, ast.Sub)) else "multiplied or divided"
        yield kind, ast.BinOp(left, OPERATORS[type(op)](), right)
    if isinstance(op, (ast.Add, ast.Sub)):
        yield "term dropped", left
        yield "term dropped", right
    if isinstance(op, (ast.Mult, ast.Div, ast.MatMult)):
        yield "factor dropped", left
        yield "factor dropped", right
    if isinstance(op, ast.MatMult):
        yield "factors exchanged", ast.BinOp(right, op, left)
        yield "transpose added", ast.BinOp(ast.Attribute(left, "T", ast.Load()), op, right)
        yield "entry by entry", ast.BinOp(left, ast.Mult(), right)
    if isinstance(op, ast.Pow):
        yield "power dropped", left


def of_call(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    """Yield the changes of a call: another function, none, or exchanged arguments."""
    function, arguments = node.func, node.args
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if len(arguments) >= 2 and name not in ORDERED:
        yield "arguments exchanged", ast.Call(function, [arguments[1], arguments[0], *arguments[2:]], node.keywords)
    if name in FORGOTTEN and arguments:
        yield "call dropped", arguments[0]
    if name in TAKEN_FOR:
        other = deepcopy(function)
        if isinstance(other, ast.Attribute):
            other.attr = TAKEN_FOR[name]
        elif isinstance(other, ast.Name):
            other.id = TAKEN_FOR[name]
        yield "another function", ast.Call(other, arguments, node.keywords)


def of_slice(node: ast.Slice) -> Iterator[tuple[str, ast.AST]]:
    """Yield the other half of what a slice takes."""
    if node.upper is None and node.lower is not None:
        yield "slice", ast.Slice(None, node.lower)
    elif node.lower is None and node.upper is not None:
        yield "slice", ast.Slice(node.upper, None)
