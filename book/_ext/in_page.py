"""Run the cell of a claim in the reader's page, where only SymPy is available, and describe the result."""

import ast
import json
import traceback
from contextlib import redirect_stdout
from io import StringIO
from types import CodeType
from typing import Any

CELL = "<cell>"


def line_in(error: BaseException) -> str:
    """Return "Line 3: " for the last line of the cell in an error's traceback; empty without one."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == CELL]
    return f"Line {lines[-1]}: " if lines else ""


def describe_error(error: Exception) -> str:
    """Describe the error of a cell that did not run to its end."""
    if isinstance(error, SyntaxError):
        return f"Line {error.lineno} is not Python: {error.msg}."
    if isinstance(error, NameError):
        report = traceback.TracebackException.from_exception(error)
        text = "".join(report.format_exception_only()).strip().partition(": ")[2]  # including Python's suggestion
        return f"{line_in(error)}{text.rstrip('.')}."
    return f"{line_in(error)}{type(error).__name__}: {str(error) or 'no message'}"


def compile_cell(cell: str) -> tuple[CodeType, CodeType]:
    """Return the code of a cell, and that of its last expression."""
    tree = ast.parse(cell, CELL)
    ends = tree.body[-1] if tree.body else None
    value = ends.value if isinstance(ends, ast.Expr) else ast.Constant(None)
    rest = tree.body[:-1] if isinstance(ends, ast.Expr) else tree.body
    last = ast.fix_missing_locations(ast.Expression(value))
    return compile(ast.Module(rest, []), CELL, "exec"), compile(last, CELL, "eval")


def describe_refusal(error: Any) -> dict[str, str]:
    """Return the reason of a refusal, and the counterexample of a false claim as Markdown with formulas."""
    from lessons_lib.course.check_failed import CheckFailed

    stated = error.__context__ if isinstance(error, CheckFailed) else error
    said = " ".join((error.message if isinstance(error, CheckFailed) else str(error)).split())
    counterexample = getattr(stated, "counterexample", None)
    if counterexample is None:
        return {"why": said}
    import sympy as sp

    sentence, values, difference = counterexample
    point = ", ".join(f"${sp.latex(symbol)} = {sp.latex(value)}$" for symbol, value in values.items())
    why, _, _ = said.partition(f": {sentence!r}; at ")
    scope = f"At {point or 'every point'}: left − right = ${sp.latex(difference)}$."
    return {"why": f"{why[:1].upper()}{why[1:]}.", "sentence": sentence, "scope": scope}


def check(program: str, cell: str) -> dict[str, str]:
    """Run the lines that a cell needs, then the cell, and return the result for the page.

    Args:
        program: Lines above that the cell needs (`claim_programs`).
        cell: The cell, possibly edited by the reader.

    Returns:
        `tone`, "proven", "refused" or "open"; `verdict` in words; `why` if refused; `sentence` (Markdown); `formula`
        (LaTeX) and `checked`, a summary of the proof, of a proven claim; `scope` (Markdown), for what it is proven, or
        the counterexample; `printed`, the cell's output.
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
            first, last = compile_cell(cell)
            exec(first, names)
            value = eval(last, names)
        except (ClaimError, CheckFailed) as error:
            answer = {"tone": "refused", "verdict": "Refused.", **describe_refusal(error)}
        except NotImplementedError:
            answer = {"tone": "open", "verdict": "Nothing is stated yet."}
        except Exception as error:  # noqa: BLE001  # whatever a reader's code raises
            answer = {"tone": "open", "verdict": describe_error(error)}
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
    """Return the result of `check` as JSON."""
    return json.dumps(check(program, cell))
