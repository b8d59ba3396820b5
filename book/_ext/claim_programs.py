"""Which lines of a lesson the cell of a claim needs: they run before it where only SymPy is, in the reader's page.

A statement above the cell is kept if it gives a value to a name that is needed, or changes it; what it uses is needed
in its turn. Of an import only the names that are needed are kept, so NumPy comes along only where a claim needs it.
"""

import ast
import symtable
import sys
from collections.abc import Iterator, Sequence
from functools import cache

SYMBOLIC = (
    "lessons_lib.claims",
    "lessons_lib.errors",
    "lessons_lib.course.student_claims",
    "lessons_lib.symbolic",
    "sympy",
)
"""What a page can import beside Python's own modules."""
WIDTH = 88
IMPORTS = (ast.Import, ast.ImportFrom)
SURE = (*IMPORTS, ast.Assign, ast.FunctionDef, ast.ClassDef)
"""Statements after which their names have the new value, whatever happens."""


@cache
def statements(source: str) -> tuple[ast.stmt, ...]:
    """Return the statements of a cell."""
    return tuple(ast.parse(source).body)


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """Yield the scopes inside of one."""
    for child in table.get_children():
        yield child
        yield from scopes(child)


@cache
def names(statement: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """Return the names of the module that a statement reads, those to which it gives a value, and those read later.

    What the body of a function reads has its value when the function is called, perhaps from a line further down.
    """
    table = symtable.symtable(ast.unparse(statement), "<cell>", "exec")
    inside = {symbol.get_name() for scope in scopes(table) for symbol in scope.get_symbols() if symbol.is_global()}
    own = table.get_symbols()
    given = {one.get_name() for one in own if one.is_assigned() or one.is_imported() or one.is_namespace()}
    return {one.get_name() for one in own if one.is_referenced()} | inside, given, inside


def root(target: ast.expr) -> str | None:
    """Return the name that stands first in `name.part[0].other`."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def changed(statement: ast.stmt) -> set[str]:
    """Return the names whose object a statement may change: `a[0] += 1`, `a.b = 1`, `a.append(1)`."""
    targets: Sequence[ast.expr] = []
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        targets = [statement.value.func]
    elif isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {name for one in targets if isinstance(one, ast.Attribute | ast.Subscript) and (name := root(one))}


def pared(statement: ast.Import | ast.ImportFrom, needed: set[str]) -> str:
    """Return an import with the names alone that are needed."""
    kept = [alias for alias in statement.names if (alias.asname or alias.name.split(".")[0]) in needed]
    if isinstance(statement, ast.Import):
        return ast.unparse(ast.Import(kept))
    line = ast.unparse(ast.ImportFrom(statement.module, kept, statement.level))
    if len(line) <= WIDTH:
        return line
    head, _, tail = line.partition(" import ")
    return "\n".join((f"{head} import (", *(f"    {name}," for name in tail.split(", ")), ")"))


def before(statement: ast.stmt, needed: set[str]) -> set[str]:
    """Return the names that are needed before a statement, from those that are needed after it."""
    read, given, _ = names(statement)
    return (needed - given if isinstance(statement, SURE) else needed) | read


def kept(above: Sequence[ast.stmt], cell: Sequence[ast.stmt], needed: set[str]) -> dict[ast.stmt, set[str]]:
    """Return the statements above that a cell needs, and with each the names that are needed after it."""
    for statement in reversed(cell):
        needed = before(statement, needed)
    found = {}
    for statement in reversed(above):
        if (names(statement)[1] | changed(statement)) & needed:
            found[statement] = needed
            needed = before(statement, needed)
    return found


def program(cells: Sequence[str], place: int) -> str:
    """Return the lines above that a cell needs, in their order.

    Args:
        cells: The sources of all code cells of a lesson.
        place: Which of them is meant.
    """
    texts = {one: text for text in cells[:place] for one in statements(text)}
    cell, later = statements(cells[place]), set[str]()
    while True:
        found = kept(list(texts), cell, later)
        more = set[str]().union(*(names(one)[2] for one in (*found, *cell)))
        if more <= later:
            break
        later |= more
    lines = []
    for one, needed in reversed(found.items()):
        span = slice(first_line(one) - 1, one.end_lineno)
        lines.append(pared(one, needed) if isinstance(one, IMPORTS) else "\n".join(texts[one].splitlines()[span]))
    return "\n".join(lines)


def first_line(statement: ast.stmt) -> int:
    """Return the line of a statement, that of its first decorator where it has one."""
    marks = statement.decorator_list if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []
    return min([statement.lineno, *(mark.lineno for mark in marks)])


def runs_in_page(code: str) -> bool:
    """Return whether all that a code imports is Python's own, SymPy's, or made of SymPy alone."""
    for one in ast.walk(ast.parse(code)):
        if isinstance(one, ast.Import):
            asked = [alias.name for alias in one.names]
        elif isinstance(one, ast.ImportFrom):
            asked = [f"{one.module}.{alias.name}" for alias in one.names]
        else:
            continue
        own = {name.split(".")[0] for name in asked} <= sys.stdlib_module_names
        if not own and not all(f"{name}.".startswith(tuple(f"{known}." for known in SYMBOLIC)) for name in asked):
            return False
    return True
