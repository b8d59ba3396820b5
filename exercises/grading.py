"""How a hand-in is run for its marks: the checks where they belong, and each cell with an end, whatever it does.

nbgrader starts a kernel, so a process, for each hand-in. `Arranged` puts the cells of the checks back into their order,
`Guarded` runs them with the guard of `guard.py` in the kernel, and says in a sentence what nbgrader leaves unsaid.
"""

import ast
import asyncio
import os
import secrets
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Bool, Integer, Unicode

HERE = Path(__file__).resolve().parent
PRINTED = ("stream", "display_data", "execute_result", "update_display_data")


def role(cell: NotebookNode) -> str:
    """Return "check" for a cell with points, "ours" for another cell of the exercise, "own" for a student's."""
    about = cell.metadata.get("nbgrader", {})
    return "check" if about.get("grade") else "ours" if about.get("locked") else "own"


def is_solution(cell: NotebookNode) -> bool:
    """Return whether the student's answer belongs into a cell."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def failure(name: str, sentence: str) -> NotebookNode:
    """Return the output of a cell that ends with this error."""
    return NotebookNode(output_type="error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


class Arranged(NbGraderPreprocessor):  # type: ignore[misc] # nbgrader has no types
    """Puts a hand-in into the order of its exercise: what was moved, deleted or tagged is as it was.

    The student's own cells stand where the solution stands, and those below the first check at the end, where they are
    not run.
    """

    source_directory = Unicode(str(HERE), help="Folder of the exercises, with their solutions.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the notebook in order; nbgrader then fills in the text of the locked cells from its gradebook."""
        about = resources["nbgrader"]
        path = Path(self.source_directory) / about["assignment"] / f"{about['notebook']}.ipynb"
        source = nbformat.read(path, as_version=4).cells
        first = next((at for at, cell in enumerate(nb.cells) if role(cell) == "check"), len(nb.cells))
        places = {
            cell.metadata.nbgrader.grade_id for cell in source if cell.metadata.get("nbgrader", {}).get("solution")
        }
        own: list[NotebookNode] = []
        scratch: list[NotebookNode] = []
        for at, cell in enumerate(nb.cells):
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name in places:
                own.append(cell)
            elif name is None and cell.cell_type == "code":
                (own if at < first else scratch).append(cell)
        for cell in scratch:
            cell.metadata["tags"] = ["skip-execution"]
        cells: list[NotebookNode] = []
        for cell in source:
            if is_solution(cell):
                cells, own = cells + own, []
            else:
                cells.append(cell)
        nb.cells = cells + scratch
        return nb, resources


