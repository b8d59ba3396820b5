"""The mutants of a file: each one change of one symbol."""

from __future__ import annotations

import ast
import difflib
from dataclasses import replace
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from mutants.mutant import Mutant
from mutants.operators import operators


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """Return the mutants of a file that differ from it, and from each other, in what they do.

    Args:
        root: Of the repository.
        file: From there.
    """
    code = (root / file).read_text(encoding="utf-8")
    tree, where, seen = ast.parse(code), _functions(ast.parse(code)), {ast.dump(ast.parse(code))}
    aside = _annotations_and_texts(tree)
    nodes = list(ast_nodes(get_ast(code)))
    found, keys = [], set()
    for name, operator in operators():
        places = [place for node in nodes for place in operator.mutation_positions(node)]
        for occurrence, (begin, _) in enumerate(places):
            if any(first <= begin < last for first, last in aside):
                continue
            text = mutate_code(code, operator, occurrence)
            meaning = _meaning(text)
            if meaning is None or meaning in seen:
                continue
            seen.add(meaning)
            line, said = begin[0], _difference(code, text)
            mutant = Mutant(file, where.get(line, ""), name, line, *_statement(tree, line), *said, text)
            while mutant.key in keys:  # the same line stands in the function twice
                mutant = replace(mutant, was=mutant.was + " ")
            keys.add(mutant.key)
            found.append(mutant)
    return sorted(found, key=lambda m: m.line)


def _meaning(text: str) -> str | None:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def _functions(tree: ast.Module) -> dict[int, str]:
    """Return the name of the innermost function or class around each line."""
    around: dict[int, str] = {}

    def visit(node: ast.AST, name: str) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{name}.{node.name}".lstrip(".")
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            around.update(dict.fromkeys(range(first, (node.end_lineno or node.lineno) + 1), name))
        for child in ast.iter_child_nodes(node):
            visit(child, name)

    visit(tree, "")
    return around


def _statement(tree: ast.Module, line: int) -> tuple[int, int]:
    """Return the first and last line of the innermost statement around a line, without its block."""
    best = (line, line)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            block = getattr(node, "body", None)
            best = (node.lineno, block[0].lineno - 1 if block else node.end_lineno or node.lineno)
    return best


def _annotations_and_texts(tree: ast.Module) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the spans of annotations, raised errors and `__all__`: what they say is no formula."""
    spans = []
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            parts += [node.returns]
        elif isinstance(node, ast.arg | ast.AnnAssign):
            parts += [node.annotation]
        elif isinstance(node, ast.Raise):
            parts += [node.exc]
        elif isinstance(node, ast.ClassDef):
            parts += [*node.decorator_list]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "lru_cache":
            parts += [node]  # how many results are remembered changes no result
        spans += [
            ((p.lineno, p.col_offset), (p.end_lineno or p.lineno, p.end_col_offset or 0))
            for p in parts
            if isinstance(p, ast.expr)
        ]
    return spans


def _difference(before: str, after: str) -> tuple[str, str]:
    """Return the lines that differ, before and after."""
    old, new = before.splitlines(), after.splitlines()
    blocks = [b for b in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if b[0] != "equal"]
    first, last = blocks[0], blocks[-1]
    was, becomes = old[first[1] : last[2]], new[first[3] : last[4]]
    return " ".join(line.strip() for line in was), " ".join(line.strip() for line in becomes)
