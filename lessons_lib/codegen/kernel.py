"""A kernel: named expressions with inputs and outputs, reduced to a straight-line program."""
# one pass of common subexpression elimination treats all outputs together, so that a pose and its Jacobian share
# subexpressions

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from lessons_lib.codegen.provenance import Provenance, digest
from lessons_lib.errors import CodegenError
from lessons_lib.lazy import cached_property
from lessons_lib.symbolic.formulas import name_of, tags_of

_MODULES = ("math", "numpy", "native", "batch")  # names that generated source uses


@dataclass(frozen=True)
class Kernel:
    """A function to generate.

    >>> import sympy as sp
    >>> from lessons_lib import codegen
    >>> t = sp.Symbol("t", real=True)
    >>> kernel = codegen.Kernel("square_kernel", {"x": sp.Matrix([t])}, {"y": sp.Matrix([t**2])})
    >>> kernel.is_column("x")
    True

    Attributes:
        name: Function name in the generated source.
        inputs: Array name to matrix of symbols; a column becomes an argument of shape (n,).
        outputs: Array name to matrix of expressions; a column becomes a result of shape (n,).
        definitions: Named steps in order, each a symbol and its expression in inputs and earlier steps.
        summary: First line of the generated docstring, printable.
        matrices: Arrays that keep two dimensions although they have one column, such as the Jacobian of one joint.
        stacked: Arrays that compiled code receives as a stack of such arrays and an index `NAME_at`, so that a loop
            over the stack creates no views.
        by: Formulas of `symbolic` for outputs without a tag: numbers, or entries of a tagged matrix.
        is_reduced: Whether CSE is skipped and the steps stay as they are.
    """

    name: str
    inputs: Mapping[str, sp.Matrix]
    outputs: Mapping[str, sp.Matrix]
    definitions: Sequence[tuple[sp.Symbol, sp.Expr]] = ()
    summary: str = ""
    matrices: Sequence[str] = ()
    stacked: Sequence[str] = ()
    by: Sequence[object] = ()
    is_reduced: bool = False

    def __post_init__(self) -> None:
        """Check that names are valid and unique, and that no symbol is unknown."""
        for name in ("inputs", "outputs"):
            if not isinstance(given := getattr(self, name), Mapping):
                raise CodegenError(
                    f"kernel {self.name!r}: {name} must map names to SymPy matrices, got {given!r}; write "
                    '{"x": sp.Matrix([…])}'
                )
        for name, matrix in {**self.inputs, **self.outputs}.items():
            if not isinstance(matrix, sp.MatrixBase):
                raise CodegenError(
                    f"kernel {self.name!r}: {name!r} must be a SymPy matrix, got {matrix!r}; write sp.Matrix([…])"
                )
        self._check_names()
        if not self.summary.isprintable() or any(mark in self.summary for mark in ('"', "\\", "*/", "/*", "??")):
            raise CodegenError(
                f"kernel {self.name!r}: the summary becomes a comment in the source, so it must be one printable line "
                f'without ", \\, /*, */ and ??; got {self.summary!r}'
            )
        untagged = [function for function in self.by if not name_of(function)]
        if untagged:
            raise CodegenError(f"kernel {self.name!r}: by must be formulas of `symbolic`, got {untagged[0]!r}")
        unknown = sorted({*self.stacked, *self.matrices} - {*self.inputs, *self.outputs})
        if unknown:
            raise CodegenError(f"kernel {self.name!r}: {', '.join(unknown)} is neither an input nor an output")
        known = {s for m in self.inputs.values() for s in m.free_symbols}
        for symbol, expression in self.definitions:
            self._check_known(f"step {symbol}", expression, known)
            known.add(symbol)
        for name, matrix in self.outputs.items():
            self._check_known(f"output {name}", matrix, known)

    def is_column(self, name: str) -> bool:
        """Return whether an array has one dimension."""
        return name not in self.matrices and bool({**self.inputs, **self.outputs}[name].cols == 1)

    @property
    def names(self) -> list[str]:
        """Names that the source binds: arrays, input entries, steps."""
        entries = [str(s) for m in self.inputs.values() for s in m if s.is_Symbol]
        places = [f"{name}_at" for name in self.stacked]
        return [*self.inputs, *self.outputs, *places, *entries, *(str(s) for s, _ in self.definitions)]

    @cached_property
    def provenance(self) -> Provenance:
        """Formulas of the outputs and digest of the expression; empty if the formula of an output is unknown."""
        tags = [tags_of(matrix) for matrix in self.outputs.values()]
        formulas = sorted({name_of(function) for function in self.by}.union(*tags))
        if not formulas or not (self.by or all(tags)):
            return Provenance(self.summary)
        return Provenance(self.summary, tuple(formulas), self.digest)

    @cached_property
    def digest(self) -> str:
        """Digest of the expression, independent of the names of symbols."""
        return digest(self.inputs.values(), self.outputs.values(), self.definitions)

    def _check_names(self) -> None:
        used_names = {*_MODULES, self.name}
        for name in (self.name, *self.names):
            if not name.isidentifier() or keyword.iskeyword(name):
                raise CodegenError(f"kernel {self.name!r}: {name!r} is not a valid Python name")
        for name in self.names:
            if name in used_names:
                meanings = " and ".join(self._meanings(name))
                raise CodegenError(f"kernel {self.name!r}: {name!r} has two meanings, {meanings}; rename one of them")
            used_names.add(name)

    def _meanings(self, name: str) -> list[str]:
        """Describe everything that a name denotes."""
        symbols = [key for key, m in self.inputs.items() for s in m if str(s) == name]
        return [
            *["the kernel"] * (name == self.name),
            *["a module of the generated code"] * (name in _MODULES),
            *[f"the key of input {name!r}"] * (name in self.inputs),
            *["the key of an output"] * (name in self.outputs),
            *["the place of a stacked array"] * (name.removesuffix("_at") in self.stacked and name.endswith("_at")),
            *(f"a symbol of input {key!r}" for key in symbols),
            *["a step" for symbol, _ in self.definitions if str(symbol) == name],
        ]

    def _check_known(self, what: str, expression: sp.Basic, known: set[sp.Symbol]) -> None:
        unknown = sorted(str(s) for s in expression.free_symbols - known)
        if unknown:
            raise CodegenError(
                f"kernel {self.name!r}: {what} uses {', '.join(unknown)}, neither an input nor an earlier step"
            )

    @cached_property
    def program(self) -> "Program":
        """The straight-line program, after one CSE pass over all definitions and outputs unless `is_reduced`."""
        shared = [e for _, e in self.definitions]
        entries = [e for m in self.outputs.values() for e in m]
        if self.is_reduced:
            return Program(tuple(self.definitions), tuple(entries))
        used = set(self.names)
        fresh = (s for s in sp.numbered_symbols("x", real=True) if str(s) not in used)
        replacements, reduced = sp.cse([*shared, *entries], symbols=fresh)
        assignments = dict(replacements)
        assignments.update(zip((s for s, _ in self.definitions), reduced, strict=False))
        results = _remove_aliases(assignments, reduced[len(shared) :])
        return Program(_order_assignments(assignments, results), tuple(results))

    @cached_property
    def printed_forms(self) -> dict[str, tuple[list[str], list[str]]]:
        """Printed forms of the program, each shared by all widths."""
        return {}

    def count_operations(self) -> tuple[int, int]:
        """Return the numbers of arithmetic operations (in the formulas as written, in the program after CSE)."""
        return self.count_written_out(), self.program.operations

    def count_written_out(self) -> int:
        """Return the number of arithmetic operations with every named step substituted."""
        cost: dict[sp.Symbol, int] = {}

        def expanded_cost(expression: sp.Expr) -> int:
            own = int(sp.count_ops(expression))
            return own + sum(cost.get(s, 0) * _occurrences(expression, s) for s in expression.free_symbols)

        for symbol, expression in self.definitions:
            cost[symbol] = expanded_cost(expression)
        return sum(expanded_cost(e) for m in self.outputs.values() for e in m)


