"""Runs the cell of a claim where there is only SymPy, in the reader's page, and says in words what came of it."""

import ast
import json
import traceback
from contextlib import redirect_stdout
from io import StringIO
from types import CodeType
from typing import Any

CELL = "<cell>"


def line_in(error: BaseException) -> str:
    """Return "Line 3: ", the last line of the cell that was at work when an error was raised; empty where none was."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == CELL]
    return f"Line {lines[-1]}: " if lines else ""


def in_words(error: Exception) -> str:
    """Return what is wrong with a cell that could not be run to its end."""
    if isinstance(error, SyntaxError):
        return f"Line {error.lineno} is not Python: {error.msg}."
    if isinstance(error, NameError):
        report = traceback.TracebackException.from_exception(error)
        told = "".join(report.format_exception_only()).strip().partition(": ")[2]  # with the name that is near
        return f"{line_in(error)}{told.rstrip('.')}."
    return f"{line_in(error)}{type(error).__name__}: {str(error) or 'without a word'}"


def compiled(cell: str) -> tuple[CodeType, CodeType]:
    """Return the code of a cell, and that of the expression that ends it."""
    tree = ast.parse(cell, CELL)
    ends = tree.body[-1] if tree.body else None
    value = ends.value if isinstance(ends, ast.Expr) else ast.Constant(None)
    rest = tree.body[:-1] if isinstance(ends, ast.Expr) else tree.body
    last = ast.fix_missing_locations(ast.Expression(value))
    return compile(ast.Module(rest, []), CELL, "exec"), compile(last, CELL, "eval")


def check(program: str, cell: str) -> dict[str, str]:
    """Run the lines that a cell needs, then the cell; returns what a page shows.

    Args:
        program: What the cell needs of the cells above it (`claim_programs`).
        cell: The cell, perhaps as a reader has changed it.

    Returns:
        `tone`, "proven", "refused" or "open", and `verdict`, in words, with `why` where it is refused; what is proven
        has `sentence`, `formula`, LaTeX, `scope`, Markdown, `checked`, what the prover did; `printed` is what the cell
        has printed.
    """
    from lessons_lib.claims.statement import Claim
    from lessons_lib.course.check_failed import CheckFailed
    from lessons_lib.course.student_claims import Proven
    from lessons_lib.errors import ClaimError

    names: dict[str, Any] = {"__name__": "__main__"}
    printed = StringIO()
    with redirect_stdout(printed):
        try:
            exec(compile(program, "<above>", "exec"), names)
            first, last = compiled(cell)
            exec(first, names)
            value = eval(last, names)
        except (ClaimError, CheckFailed) as error:
            said = error.message if isinstance(error, CheckFailed) else str(error)
            answer = {"tone": "refused", "verdict": "Refused.", "why": " ".join(said.split())}
        except NotImplementedError:
            answer = {"tone": "open", "verdict": "Nothing is stated yet."}
        except Exception as error:  # noqa: BLE001  # whatever a reader's code raises
            answer = {"tone": "open", "verdict": in_words(error)}
        else:
            answer = {"tone": "open", "verdict": "The cell ran, but its last line states no claim."}
            if isinstance(value, Proven):
                answer = {"tone": "proven", "verdict": str(value)}
            if isinstance(value, Claim):
                answer = {"tone": "proven", "verdict": f"Claim {value.label} is proven."}
                answer |= {"sentence": value.sentence, "formula": value.formula}
                answer |= {"scope": value.scope, "checked": value.checked}
    return answer | {"printed": printed.getvalue()}


def check_json(program: str, cell: str) -> str:
    """Return the same as JSON, for a page."""
    return json.dumps(check(program, cell))
