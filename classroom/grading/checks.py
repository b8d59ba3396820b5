"""Run a submission in nbgrader: the checks in the kernel, the student's cells in a separate process.

nbgrader starts a kernel for each submission. `Isolated` runs the exercise's own cells in it and sends the student's
cells as text to the process of `student_proxy.py`.
"""

import os
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute
from traitlets import Bool, Integer, Unicode

from classroom.grading import cleanup, sandbox
from classroom.grading.submission import (
    NOTED,
    ROOT,
    about,
    cell_role,
    functions_in,
    is_solution,
    source_of,
    visible_source,
)
from classroom.kernel_sockets import use_unix_sockets


def failure(name: str, sentence: str) -> NotebookNode:
    """Return the output of a cell that raised this error."""
    return NotebookNode(output_type="error", ename=name, evalue=sentence, traceback=[f"{name}: {sentence}"])


class Isolated(Execute):  # type: ignore[misc] # nbgrader has no types
    """Run a submission; code that does not terminate is stopped, and the feedback says so.

    The limits count the cell's own processor time, so neither a busy machine nor another answer costs points.
    """

    timeout = Integer(30, help="Seconds that the student's code may compute or sleep in a cell.").tag(config=True)
    our_timeout = Integer(300, help="Seconds of processor time for the exercise's own code in a cell.").tag(config=True)
    longest = Integer(3600, help="Seconds by the clock after which any cell is given up.").tag(config=True)
    memory = Integer(4096, help="MB that a submission may use in addition to what the libraries use.").tag(config=True)
    own_numbers = Bool(False, help="Whether each student has numbers of their own.").tag(config=True)
    source_directory = Unicode(str(ROOT / "exercises"), help="Folder of the exercises, with their solutions.").tag(
        config=True
    )
    shutdown_kernel = "immediate"
    iopub_timeout = Integer(10, help="Seconds that an interrupted cell has to end.").tag(config=True)
    told_in: Any = None  # the run that has printed `sandbox_gaps`

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any], km: Any = None) -> Any:
        """Run the notebook in its own kernel, in an empty folder without the other submitted files."""
        if Isolated.told_in is not self.parent:
            cleanup.remove_abandoned()
            if sentence := sandbox.sandbox_gaps():
                self.log.warning(sentence)
        Isolated.told_in = self.parent
        sandbox.share_bubblewrap_result()
        use_unix_sockets()
        self.ended = ""
        self.noted = nb.metadata.get(NOTED, {})
        self.last = len(nb.cells) - 1
        source = source_of(self.source_directory, resources)
        self.asked = {about(cell)["grade_id"]: functions_in(cell.source) for cell in source if is_solution(cell)}
        with cleanup.folder(cleanup.GRADING) as place:
            Path(place).chmod(0o711)  # the submission's user traverses this folder
            empty = Path(place) / "empty"
            empty.mkdir(mode=0o700)
            resources.setdefault("metadata", {})["path"] = str(empty)
            student = resources["nbgrader"]["student"] if self.own_numbers else ""
            before = os.environ.copy()
            os.environ.update({"LESSONS_STUDENT": student, sandbox.PLACE: place})
            try:
                return super().preprocess(nb, resources, km)
            finally:
                os.environ.clear()
                os.environ.update(before)
                cleanup.sweep(Path(place))  # a killed kernel has not cleaned up

    def preprocess_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> Any:
        """Run one cell and shorten its error to a sentence; after the last cell, end the student's process."""
        if index == 0:
            self.start()
        try:
            return self.run_cell(cell, resources, index)
        finally:
            if index == self.last and not self.ended:
                self.ask("_hand.stop()")

    def run_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> Any:
        """Run one code cell."""
        if names := self.asked.pop(about(cell).get("grade_id"), []) if is_solution(cell) else []:
            self.ask(f"exec({'; '.join(f'{name} = _hand.function({name!r})' for name in names)!r})")
        if cell.cell_type != "code" or not cell.source.strip():
            return cell, resources
        if self.ended:
            cell.outputs = [failure("NotRun", self.ended)]
            return cell, resources
        self.ask("_hand.begin()")
        source = cell.source
        cell.source = self.as_run(cell)
        try:
            cell, resources = super().preprocess_cell(cell, resources, index)
        except (CellTimeoutError, DeadKernelError) as problem:
            self.end(cell, source, isinstance(problem, DeadKernelError))
        finally:
            cell.source = source
        for output in cell.outputs:
            if output.output_type == "error":  # a traceback could show a hidden check
                output.traceback = [f"{output.ename}: {output.evalue}"]
            if output.output_type == "stream":
                output.name = "stdout"  # nbgrader gives no points to a cell that writes to stderr, even a warning
        return cell, resources

    def as_run(self, cell: NotebookNode) -> str:
        """Return the code that the kernel runs for a cell."""
        if cell_role(cell) == "own":
            run = f"_hand.run({cell.source!r})"
            texts, self.noted = self.noted.get("definitions", []), {}
            return f"_hand.define({texts!r})\n{run}" if texts else run
        if cell_role(cell) == "ours" and self.asked:
            return f"_hand.prepare({visible_source(cell.source)!r})\n{cell.source}"
        return str(cell.source)

    def start(self) -> None:
        """Load the proxy of the student's process into the kernel."""
        lines = (
            f"import sys\nsys.path.append({str(ROOT)!r})\nfrom classroom.grading.student_proxy import StudentProxy\n"
        )
        why = f"this submission cannot be read: {reason}" if (reason := self.noted.get("unreadable")) else ""
        hand = f"_hand = StudentProxy({self.memory}, {self.timeout}, {self.our_timeout}, {why!r})"
        answer = self.ask(f"exec({lines + hand!r})")
        if answer != "None":
            raise RuntimeError(f"the process for the submission did not start: {answer}")

    def ask(self, expression: str) -> str:
        """Evaluate an expression in the kernel and return its value, or its error, as text."""
        assert self.kc is not None
        message = self.kc.execute("", silent=True, store_history=False, user_expressions={"it": expression})
        reply = self.wait_for_reply(message)
        it = reply["content"].get("user_expressions", {}).get("it", {}) if reply else {}
        return str(it["data"]["text/plain"] if it.get("status") == "ok" else it.get("evalue", "no answer"))

    def end(self, cell: NotebookNode, source: str, dead: bool) -> None:
        """Report in this cell and all following ones that the kernel of the checks has ended."""
        why = "takes the checks with it" if dead else "cannot be interrupted"
        self.ended = f"your code {why}, in the cell that begins with {source.splitlines()[0]!r}"
        cell.outputs.append(failure("Ended", self.ended))
        self.ended += "; no cell after it was run"

    def _get_timeout(self, cell: NotebookNode | None) -> int:
        return int(self.longest)

    async def _async_handle_timeout(self, timeout: int, cell: NotebookNode | None = None) -> Any:
        reason = f"this cell has not ended after {timeout} s; is there an endless loop in your code?"
        self.error_on_timeout = {**failure("CellTimeoutError", reason)}
        self.error_on_timeout.pop("output_type")
        return await super()._async_handle_timeout(timeout, cell)
