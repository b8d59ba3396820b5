"""What Cosmic Ray does not change by itself: terms, factors, transpositions, and one function for its twin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import Name, Number
from parso.tree import Node

Place = tuple[tuple[int, int], tuple[int, int]]

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


class DropTerm(_OfNodes):
    """A sum without one of its terms."""

    kind = "arith_expr"

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
                rest = [Number("1", first.start_pos, prefix=" "), *parts[1:]]
        else:
            rest = parts[: 2 * index - 1] + parts[2 * index + 1 :]
        return rest[0] if len(rest) == 1 else Node(self.kind, rest)

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Return what is made of some code."""
        return (
            Example("x = a - b", "x = - b"),
            Example("x = a - b", "x = a", occurrence=1),
            Example("x = a - b * c + d", "x = a + d", occurrence=1),
        )


class DropFactor(DropTerm):
    """A product without one of its factors."""

    kind = "term"

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Return what is made of some code."""
        return (
            Example("x = a * b", "x = b"),
            Example("x = a / b", "x = 1 / b"),
            Example("x = a / b", "x = a", occurrence=1),
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


OURS = {operator.__name__: operator for operator in (DropTerm, DropFactor, DropTransposition, ReplaceByTwin)}
"""By name, as Cosmic Ray asks a provider of operators for them."""