class Guarded(Execute):  # type: ignore[misc]
    """Runs a hand-in: a cell that does not end is interrupted, then its process is ended, and the feedback says so."""

    timeout = Integer(30, help="Seconds for a cell that calls the student's code.").tag(config=True)
    later_timeout = Integer(5, help="Seconds for each cell after one has run out of time.").tag(config=True)
    our_timeout = Integer(300, help="Seconds for the exercise's own cells, which may compile.").tag(config=True)
    most_printed = Integer(100_000, help="Characters that a cell may print.").tag(config=True)
    most_messages = Integer(2_000, help="Outputs that a cell may send.").tag(config=True)
    memory = Integer(4096, help="MB that a hand-in may take beyond what the libraries take.").tag(config=True)
    own_numbers = Bool(False, help="Whether each student has numbers of their own.").tag(config=True)
    closed = Unicode("", help="The course's own folder, which no hand-in may read.").tag(config=True)
    shutdown_kernel = "immediate"
    iopub_timeout = Integer(10, help="Seconds that an interrupted cell has to end.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any], km: Any = None) -> Any:
        """Run the notebook in a kernel of its own."""
        self.ended = self.broken = ""
        self.slow, self.printed, self.messages, self.guard = False, 0, 0, f"_{secrets.token_hex(16)}"
        os.environ["LESSONS_STUDENT"] = resources["nbgrader"]["student"] if self.own_numbers else ""
        try:
            return super().preprocess(nb, resources, km)
        finally:
            del os.environ["LESSONS_STUDENT"]

    def preprocess_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> Any:
        """Run one cell, look after it, and add the sentence that it ends with."""
        if index == 0:
            self.post_guard()
        if cell.cell_type != "code" or not cell.source.strip():
            return cell, resources
        if self.ended:
            cell.outputs = [failure("NotRun", self.ended)]
            return cell, resources
        self.printed = self.messages = 0
        try:
            cell, resources = super().preprocess_cell(cell, resources, index)
        except (CellTimeoutError, DeadKernelError) as problem:
            self.end(cell, isinstance(problem, DeadKernelError))
            return cell, resources
        for output in cell.outputs:
            if output.output_type == "stream":
                output.name = "stdout"  # nbgrader gives no points to a cell that writes to stderr, be it a warning
        self.look(cell)
        return cell, resources

    def post_guard(self) -> None:
        """Load the guard into the kernel."""
        lines = []
        for cell in self.nb.cells:
            if cell.cell_type == "code" and role(cell) != "own":
                body = ast.parse(cell.source).body
                lines += [ast.unparse(line) for line in body if isinstance(line, (ast.Import, ast.ImportFrom))]
        root = HERE.parent
        closed = [str(root), str(Path(self.closed).resolve())] if self.closed else [str(root)]
        opened = [str(root / "lessons_lib"), str(Path(sys.prefix).resolve()), str(Path(sys.base_prefix).resolve())]
        start = (
            "import importlib.util as u, sys\n"
            f"s = u.spec_from_file_location({self.guard!r}, {str(HERE / 'guard.py')!r})\n"
            f"m = sys.modules[{self.guard!r}] = u.module_from_spec(s)\n"
            f"s.loader.exec_module(m)\nm.begin({chr(10).join(lines)!r}, {closed!r}, {opened!r}, {self.memory})"
        )
        answer = self.ask(f"exec({start!r}, {{}})")
        if answer != "None":
            raise RuntimeError(f"the guard of the hand-in does not start: {answer}")

    def ask(self, expression: str) -> str:
        """Return what an expression is in the kernel, as text; an error is text, too."""
        assert self.kc is not None
        message = self.kc.execute("", silent=True, store_history=False, user_expressions={"it": expression})
        reply = self.wait_for_reply(message)
        it = reply["content"].get("user_expressions", {}).get("it", {}) if reply else {}
        return str(it["data"]["text/plain"] if it.get("status") == "ok" else it.get("evalue", "no answer"))

    def look(self, cell: NotebookNode) -> None:
        """After a cell: say why it has no points where its outputs do not."""
        kind, errors = role(cell), [output for output in cell.outputs if output.output_type == "error"]
        found = self.ask(f"__import__('sys').modules[{self.guard!r}].tidy({cell.source!r}, {kind != 'own'})")
        if kind == "own" and errors and not self.broken:
            self.broken = f"your own cell above stops with {errors[0].ename}: {errors[0].evalue}"
        elif kind == "check" and errors and self.broken:
            cell.outputs.append(
                failure("NotChecked", f"{self.broken}. So there is nothing here that could be checked.")
            )
        if kind == "check" and found != "[]":
            said = f"while this check ran, something was replaced that it measures with: {found}"
            cell.outputs.append(failure("Replaced", said))
        if self.messages > self.most_messages or self.printed > self.most_printed:
            said = (
                f"your code prints more than {self.most_printed:,} characters, or {self.most_messages:,} things, here"
            )
            cell.outputs.append(failure("TooMuchOutput", said))

    def end(self, cell: NotebookNode, dead: bool) -> None:
        """End the process of a hand-in that does not end by itself, and say so in this cell and in all that follow."""
        why = "ends the process that it runs in, by itself or for want of memory" if dead else "cannot be interrupted"
        self.ended = f"your code {why}, in the cell that begins with {cell.source.splitlines()[0]!r}"
        cell.outputs.append(failure("Ended", self.ended))
        self.ended += "; no cell after it was run"

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        """Count what a cell prints; beyond the limit interrupt it, and drop the rest."""
        if msg["msg_type"] in PRINTED:
            self.messages += 1
            self.printed += len(msg["content"].get("text", ""))
            if self.messages > self.most_messages or self.printed > self.most_printed:
                if self.messages % self.most_messages in (0, 1) and self.km is not None:
                    asyncio.ensure_future(self.km.interrupt_kernel())
                return None
        return super().process_message(msg, cell, cell_index)

    def _get_timeout(self, cell: NotebookNode | None) -> int:
        if cell is not None and role(cell) == "ours":
            return int(self.our_timeout)
        return int(self.our_timeout if cell is None else self.later_timeout if self.slow else self.timeout)

    async def _async_handle_timeout(self, timeout: int, cell: NotebookNode | None = None) -> Any:
        self.slow = True
        said = f"this cell has not ended after {timeout} s; is there an endless loop in your code?"
        self.error_on_timeout = {**failure("CellTimeoutError", said)}
        self.error_on_timeout.pop("output_type")
        return await super()._async_handle_timeout(timeout, cell)
