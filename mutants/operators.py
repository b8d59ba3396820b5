"""What is changed in a formula: signs, terms, factors, powers, indices, constants, comparisons.

Most operators are Cosmic Ray's own. Four are made here, in its terms: a term or a factor left out, a transposition left
out, and one function in the place of its twin.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from cosmic_ray.operators import (
    binary_operator_replacement,
    boolean_replacer,
    comparison_operator_replacement,
    number_replacer,
    unary_operator_replacement,
)
from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import Name
from parso.tree import Node

Place = tuple[tuple[int, int], tuple[int, int]]

_BINARY = "Add_Sub Sub_Add Pow_Mul FloorDiv_Mul Mod_Mul LShift_RShift RShift_LShift BitAnd_BitOr BitOr_BitAnd".split()
_COMPARISONS = "Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt Eq_NotEq NotEq_Eq Is_IsNot IsNot_Is".split()
_TWINS = [("sin", "cos"), ("min", "max"), ("numerator", "denominator"), ("rows", "cols"), ("zeros", "ones")]
_TWIN = {a: b for pair in _TWINS for a, b in (pair, pair[::-1])}


class _OfNodes(Operator):  # type: ignore[misc]
    """An operator that has as many ways to change a node as the node has parts of a kind."""

    def ways(self, node: Any) -> list[Place]:
        """Return the place of each part that can be changed."""
        raise NotImplementedError

    def mutation_positions(self, node: Any) -> Iterator[Place]:
        """Yield the place of each change."""
        yield from self.ways(node)


class DropOperand(_OfNodes):
    """A sum without one of its terms, or a product without one of its factors."""

    def __init__(self, kind: str = "arith_expr") -> None:
        """Choose "arith_expr" for terms, "term" for factors."""
        self.kind = kind

    def ways(self, node: Any) -> list[Place]:
        """Return the place of each operand."""
        return [(p.start_pos, p.end_pos) for p in node.children[::2]] if node.type == self.kind else []

    def mutate(self, node: Any, index: int) -> Any:
        """Return the sum or product without its operand `index`; what a sign or a division leaves alone stays so."""
        parts = list(node.children)
        if index == 0:
            first, rest = parts[1], parts[2:]
            if first.value == "-":
                rest = [Node("factor", [first, rest[0]]), *rest[1:]]
            elif first.value in ("/", "//", "%"):
                rest = [_number("1", first), *parts[1:]]
        else:
            rest = parts[: 2 * index - 1] + parts[2 * index + 1 :]
        return rest[0] if len(rest) == 1 else Node(self.kind, rest)

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Return what is made of some code."""
        factors = {"kind": "term"}
        return (
            Example("x = a - b", "x = - b"),
            Example("x = a - b", "x = a", occurrence=1),
            Example("x = a - b * c + d", "x = a + d", occurrence=1),
            Example("x = a * b", "x = b", operator_args=factors),
            Example("x = a / b", "x = 1 / b", operator_args=factors),
            Example("x = a / b", "x = a", occurrence=1, operator_args=factors),
        )


class DropTransposition(_OfNodes):
    """A matrix in the place of its transpose."""

    def ways(self, node: Any) -> list[Place]:
        """Return the place of each `.T`."""
        return [(part.start_pos, part.end_pos) for part in self._found(node)]

    def mutate(self, node: Any, index: int) -> Any:
        """Return the node without its `.T` number `index`."""
        gone = self._found(node)[index]
        rest = [part for part in node.children if part is not gone]
        return rest[0] if len(rest) == 1 else Node(node.type, rest)

    def _found(self, node: Any) -> list[Any]:
        return [part for part in node.children if part.get_code() == ".T"] if node.type == "atom_expr" else []

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Return what is made of some code."""
        return (Example("x = R.T * p", "x = R * p"), Example("x = f(a).T[0]", "x = f(a)[0]"))


class ReplaceByTwin(_OfNodes):
    """A cosine in the place of a sine, the larger in the place of the smaller, and back."""

    def ways(self, node: Any) -> list[Place]:
        """Return the place of the name."""
        used = node.type == "name" and node.value in _TWIN and not node.is_definition()
        return [(node.start_pos, node.end_pos)] if used and node.parent.type != "param" else []

    def mutate(self, node: Any, index: int) -> Any:
        """Return the twin's name."""
        return Name(_TWIN[node.value], node.start_pos, prefix=node.prefix)

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Return what is made of some code."""
        return (Example("x = sp.sin(q)", "x = sp.cos(q)"), Example("x = min(a, b)", "x = max(a, b)"))


def _number(text: str, beside: Any) -> Any:
    from parso.python.tree import Number

    return Number(text, beside.start_pos, prefix=" ")


def check_examples() -> None:
    """Try the operators that are made here on their examples.

    Raises:
        RuntimeError: One makes something else of the code.
    """
    from cosmic_ray.mutating import mutate_code

    for operator in (DropOperand, DropTransposition, ReplaceByTwin):
        for example in operator.examples():
            text = mutate_code(example.pre_mutation_code, operator(**example.operator_args), example.occurrence)
            if ast.dump(ast.parse(text)) != ast.dump(ast.parse(example.post_mutation_code)):
                raise RuntimeError(f"{operator.__name__} makes {text!r} of {example.pre_mutation_code!r}")


def operators() -> list[tuple[str, Operator]]:
    """Return name and instance of each operator, in the order in which mutants are made."""
    binary = {o.__name__: o for o in binary_operator_replacement.operators()}
    compare = {o.__name__: o for o in comparison_operator_replacement.operators()}
    unary = {o.__name__: o for o in unary_operator_replacement.operators()}
    made: list[tuple[str, Callable[[], Operator]]] = [
        *((name, binary[f"ReplaceBinaryOperator_{name}"]) for name in _BINARY),
        *((name, compare[f"ReplaceComparisonOperator_{name}"]) for name in _COMPARISONS),
        *((name, unary[f"ReplaceUnaryOperator_Delete_{name}"]) for name in ("USub", "Not")),
        ("Number", number_replacer.NumberReplacer),
        ("And_Or", boolean_replacer.ReplaceAndWithOr),
        ("Or_And", boolean_replacer.ReplaceOrWithAnd),
        ("DropTerm", DropOperand),
        ("DropFactor", lambda: DropOperand("term")),
        ("DropTransposition", DropTransposition),
        ("Twin", ReplaceByTwin),
    ]
    return list(itertools.starmap(lambda name, operator: (name, operator()), made))
