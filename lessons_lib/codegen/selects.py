"""Choices in loops over lanes, written as selects: one instruction for all lanes, see select.py.

A choice that is written as a branch is the same instruction in the end, but takes Numba longer to compile.
"""

import ast


def with_selects(text: str) -> str:
    """Return a module's text with select(c, a, b) for each "a if c else b" in a loop over lanes."""
    lines = [line.encode() for line in text.splitlines()]
    loops = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For) and _is_over_lanes(node)]
    choices = [node for loop in loops for node in _outermost_choices(loop)]
    for node in sorted(choices, key=lambda node: (node.lineno, -node.col_offset)):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + _selected(node).encode() + line[node.end_col_offset :]
    return "\n".join(line.decode() for line in lines) + "\n"


def _is_over_lanes(loop: ast.For) -> bool:
    return isinstance(loop.target, ast.Name) and loop.target.id == "lane"


def _outermost_choices(node: ast.AST) -> list[ast.IfExp]:
    if isinstance(node, ast.IfExp):
        return [node]
    return [choice for child in ast.iter_child_nodes(node) for choice in _outermost_choices(child)]


def _selected(node: ast.AST) -> str:
    class Choices(ast.NodeTransformer):
        def visit_IfExp(self, choice: ast.IfExp) -> ast.AST:
            self.generic_visit(choice)
            return ast.Call(ast.Name("select"), [choice.test, choice.body, choice.orelse], [])

    return ast.unparse(Choices().visit(node))
