"""Collect the claims of a lesson without proving them, by running only the statements on which they depend."""

import ast
import contextlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from falsifier import Falsifier
from sympy.matrices.expressions.matexpr import MatrixElement

import lessons_lib.claims
from lessons_lib.claims import statement as claim_module
from lessons_lib.claims.assumptions import parse_assumptions
from lessons_lib.claims.proof_steps import build_derivations
from lessons_lib.claims.terms import Term, comparable

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


@dataclass(frozen=True)
class Stated:
    """One claim: sides and relations in turn, with the lines of its proof, definitions and conditions."""

    label: str
    chains: list[list[Any]]
    where: tuple[Term, ...]
    conditions: tuple[Any, ...]

    @property
    def parts(self) -> list[Term]:
        """Every side and every definition."""
        return [*(side for chain in self.chains for side in chain[::2]), *self.where]

    def falsifier(self, conditions: bool = True) -> Falsifier:
        """Return a falsifier of the claim, with or without its conditions."""
        chains = []
        for chain in self.chains:
            for i in range(0, len(chain) - 2, 2):
                left, right = comparable(chain[i].value, chain[i + 2].value)
                chains.append([replace(chain[i], value=left), chain[i + 1], replace(chain[i + 2], value=right)])
        return Falsifier(chains, self.where, self.conditions if conditions else ())


SIZES = dict(zip(sp.symbols("m n", integer=True, positive=True), (3, 2), strict=True))
"""Sizes at which matrices of symbolic size are evaluated."""


def with_entries(one: Term) -> Term:
    """Return a term of matrices with symbolic sizes as a term of matrices with entries."""
    if not isinstance(one.value, sp.MatrixExpr):
        return one
    explicit = sp.Matrix(one.value.subs(SIZES).doit().as_explicit())
    places = explicit.atoms(MatrixElement)
    entries = {place: sp.Symbol(f"{place.parent}_{place.i}{place.j}", real=True) for place in places}
    return replace(one, value=explicit.xreplace(entries), variables=())


def stored_names(node: ast.stmt) -> tuple[set[str], set[str]]:
    """Return the names that a statement sets, and those of which it changes an entry."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    imports = [n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]
    names |= {(a.asname or a.name).split(".")[0] for n in imports for a in n.names}
    places = [n for n in ast.walk(node) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)]
    altered = {p.value.id for p in places if isinstance(p.value, ast.Name)}
    return ({node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else names | altered), altered


def statements(path: Path) -> list[ast.stmt]:
    """Return the statements of a notebook on which its claims depend."""
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    lines = ["\n".join(line for line in cell.split("\n") if line[:1] not in "%!") for cell in code]
    needed: set[str] = set()
    kept = []
    for s in reversed([s for cell in lines for s in ast.parse(cell).body]):
        names, altered = stored_names(s)
        calls = {n.func.id for n in ast.walk(s) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        if "claim" in calls or names & needed:
            kept.append(s)
            if not isinstance(s, ast.AugAssign | ast.For | ast.Try | ast.Expr):
                needed -= names - altered
            needed |= {n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            needed |= {s.target.id} if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name) else set()
    return kept[::-1]


def claims_of(lesson: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stated]:
    """Yield the claims of a lesson except N.0, which is shown to fail."""
    found: list[Stated] = []

    def record(label: str, _: str, *statement: Any, where: Any = (), given: Any = (), proof: Any = (), **__) -> None:
        several = bool(statement) and isinstance(statement[0], tuple)
        chains = [claim_module._read_chain(label, part) for part in (statement if several else [statement])]
        sides = [side for chain in chains for side in chain[::2]]
        known = [*parse_assumptions(label, given), *claim_module._derive_conditions(label, sides, where)]
        lines = [one.chain for one in build_derivations(label, chains, proof, several)]
        entered = [[part if isinstance(part, str) else with_entries(part) for part in chain] for chain in lines]
        found.append(Stated(label, entered, tuple(map(with_entries, where)), tuple(one.holds for one in known)))

    (path,) = NOTEBOOKS.glob(f"{lesson:02d}_*.ipynb")
    monkeypatch.chdir(NOTEBOOKS)
    monkeypatch.setattr(lessons_lib.claims, "claim", record)
    module: dict[str, Any] = {"__name__": "lesson"}
    with contextlib.redirect_stdout(io.StringIO()):
        for s in statements(path):
            exec(compile(ast.Module([s], []), path.name, "exec"), module)
    return iter(one for one in found if not one.label.endswith(".0"))
