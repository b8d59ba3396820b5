"""Read a submission and put it into the order of its exercise, whatever was moved, deleted, copied or pasted.

Only the text of the student's code cells is used: everything else, including metadata, comes from the exercise.
"""

import ast
import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import List, Unicode

from classroom.copies.exercises import STUB, replace_parts
from classroom.grading.worker import python_source

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS.*?(### END HIDDEN TESTS|\Z)", re.DOTALL)
NOTED = "lessons_submission"
"""Key of a notebook's metadata for the findings of `ArrangeCells`."""
MOST_CELLS, MOST_CODE = 1000, 10**6
"""Largest number of cells and of characters of code; more could exhaust the grader's memory."""
COMPUTES = frozenset(
    "np numpy sp sympy math lie partial namedtuple abs complex dict float frozenset int len list max min pow range "
    "round set sorted str sum tuple zip".split()
)
"""Modules and functions that the value of a constant may call."""


def about(cell: NotebookNode) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell, or {} if a student has overwritten it."""
    metadata = cell.metadata.get("nbgrader")
    return metadata if isinstance(metadata, dict) else {}


def cell_role(cell: NotebookNode) -> str:
    """Return "check" for a cell with points, "ours" for another cell of the exercise, "own" for a student's."""
    return "check" if about(cell).get("grade") else "ours" if about(cell).get("locked") else "own"


def is_solution(cell: NotebookNode) -> bool:
    """Return whether a cell is for the student's answer."""
    return bool(about(cell).get("solution"))


def visible_source(source: str) -> str:
    """Return a cell's source without the parts that students do not see."""
    return HIDDEN.sub("", source)


def functions_in(source: str) -> list[str]:
    """Return the functions that a cell defines; none if it is not valid Python."""
    return [one.name for one in statements(source) if isinstance(one, ast.FunctionDef)]


def bound_in(source: str) -> set[str]:
    """Return the names that a cell binds: functions, classes, imports and variables."""
    return names_bound(statements(source))


def names_bound(body: list[ast.stmt]) -> set[str]:
    """Return the names that statements bind, including those inside `if`, `try` and `with`."""
    names: set[str] = set()
    for one in body:
        match one:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Import(names=imported) | ast.ImportFrom(names=imported):
                names |= {(part.asname or part.name).partition(".")[0] for part in imported}
            case ast.Assign(targets=targets):
                names |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                names.add(name)
            case ast.If() | ast.Try() | ast.With():
                names |= names_bound(inner_statements(one))
    return names


def inner_statements(one: ast.If | ast.Try | ast.With) -> list[ast.stmt]:
    """Return the statements inside a compound statement, from all its branches."""
    handlers = [part for handler in getattr(one, "handlers", []) for part in handler.body]
    return [*one.body, *handlers, *getattr(one, "orelse", []), *getattr(one, "finalbody", [])]


def statements(source: str) -> list[ast.stmt]:
    """Return the statements of a cell, without notebook commands."""
    try:
        return ast.parse(python_source(source)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def definitions(source: str) -> Iterator[str]:
    """Yield a cell's imports, definitions and constants one by one: everything that takes no time to run."""
    for one in statements(source):
        match one:
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                continue
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef():
                yield from statement_text(one)
            case ast.Assign(targets=targets, value=value) if binds_names_only(targets) and is_constant(value):
                yield from statement_text(one)
            case ast.AnnAssign(target=ast.Name(), value=ast.expr() as value) if is_constant(value):
                yield from statement_text(one)
            case ast.Try() if all(
                isinstance(part, ast.Import | ast.ImportFrom | ast.Pass) for part in inner_statements(one)
            ):
                yield from statement_text(one)


def statement_text(one: ast.stmt) -> Iterator[str]:
    """Yield the text of a statement, unless it is nested too deeply."""
    with contextlib.suppress(RecursionError):
        yield ast.unparse(one)


def binds_names_only(targets: list[ast.expr]) -> bool:
    """Return whether an assignment binds only names, no items or attributes."""
    return all(
        isinstance(one, ast.Name) or isinstance(one, ast.Tuple) and binds_names_only(one.elts) for one in targets
    )


def is_constant(value: ast.expr) -> bool:
    """Return whether a value calls only functions in `COMPUTES`; the body of a lambda is not called."""
    if isinstance(value, ast.Lambda):
        return True
    for call in [node for node in ast.walk(value) if isinstance(node, ast.Call)]:
        root = call.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and root.id in COMPUTES):
            return False
    return True


def unreadable_notebook(why: str) -> NotebookNode:
    """Return a placeholder for an unreadable submission; it gets no points and gives the reason."""
    notebook: NotebookNode = nbformat.v4.new_notebook(metadata={NOTED: {"unreadable": why}})
    return notebook


class Reader(NotebookExporter):
    """Read a submission; an invalid file becomes a placeholder, because nbgrader would keep the old points."""

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> Any:
        """Read the file from its bytes."""
        node = read(Path(file_stream.name))
        return self.from_notebook_node(node, resources=resources, **kw)  # type: ignore[no-untyped-call]


def read(path: Path) -> NotebookNode:
    """Return the notebook of a file, or a placeholder that gives the reason."""
    try:
        raw = json.loads(path.read_bytes().decode("utf-8-sig"))
        notebook = nbformat.from_dict(nbformat.reads(json.dumps(raw), as_version=4))
        if not isinstance(notebook, NotebookNode) or not isinstance(notebook.get("cells"), list):
            raise ValueError("it has no cells")
        for cell in notebook.cells:
            text = cell.get("source", "") if isinstance(cell, NotebookNode) else None
            if not isinstance(text, str) or not isinstance(cell.get("metadata", {}), dict):
                raise ValueError("one of its cells is not a valid notebook cell")
            cell.source = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate cannot be sent to a kernel
            cell.setdefault("metadata", NotebookNode())
        if len(notebook.cells) > MOST_CELLS:
            raise ValueError(f"it has {len(notebook.cells)} cells; at most {MOST_CELLS} are graded")
        if (length := sum(len(cell.source) for cell in code_cells(notebook))) > MOST_CODE:
            raise ValueError(f"it has {length:,} characters of code; at most {MOST_CODE:,} are graded")
        notebook.metadata = notebook.metadata if isinstance(notebook.get("metadata"), dict) else NotebookNode()
    except Exception as problem:  # noqa: BLE001 (a submission may contain anything)
        message = f"{type(problem).__name__}: {str(problem)[:200]}"
        return unreadable_notebook(f"its file {path.name} is not a notebook that can be graded: {message}")
    return notebook


@dataclass(eq=False)
class Cell:
    """A code cell of a submission.

    Attributes:
        text: Source of the cell.
        name: Name of the exercise's cell that it is; empty for a student's own cell.
        place: Where it runs: index of a cell of the exercise, and whether before it, as it, or after it.
    """

    text: str
    name: str
    place: tuple[int, int] = (0, 0)


class ArrangeCells(NbGraderPreprocessor):  # type: ignore[misc] # nbgrader has no types
    """Put a submission into the order of its exercise, and reset the points of an older submission.

    A cell is recognized by nbgrader's metadata or by its text. The student's own cells stay between the same cells of
    the exercise, but never move below an answer that they preceded. If an answer occurs twice, the last one counts; if
    its cell is missing or still a stub, the student's own cell that defines its functions counts. Cells below the last
    check are not run. The imports and definitions of all cells are available from the start unless another cell binds
    the name, since a student may have run the cells in another order.
    """

    source_directory = Unicode(str(ROOT / "exercises"), help="Folder of the exercises, with their solutions.").tag(
        config=True
    )

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook in order; nbgrader then restores the locked cells from its gradebook."""
        take_points(resources["nbgrader"])
        source = source_of(self.source_directory, resources)
        noted = nb.metadata.get(NOTED)
        why = noted.get("unreadable") if isinstance(noted, dict) else None
        if why:
            self.log.error("The submission of %s gets no points: %s", resources["nbgrader"].get("student"), why)
        cells = match_cells([(about(cell).get("grade_id"), cell.source) for cell in code_cells(nb)], source)
        answers = choose_answers(cells, source)
        arranged, below = place_cells(cells, answers, source)
        texts = {about(cell).get("grade_id"): visible_source(cell.source) for cell in source}
        others = [cell for cell in cells if not same_text(cell.text, texts.get(cell.name, ""))]
        noted = {
            "definitions": [one for cell in others for one in definitions(cell.text)],
            "unreadable": str(why or ""),
        }
        new = nbformat.v4.new_notebook(
            cells=arranged + below, metadata={**source_metadata(self, resources), NOTED: noted}
        )
        return new, resources


def code_cells(nb: NotebookNode) -> list[NotebookNode]:
    """Return the code cells of a notebook."""
    return [cell for cell in nb.cells if cell.get("cell_type") == "code"]


def same_text(one: str, other: str) -> bool:
    """Return whether two cells have the same text, except for trailing spaces."""
    return [line.rstrip() for line in one.strip().splitlines()] == [
        line.rstrip() for line in other.strip().splitlines()
    ]


def released_text(cell: NotebookNode) -> str:
    """Return the text of an exercise's cell in the student version."""
    return replace_parts(replace_parts(cell.source, "SOLUTION", STUB), "HIDDEN TESTS")


def match_cells(submitted: list[tuple[Any, str]], source: list[NotebookNode]) -> list[Cell]:
    """Return the code cells of a submission, each with the name of the matching cell of the exercise."""
    by_name = {about(cell)["grade_id"]: cell for cell in source if "grade_id" in about(cell)}
    cells = []
    for name, text in submitted:
        if not isinstance(name, str) or name not in by_name:
            name = next((one for one, cell in by_name.items() if same_text(text, released_text(cell))), "")
        cells.append(Cell(text, name))
    return cells


def choose_answers(cells: list[Cell], source: list[NotebookNode]) -> dict[str, Cell]:
    """Return the cell that answers each task by name; none if another cell defines the task's functions."""
    answers = {}
    places = [cell for cell in source if is_solution(cell)]
    stubs = [cell for cell in cells if any(same_text(cell.text, released_text(place)) for place in places)]
    for place in places:
        name, functions = about(place)["grade_id"], set(functions_in(place.source))
        named = [cell for cell in cells if cell.name == name]
        elsewhere = [cell for cell in cells if cell not in stubs and functions & bound_in(cell.text)]
        written = [cell for cell in named if cell not in stubs] or [cell for cell in elsewhere if not cell.name]
        if written:
            answers[name] = written[-1]
            answers[name].name = name
        elif named and not elsewhere:
            answers[name] = named[-1]
    for cell in stubs:
        if cell not in answers.values():
            cell.text = ""
    return answers


def place_cells(
    cells: list[Cell], answers: dict[str, Cell], source: list[NotebookNode]
) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """Return the exercise's cells with the student's cells among them, and the cells below the last check."""
    numbers = {about(cell)["grade_id"]: at for at, cell in enumerate(source) if "grade_id" in about(cell)}
    first = min(at for at, cell in enumerate(source) if is_solution(cell))
    last = max(at for at, cell in enumerate(source) if cell_role(cell) == "check")
    limit, anchor, own = (len(source), 0), (first, 0), []
    for cell in reversed(cells):
        if cell in answers.values():
            limit = min(limit, (numbers[cell.name], 0))
        cell.place = limit
    for cell in cells:
        is_own = not cell.name or is_solution(source[numbers[cell.name]]) and cell not in answers.values()
        if not is_own:
            anchor = (numbers[cell.name], 2)
        elif cell.text.strip():
            cell.place = max(min(anchor, cell.place), (first, 0))
            own.append(cell)
    arranged, below = [], []
    for at, place in enumerate(source):
        name = about(place).get("grade_id")
        arranged += [own_cell(cell.text) for cell in own if cell.place == (at, 0)]
        new = nbformat.from_dict({**place, "outputs": []} if place.cell_type == "code" else place)
        if is_solution(place):
            new.source = answers[name].text if name in answers else ""
        arranged.append(new)
        after = [own_cell(cell.text) for cell in own if cell.place == (at, 2)]
        if at < last:
            arranged += after
        else:
            below += after
    below += [own_cell(cell.text) for cell in own if cell.place[0] == len(source)]
    for new in below:
        new.metadata["tags"] = ["skip-execution"]
    return arranged, below


def own_cell(text: str) -> NotebookNode:
    """Return a student's own cell."""
    cell: NotebookNode = nbformat.v4.new_code_cell(text)
    return cell


def take_points(document: dict[str, Any]) -> None:
    """Reset the points of a submission in the gradebook to zero, so that an older one's points do not remain."""
    if "db_url" not in document:
        return
    with Gradebook(document["db_url"]) as book:
        try:
            stored = book.find_submission_notebook(document["notebook"], document["assignment"], document["student"])
        except MissingEntry:
            return
        for grade in stored.grades:
            grade.auto_score = 0.0
        book.db.commit()


def source_metadata(step: ArrangeCells, resources: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of the exercise's notebook."""
    return dict(nbformat.read(source_path(step.source_directory, resources), as_version=4).metadata)


def source_path(folder: str, resources: dict[str, Any]) -> Path:
    """Return the path of the exercise with solutions that is being graded."""
    document = resources["nbgrader"]
    return Path(folder, document["assignment"], f"{document['notebook']}.ipynb")


def source_of(folder: str, resources: dict[str, Any]) -> list[NotebookNode]:
    """Return the cells of the exercise."""
    cells: list[NotebookNode] = nbformat.read(source_path(folder, resources), as_version=4).cells
    return cells


class FeedbackPage(NbGraderPreprocessor):  # type: ignore[misc]
    """Begin a feedback page with what the checks have found, and remove the hidden part of each check."""

    display_data_priority: Any = List(help="What nbconvert tells every preprocessor of a page.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the page; `nb` has the scores."""
        found = [finding(cell) for cell in nb.cells if cell_role(cell) == "check" and errors_of(cell)]
        nb, resources = super().preprocess(nb, resources)
        nb.cells[:0] = map(nbformat.v4.new_markdown_cell, found)
        return nb, resources

    def preprocess_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> Any:
        """Return the cell without its hidden part."""
        if cell_role(cell) != "own":
            cell.source = visible_source(cell.source)
        return cell, resources


def errors_of(cell: NotebookNode) -> list[NotebookNode]:
    """Return the errors of a cell that has run."""
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def finding(cell: NotebookNode) -> str:
    """Return the Markdown of a failed check: its points, and its errors as an indented block, which shows any text."""
    name = about(cell)["grade_id"]
    said = "\n".join(error.evalue for error in errors_of(cell)).splitlines()
    points = f"{about(cell).get('score', 0):g} of {about(cell)['points']:g} points"
    return "\n".join([f"[{name}](#{name}): {points}\n", *(f"    {line}" for line in said)])