@dataclass(frozen=True)
class Program:
    """A straight-line program: assignments, each using only inputs and earlier ones, and the outputs' entries."""

    assignments: tuple[tuple[sp.Symbol, sp.Expr], ...]
    results: tuple[sp.Expr, ...]

    @property
    def operations(self) -> int:
        """Number of arithmetic operations and function calls."""
        return int(sp.count_ops([e for _, e in self.assignments])) + int(sp.count_ops(list(self.results)))


def _occurrences(expression: sp.Expr, symbol: sp.Symbol) -> int:
    return sum(1 for node in sp.preorder_traversal(expression) if node == symbol)


def _remove_aliases(assignments: dict[sp.Symbol, sp.Expr], results: Sequence[sp.Expr]) -> list[sp.Expr]:
    """Remove aliases from `assignments`, and return the results without them."""
    first = {}
    for symbol in [s for s, e in assignments.items() if e.is_Symbol]:
        first[symbol] = assignments.pop(symbol)
    for symbol in first:
        while first[symbol] in first:
            first[symbol] = first[first[symbol]]
    assignments.update({s: e.xreplace(first) for s, e in assignments.items()})
    return [e.xreplace(first) for e in results]


def _order_assignments(
    assignments: Mapping[sp.Symbol, sp.Expr], results: Sequence[sp.Expr]
) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
    """Return the assignments that the results need, in order of evaluation."""
    ordered: dict[sp.Symbol, sp.Expr] = {}

    def visit(expression: sp.Expr) -> None:
        for symbol in sorted(expression.free_symbols & assignments.keys(), key=_natural_key):
            if symbol not in ordered:
                visit(assignments[symbol])
                ordered[symbol] = assignments[symbol]

    for result in results:
        visit(result)
    return tuple(ordered.items())


def _natural_key(symbol: sp.Symbol) -> tuple[str, int]:
    """Return a sort key that puts x2 before x10."""
    name = str(symbol)
    head = name.rstrip("0123456789")
    return head, int(name[len(head) :] or 0)
