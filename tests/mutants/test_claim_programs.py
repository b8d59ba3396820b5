"""What a claim needs of its lesson, and nothing else."""

import ast
import builtins
import json
import symtable
from pathlib import Path

import pytest

from mutants import lessons

ROOT = Path(__file__).resolve().parent.parent.parent
CELLS = [
    "import numpy as np\nfrom lessons_lib.symbolic import claim\na, b = 1, 2",
    "def f(x):\n    b = a\n    return x + b",
    "c = [0]\nc = [1]\nc.append(a)\nc[0] += 1\nprint(c)",
    "d = [b for b in c]\nfor e in d:\n    np.sin(e)",
    "claim('1.1', 'All.', f(1), '=', d)",
    "b = 3\nclaim('1.2', 'None.', 1, '=', 1)",
]


def notebook(folder: Path, cells: list[str]) -> Path:
    path = folder / "01_made.ipynb"
    made = [{"cell_type": "markdown", "source": ["claim"]}]
    made += [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    path.write_text(json.dumps({"cells": made}), encoding="utf8")
    return path


def test_a_program_is_the_claim_and_what_it_hangs_on(tmp_path: Path) -> None:
    programs = lessons.programs(notebook(tmp_path, CELLS))
    said = {number: [ast.unparse(statement) for statement in body] for number, body in programs.items()}
    assert said["1.2"] == ["from lessons_lib.symbolic import claim", "claim('1.2', 'None.', 1, '=', 1)"]
    assert said["1.1"] == [
        "from lessons_lib.symbolic import claim",
        "a, b = (1, 2)",
        "def f(x):\n    b = a\n    return x + b",
        "c = [1]",
        "c.append(a)",
        "c[0] += 1",
        "d = [b for b in c]",
        "claim('1.1', 'All.', f(1), '=', d)",
    ]


@pytest.mark.parametrize("name", lessons.names(ROOT))
def test_no_program_reads_what_it_does_not_bind(name: str) -> None:
    programs = lessons.programs(ROOT / "notebooks" / f"{name}.ipynb")
    assert programs
    for number, body in programs.items():
        table = symtable.symtable(ast.unparse(ast.Module(body, [])), number, "exec")
        free = [s.get_name() for s in table.get_symbols() if s.is_referenced() and not s.is_assigned()]
        unknown = {s for s in free if not table.lookup(s).is_imported() and not table.lookup(s).is_namespace()}
        assert unknown <= set(dir(builtins)), number
