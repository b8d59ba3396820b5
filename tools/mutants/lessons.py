"""What a lesson's claims need: its code without pictures, tables and whatever else no claim hangs on."""

from __future__ import annotations

import ast
import json
import symtable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class _Statement:
    """A statement of a notebook.

    Attributes:
        node: It itself.
        reads: Names that must have a meaning before.
        binds: Names that it gives a meaning, whatever they meant before.
        changes: Names of things of which it sets an entry or an attribute, or calls a method for its effect.
        imports: Names of modules, and of what comes out of them.
        claim: Number of the first claim that it makes; empty where it makes none.
    """

    node: ast.stmt
    reads: set[str]
    binds: set[str]
    changes: set[str]
    imports: set[str]
    claim: str


def names(root: Path) -> list[str]:
    """Return the names of the lessons, in their order."""
    return sorted(path.stem for path in (root / "notebooks").glob("*.ipynb"))


@lru_cache(maxsize=32)
def programs(path: Path) -> dict[str, list[ast.stmt]]:
    """Return the program of each statement that makes claims, by its first claim's number.

    Args:
        path: Of a notebook.

    Returns:
        Each program is the statement and those before it that it needs, in order. A statement needs, for each name that
        it reads, the last one before it that binds the name, and those in between that change what it stands for.
    """
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    statements = [_read(node) for text in texts for node in ast.parse(text).body]
    modules = {name for statement in statements for name in statement.imports}
    return {
        statement.claim: [statements[i].node for i in _needed(statements, modules, index)]
        for index, statement in enumerate(statements)
        if statement.claim
    }


def _needed(statements: list[_Statement], modules: set[str], last: int) -> list[int]:
    needed, kept = [last], {last}
    while needed:
        index = needed.pop()
        for name in statements[index].reads:
            for earlier in reversed(range(index)):
                one = statements[earlier]
                if name in one.binds | (one.changes - modules) and earlier not in kept:
                    kept.add(earlier)
                    needed.append(earlier)
                if name in one.binds:
                    break
    return sorted(kept)


def _read(node: ast.stmt) -> _Statement:
    """Return what a statement does with names."""
    top = symtable.symtable(ast.unparse(node), "cell", "exec")
    symbols = top.get_symbols()
    binds = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace()}
    reads = {s.get_name() for s in symbols if s.is_referenced()} | _from_inside(top)
    inside = list(ast.walk(node))
    added = [part.target for part in inside if isinstance(part, ast.AugAssign)]
    calls = [part for part in inside if isinstance(part, ast.Call)]
    alone = [part.value for part in inside if isinstance(part, ast.Expr)]
    changed = [p for p in inside if isinstance(p, ast.Subscript | ast.Attribute) and not isinstance(p.ctx, ast.Load)]
    changed += [call.func for call in calls if isinstance(call.func, ast.Attribute) and call in alone]
    imported = {s.get_name() for s in symbols if s.is_imported()}
    claims = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "claim"]
    number = str(ast.literal_eval(claims[0].args[0])) if claims else ""
    reads |= {target.id for target in added if isinstance(target, ast.Name)}
    return _Statement(node, reads, binds, set(map(_innermost, changed)), imported, number)


def _from_inside(table: symtable.SymbolTable) -> set[str]:
    """Return what functions and comprehensions in a statement read from outside."""
    found: set[str] = set()
    for child in table.get_children():
        found |= {s.get_name() for s in child.get_symbols() if s.is_global() and s.is_referenced()}
        found |= _from_inside(child)
    return found


def _innermost(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
