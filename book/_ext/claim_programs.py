"""Find the lines of a lesson that a claim's cell needs, to run them before it in the reader's page, with SymPy only.

A statement above the cell is kept if it binds or mutates a name that is needed; the names that it uses are then needed,
too. Imports are reduced to the needed names, so that NumPy is imported only if a claim needs it.
"""

import ast
import symtable
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

COURSE = Path(__file__).resolve().parents[2] / "lessons_lib" / "course"
SYMBOLIC = (
    "lessons_lib.claims",
    "lessons_lib.errors",
    "lessons_lib.course.student_claims",
    "lessons_lib.symbolic",
    "sympy",
)
"""Packages that a page can import besides Python's standard library."""
WIDTH = 88
IMPORTS = (ast.Import, ast.ImportFrom)
SURE = (*IMPORTS, ast.Assign, ast.FunctionDef, ast.ClassDef)
"""Statements that always rebind their names."""


@cache
def statements(source: str) -> tuple[ast.stmt, ...]:
    """Return the statements of a cell."""
    return tuple(ast.parse(source).body)


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """Yield the scopes inside a scope."""
    for child in table.get_children():
        yield child
        yield from scopes(child)


@cache
def names(statement: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """Return the module names that a statement reads, those that it binds, and those that are read later.

    The names in a function body are read when the function is called, perhaps further down.
    """
    table = symtable.symtable(ast.unparse(statement), "<cell>", "exec")
    inside = {symbol.get_name() for scope in scopes(table) for symbol in scope.get_symbols() if symbol.is_global()}
    own = table.get_symbols()
    bound = {one.get_name() for one in own if one.is_assigned() or one.is_imported() or one.is_namespace()}
    return {one.get_name() for one in own if one.is_referenced()} | inside, bound, inside


def root(target: ast.expr) -> str | None:
    """Return the first name of `name.part[0].other`."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def mutated_names(statement: ast.stmt) -> set[str]:
    """Return the names whose object a statement may mutate: `a[0] += 1`, `a.b = 1`, `a.append(1)`."""
    targets: Sequence[ast.expr] = []
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        targets = [statement.value.func]
    elif isinstance(statement, ast.Assign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {name for one in targets if isinstance(one, ast.Attribute | ast.Subscript) and (name := root(one))}


def trim_import(statement: ast.Import | ast.ImportFrom, needed: set[str]) -> str:
    """Return an import reduced to the needed names."""
    kept = [alias for alias in statement.names if (alias.asname or alias.name.split(".")[0]) in needed]
    if isinstance(statement, ast.Import):
        return ast.unparse(ast.Import(kept))
    line = ast.unparse(ast.ImportFrom(statement.module, kept, statement.level))
    if len(line) <= WIDTH:
        return line
    head, _, tail = line.partition(" import ")
    return "\n".join((f"{head} import (", *(f"    {name}," for name in tail.split(", ")), ")"))


def before(statement: ast.stmt, needed: set[str]) -> set[str]:
    """Return the names needed before a statement, given those needed after it."""
    read, bound, _ = names(statement)
    return (needed - bound if isinstance(statement, SURE) else needed) | read


def needed_statements(
    above: Sequence[ast.stmt], cell: Sequence[ast.stmt], needed: set[str]
) -> dict[ast.stmt, set[str]]:
    """Return the statements above that a cell needs, each with the names needed after it."""
    for statement in reversed(cell):
        needed = before(statement, needed)
    statements = {}
    for statement in reversed(above):
        if (names(statement)[1] | mutated_names(statement)) & needed:
            statements[statement] = needed
            needed = before(statement, needed)
    return statements


def program(cells: Sequence[str], place: int) -> str:
    """Return the lines above that a cell needs, in order.

    Args:
        cells: Sources of all code cells of a lesson.
        place: Index of the cell.
    """
    texts = {one: text for text in cells[:place] for one in statements(text)}
    cell, later = statements(cells[place]), set[str]()
    while True:
        needs = needed_statements(list(texts), cell, later)
        more = set[str]().union(*(names(one)[2] for one in (*needs, *cell)))
        if more <= later:
            break
        later |= more
    lines = []
    for one, needed in reversed(needs.items()):
        span = slice(first_line(one) - 1, one.end_lineno)
        lines.append(trim_import(one, needed) if isinstance(one, IMPORTS) else "\n".join(texts[one].splitlines()[span]))
    return "\n".join(lines)


def first_line(statement: ast.stmt) -> int:
    """Return the first line of a statement, including decorators."""
    marks = statement.decorator_list if isinstance(statement, ast.FunctionDef | ast.ClassDef) else []
    return min([statement.lineno, *(mark.lineno for mark in marks)])


def runs_in_page(code: str) -> bool:
    """Return whether code imports only the standard library, SymPy, and modules based on SymPy."""
    return _imports_only(code, (*SYMBOLIC, *lesson_modules()))


@cache
def lesson_modules() -> dict[str, Path]:
    """Return the modules of lessons that import nothing else either, with their files."""
    paths = sorted(path for path in COURSE.glob("*/*.py") if path.parent.name != "live")
    names = (".".join(path.relative_to(COURSE.parents[1]).with_suffix("").parts) for path in paths)
    return {
        name: path for name, path in zip(names, paths, strict=True) if _imports_only(path.read_text("utf-8"), SYMBOLIC)
    }


def _imports_only(code: str, known: Sequence[str]) -> bool:
    for one in ast.walk(ast.parse(code)):
        if isinstance(one, ast.Import):
            modules = [alias.name for alias in one.names]
        elif isinstance(one, ast.ImportFrom):
            modules = [f"{one.module}.{alias.name}" for alias in one.names]
        else:
            continue
        own = {name.split(".")[0] for name in modules} <= sys.stdlib_module_names
        if not own and not all(f"{name}.".startswith(tuple(f"{name}." for name in known)) for name in modules):
            return False
    return True
